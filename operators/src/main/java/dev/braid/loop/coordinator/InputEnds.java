package dev.braid.loop.coordinator;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * How many rounds there are where members have inputs of their own, which end at different times:
 * as many as the longest input is enough for. The others have no sample in the last rounds.
 */
final class InputEnds {

  private static final long UNKNOWN = -1;

  private final long[] rounds;

  InputEnds(int members) {
    rounds = new long[members];
    Arrays.fill(rounds, UNKNOWN);
  }

  /**
   * Notes that the input of a member has ended, which is enough for so many rounds.
   *
   * @return number of rounds for all, when the input of all members has ended
   */
  OptionalLong add(int member, long itsRounds) {
    rounds[member] = itsRounds;
    boolean isOver = Arrays.stream(rounds).noneMatch(it -> it == UNKNOWN);
    return isOver ? Arrays.stream(rounds).max() : OptionalLong.empty();
  }
}
