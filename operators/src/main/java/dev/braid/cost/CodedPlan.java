package dev.braid.cost;

import dev.braid.coding.CodeTree;

/**
 * A choice of a tree and its code.
 *
 * @param codes n, L and s
 * @param seconds how long a round is expected to take
 */
public record CodedPlan(CodeTree codes, double seconds) {}
