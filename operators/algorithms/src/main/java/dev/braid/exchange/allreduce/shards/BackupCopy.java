package dev.braid.exchange.allreduce.shards;

import dev.braid.exchange.Port.Remembering;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * The backup, at this rank, of another rank's shard of the updater's state. It receives the sums
 * along which the owner takes its steps, and applies the same changes of state.
 *
 * <p>The copy is one step behind: until a round is complete at all ranks, it may have to be
 * repeated from the end of the previous round. The sum of a round is therefore kept. It is applied
 * to the state when the sum of the next round begins to arrive, because all ranks have then
 * completed the round; or when a view begins after it. The delay costs no time: a rank that waits
 * for the copy has to wait for the sum anyway.
 */
final class BackupCopy {

  private static final long NONE = -1;

  private final int owner;
  private final Range range;
  private final Remembering remembering;

  /** One array per vector of the state; index 0 is the range's start. */
  private final float[][] state;

  /** Number of rounds applied to the state; {@link #NONE} before it has values. */
  private long rounds = NONE;

  /** Sum of gradients for the next step; index 0 is the range's start. */
  private final float[] sum;

  /** Number of elements of the sum that have arrived. */
  private int come;

  private long samples;

  /** Number of steps taken before the next one. */
  private long steps;

  /**
   * Creates a copy without values.
   *
   * @param owner owner of the shard
   * @param range the shard
   * @param vectors number of vectors of the updater's state
   * @param remembering effect of a step on the state
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

  /** Begins a view: returns the store to which the state after this number of rounds is written. */
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
   * The current round of this rank.
   *
   * @param number number of complete rounds
   * @param steps number of steps that the updater has taken in those rounds
   */
  record Round(long number, long steps) {}

  /**
   * Takes the sum of a round over a chunk.
   *
   * @throws IllegalStateException if the round is not the one that follows the copy's state
   */
  void take(Range chunk, Payload values, long ofSamples, Round round) {
    if (isWhole()) {
      if (round.number() > rounds) {
        remember();
      }
      // Otherwise the round is repeated.
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

  /** Discards a partially received sum. */
  void rollBack() {
    if (!isWhole()) {
      come = 0;
    }
  }

  /** Returns whether it has, or can compute, the state after this number of rounds. */
  boolean has(long afterRounds) {
    return rounds == afterRounds || (rounds == afterRounds - 1 && isWhole());
  }

  /** Returns a copy of the state after this number of rounds, if it {@linkplain #has has} that. */
  StatePiece piece(long afterRounds) {
    if (rounds < afterRounds) {
      remember();
    }
    return new StatePiece(range, Arrays.stream(state).map(float[]::clone).toArray(float[][]::new));
  }
}
