package dev.braid.loop.coordinator;

import java.util.Arrays;
import java.util.BitSet;
import java.util.OptionalLong;

/**
 * The number of rounds if members have inputs of their own, which end at different times: as many
 * as any member has batches for. The other members have no samples in the last rounds.
 *
 * <p>A member without records provides empty batches while others may have some, even after the end
 * of its own input. Members therefore count their rounds only when all inputs have ended: a member
 * that reported a number earlier could exceed it before the others know that number.
 */
final class InputEnds {

  private static final long UNKNOWN = -1;

  private final BitSet ended = new BitSet();
  private final long[] rounds;

  InputEnds(int members) {
    rounds = new long[members];
    Arrays.fill(rounds, UNKNOWN);
  }

  /**
   * Notes that the input of a member has ended.
   *
   * @return whether it was the last one, so that members count their rounds
   */
  boolean ended(int member) {
    boolean isNew = !ended.get(member);
    ended.set(member);
    return isNew && ended.cardinality() == rounds.length;
  }

  /**
   * Notes the number of rounds that a member has batches for.
   *
   * @return number of rounds for all members, if all have counted
   */
  OptionalLong counted(int member, long itsRounds) {
    rounds[member] = itsRounds;
    boolean areKnown = Arrays.stream(rounds).noneMatch(it -> it == UNKNOWN);
    return areKnown ? Arrays.stream(rounds).max() : OptionalLong.empty();
  }
}
