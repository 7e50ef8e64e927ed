package dev.braid.api;

import java.util.OptionalLong;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Result of a repeated training.
 *
 * @param rounds number of repeated rounds
 * @param digest SHA-256 of the weights after the last repeated round, in hexadecimal
 * @param compared number of digests of the original run that were compared
 * @param firstDifference number of rounds after which the first digest differs; empty if all are
 *     equal. The repetition ends at the first difference
 */
@PublicEvolving
public record Replayed(long rounds, String digest, int compared, OptionalLong firstDifference) {}
