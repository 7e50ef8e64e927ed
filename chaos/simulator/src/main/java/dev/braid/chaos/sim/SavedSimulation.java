package dev.braid.chaos.sim;

import java.util.List;

/**
 * State of a run at a complete checkpoint.
 *
 * @param parts part that each rank wrote, by rank
 * @param reported epochs that each rank had reported by then, by rank
 */
public record SavedSimulation(List<byte[]> parts, List<List<Integer>> reported) {}
