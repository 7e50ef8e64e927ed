package dev.braid.chaos.sim;

import java.util.List;

/**
 * A run at a complete checkpoint.
 *
 * @param parts by rank: what it wrote
 * @param reported by rank: the epochs that it had reported then
 */
public record SavedSimulation(List<byte[]> parts, List<List<Integer>> reported) {}
