package dev.braid.exchange.allreduce.shards;

import dev.braid.exchange.message.Payload;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * The backup, here, of another rank's shard of the updater's state, as it is after each round. It
 * is kept twice, in turn: until a round is complete for all, it may have to be begun again from
 * where the one before has ended.
 */
public final class BackupCopy {

  private static final int TURNS = 2;
  private static final long NONE = -1;

  private final int owner;
  private final Range range;

  /** By turn, vector and element. */
  private final float[][][] values;

  /** By turn: after how many rounds the values are so. */
  private final long[] rounds = {NONE, NONE};

  /** How many values of the round under way have come. */
  private long come;

  /**
   * A copy without values.
   *
   * @param owner whose shard it is
   * @param range the shard
   * @param vectors of the updater's state
   */
  public BackupCopy(int owner, Range range, int vectors) {
    this.owner = owner;
    this.range = range;
    this.values = new float[TURNS][vectors][range.length()];
  }

  int owner() {
    return owner;
  }

  public Range range() {
    return range;
  }

  /** Where the values after so many rounds are to be written with which a view begins. */
  NeededState.Store begin(long afterRounds) {
    float[][] first = values[turn(afterRounds)];
    rounds[turn(afterRounds)] = afterRounds;
    return new NeededState.Store() {
      @Override
      public void write(int vector, Range part, Slice from) {
        System.arraycopy(
            from.array(),
            from.offset(),
            first[vector],
            part.start() - range.start(),
            part.length());
      }

      @Override
      public float[][] values() {
        return first;
      }
    };
  }

  /** What the owner's state is after a round, of one vector over a chunk. */
  public void take(int vector, Range chunk, Payload payload, long afterRounds) {
    int turn = turn(afterRounds);
    if (come == 0) {
      rounds[turn] = NONE;
    }
    payload.copyTo(values[turn][vector], chunk.start() - range.start());
    come += chunk.length();
    if (come == (long) values[turn].length * range.length()) {
      rounds[turn] = afterRounds;
      come = 0;
    }
  }

  /** Forgets what has come of the round under way. */
  void rollBack() {
    come = 0;
  }

  /** Whether it has all values after so many rounds. */
  boolean has(long afterRounds) {
    return rounds[turn(afterRounds)] == afterRounds;
  }

  /** A copy of these values. */
  StatePiece piece(long afterRounds) {
    return new StatePiece(
        range,
        Arrays.stream(values[turn(afterRounds)]).map(float[]::clone).toArray(float[][]::new));
  }

  private static int turn(long afterRounds) {
    return (int) (afterRounds % TURNS);
  }
}
