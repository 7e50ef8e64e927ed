package dev.braid.exchange.allreduce.shards;

import dev.braid.exchange.Port.Remembering;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * The backup, here, of another rank's shard of the updater's state. It is sent the sums that the
 * owner takes its steps along, and remembers of them what the owner does.
 *
 * <p>It is a step behind: until a round is complete for all, it may have to be begun again from
 * where the one before has ended. So the sum of a round is kept, and becomes part of the state when
 * that of the next begins to come, as then all have completed it; or when a view begins after it.
 * That it does so late costs nobody time: whoever waits for the copy waits for the sum.
 */
final class BackupCopy {

  private static final long NONE = -1;

  private final int owner;
  private final Range range;
  private final Remembering remembering;

  /** By vector, from the range's start on. */
  private final float[][] state;

  /** After how many rounds the state is so; or none. */
  private long rounds = NONE;

  /** What the next step is along, from the range's start on. */
  private final float[] sum;

  /** How many elements of the sum are here. */
  private int come;

  private long samples;

  /** How many steps are taken before the next. */
  private long steps;

  /**
   * A copy without values.
   *
   * @param owner whose shard it is
   * @param range the shard
   * @param vectors of the updater's state
   * @param remembering what a step does to it
   */
  BackupCopy(int owner, Range range, int vectors, Remembering remembering) {
    this.owner = owner;
    this.range = range;
    this.remembering = remembering;
    this.state = new float[vectors][range.length()];
    this.sum = new float[range.length()];
  }

  int owner() {
    return owner;
  }

  Range range() {
    return range;
  }

  /** Where the state after so many rounds is to be written with which a view begins. */
  NeededState.Store begin(long afterRounds) {
    rounds = afterRounds;
    return new NeededState.Store() {
      @Override
      public void write(int vector, Range part, Slice from) {
        int at = part.start() - range.start();
        System.arraycopy(from.array(), from.offset(), state[vector], at, part.length());
      }

      @Override
      public float[][] values() {
        return state;
      }
    };
  }

  /**
   * The round that is under way at this rank.
   *
   * @param number how many are complete
   * @param steps how many the updater has taken in them
   */
  record Round(long number, long steps) {}

  /** The sum of a round over a chunk. */
  void take(Range chunk, Payload values, long ofSamples, Round round) {
    if (isWhole()) {
      if (round.number() > rounds) {
        remember();
      }
      // Else the round is begun again.
      come = 0;
    }
    if (round.number() != rounds) {
      throw new IllegalStateException(
          "sum of round %d for a backup copy: must be of round %d"
              .formatted(round.number(), rounds));
    }
    values.copyTo(sum, chunk.start() - range.start());
    come += chunk.length();
    samples = ofSamples;
    steps = round.steps();
  }

  private boolean isWhole() {
    return come == range.length();
  }

  private void remember() {
    if (samples > 0) {
      remembering.remember(state, sum, samples, steps);
    }
    rounds++;
    come = 0;
  }

  /** Forgets what has come of a sum that is not whole. */
  void rollBack() {
    if (!isWhole()) {
      come = 0;
    }
  }

  /** Whether it has the state after so many rounds, or what that is made of. */
  boolean has(long afterRounds) {
    return rounds == afterRounds || (rounds == afterRounds - 1 && isWhole());
  }

  /** A copy of the state after so many rounds, which it {@linkplain #has has}. */
  StatePiece piece(long afterRounds) {
    if (rounds < afterRounds) {
      remember();
    }
    return new StatePiece(range, Arrays.stream(state).map(float[]::clone).toArray(float[][]::new));
  }
}
