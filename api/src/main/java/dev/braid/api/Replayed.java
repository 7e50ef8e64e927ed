package dev.braid.api;

import java.util.OptionalLong;
import org.apache.flink.annotation.PublicEvolving;

/**
 * What became of a run that was recomputed.
 *
 * @param rounds number of rounds that were recomputed
 * @param digest SHA-256 of the weights after the last of them, in hexadecimal
 * @param compared number of digests of the run that were compared
 * @param firstDifference number of rounds behind which the first digest differs, if one does; the
 *     recomputation has ended there
 */
@PublicEvolving
public record Replayed(long rounds, String digest, int compared, OptionalLong firstDifference) {}
