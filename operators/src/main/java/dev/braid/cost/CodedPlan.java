package dev.braid.cost;

import dev.braid.coding.CodeTree;

/**
 * A tree with its codes, and the expected time of a round.
 *
 * @param codes the tree, with n, L and s
 * @param seconds expected time of a round
 */
public record CodedPlan(CodeTree codes, double seconds) {}
