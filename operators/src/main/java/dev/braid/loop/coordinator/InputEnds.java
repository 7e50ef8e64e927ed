package dev.braid.loop.coordinator;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The number of rounds if members have inputs of their own, which end at different times: as many
 * as the longest input is enough for. The other members have no samples in the last rounds.
 */
final class InputEnds {

  private static final long UNKNOWN = -1;

  private final long[] rounds;

  InputEnds(int members) {
    rounds = new long[members];
    Arrays.fill(rounds, UNKNOWN);
  }

  /**
   * Notes that the input of a member has ended, and is enough for {@code itsRounds} rounds.
   *
   * @return number of rounds for all members, if the input of all has ended
   */
  OptionalLong add(int member, long itsRounds) {
    rounds[member] = itsRounds;
    boolean isOver = Arrays.stream(rounds).noneMatch(it -> it == UNKNOWN);
    return isOver ? Arrays.stream(rounds).max() : OptionalLong.empty();
  }
}
