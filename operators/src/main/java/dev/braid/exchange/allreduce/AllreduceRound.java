package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * State of the current round, common to all synchronous allreduces: the rank's own gradient, the
 * sum as far as it is known, and messages that arrived early.
 *
 * <p>A rank may be one round ahead of its neighbours, but not two, because no round completes
 * without a contribution of every rank. A message that is not for the current round is therefore
 * for the next one, and waits.
 *
 * <p>The sum has its own array and does not overwrite the gradient, because after a rollback the
 * same gradient is contributed again.
 */
final class AllreduceRound {

  private final Range whole;

  /** Whether this rank is the only one, so that its gradient is the sum. */
  private final boolean isAlone;

  /** Arrays for the sum, {@code float[length]} each, used in turn. */
  private final float[][] sums;

  private final ArrayDeque<Message> early = new ArrayDeque<>();

  private Optional<Contribution> local = Optional.empty();
  private long completed;
  private int summed;
  private long samples;

  /**
   * Creates the state with several arrays for the sum, used in turn. An operation that sends a view
   * of the sum may overwrite it only after the receiver has it. If a rank's operations of the next
   * round begin before all its receivers have the sum, two arrays are needed.
   *
   * @param arrays number of arrays, at least 1
   */
  AllreduceRound(ExchangeConfig config, int arrays) {
    this.whole = Range.ofLength(config.length());
    this.isAlone = config.ranks() == 1;
    this.sums = new float[arrays][config.length()];
    this.completed = config.completedRounds();
  }

  /** Returns the number of complete rounds. */
  long completed() {
    return completed;
  }

  /** Returns whether this rank has contributed to a round that is not complete. */
  boolean underWay() {
    return local.isPresent();
  }

  /**
   * Begins the next round with this rank's contribution.
   *
   * @throws IllegalStateException if a round is in progress or the contribution is for another one
   * @throws IllegalArgumentException if the gradient's length is not that of the vector
   */
  void begin(Contribution contribution) {
    if (underWay() || contribution.round() != completed) {
      throw new IllegalStateException(
          "contribution to round "
              + contribution.round()
              + " while round "
              + completed
              + (underWay() ? " is under way" : " is next"));
    }
    if (contribution.gradient().length != whole.length()) {
      throw new IllegalArgumentException(
          "gradient of "
              + contribution.gradient().length
              + " elements: must have "
              + whole.length());
    }
    local = Optional.of(contribution);
  }

  /**
   * Keeps a message that is too early for this rank.
   *
   * @return whether the message was kept
   * @throws IllegalStateException if the message belongs to neither the current nor the next round
   */
  boolean defer(Message message) {
    long latest = underWay() ? completed + 1 : completed;
    if (message.round() < completed || message.round() > latest) {
      throw new IllegalStateException(
          "message of round "
              + message.round()
              + " from rank "
              + message.from()
              + " while round "
              + completed
              + (underWay() ? " is under way" : " is next"));
    }
    boolean isEarly = !underWay() || message.round() > completed;
    if (isEarly) {
      early.add(message);
    }
    return isEarly;
  }

  /** Removes and returns the oldest kept message if it belongs to the current round. */
  Optional<Message> nextDue() {
    Message head = early.peek();
    return head != null && underWay() && head.round() == completed
        ? Optional.of(early.remove())
        : Optional.empty();
  }

  /**
   * Returns one of the arrays for the sum. The exchange writes each range once and then marks it as
   * final.
   */
  float[] sum(int array) {
    return sums[array];
  }

  /** Returns the index of the array for the current or, between rounds, the next sum. */
  int array() {
    return (int) (completed % sums.length);
  }

  /**
   * Marks a part of the sum as final.
   *
   * @throws IllegalStateException if other parts of the round sum over another number of samples
   */
  void markFinal(Range range, long rangeSamples) {
    if (summed == 0) {
      samples = rangeSamples;
    } else if (samples != rangeSamples) {
      throw new IllegalStateException(
          "round "
              + completed
              + " has a sum of "
              + samples
              + " samples, but of "
              + rangeSamples
              + " samples over "
              + range);
    }
    summed += range.length();
  }

  /** Returns whether a part of the sum is final; all ranks have then contributed to the round. */
  boolean isPartlyFinal() {
    return summed > 0;
  }

  /**
   * Completes the round if the whole sum is final.
   *
   * @param step consumer of the sum; not called if the round has no samples
   * @return whether the round is complete
   */
  boolean finish(Consumer<Update.GradientSum> step) {
    if (summed < whole.length()) {
      return false;
    }
    float[] sum = isAlone ? local.orElseThrow().gradient() : sums[array()];
    reset();
    completed++;
    // A round in which no rank had a sample left changes nothing.
    if (samples > 0) {
      step.accept(new Update.GradientSum(whole, Slice.view(sum, whole), samples));
    }
    return true;
  }

  /** Discards all data of incomplete rounds. */
  void rollBack() {
    early.forEach(Message::release);
    early.clear();
    reset();
  }

  private void reset() {
    local = Optional.empty();
    summed = 0;
  }
}
