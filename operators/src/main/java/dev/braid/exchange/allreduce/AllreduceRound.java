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
 * What every synchronous allreduce has in common: one round after the other, the rank's own
 * gradient, the sum as far as it is known, and the messages that came too early.
 *
 * <p>A rank may be one round ahead of its neighbours, never two, as no round completes without a
 * contribution of every rank. So a message that is not for the round under way is for the next one
 * and waits.
 *
 * <p>The sum is built beside the gradient and not in its place: after a roll-back the gradient is
 * contributed again as it was.
 */
final class AllreduceRound {

  private final Range whole;

  /** Whether this rank is the only one, whose gradient is the sum. */
  private final boolean isAlone;

  /** Used in turn. */
  private final float[][] sums;

  private final ArrayDeque<Message> early = new ArrayDeque<>();

  private Optional<Contribution> local = Optional.empty();
  private long completed;
  private int summed;
  private long samples;

  /**
   * With several arrays for the sum, used in turn. An operation that sends a view of the sum may
   * write it again only after its receiver has had it: where a rank's operations of the next round
   * begin without waiting for all that it sends to, two are needed.
   */
  AllreduceRound(ExchangeConfig config, int arrays) {
    this.whole = Range.ofLength(config.length());
    this.isAlone = config.ranks() == 1;
    this.sums = new float[arrays][config.length()];
    this.completed = config.completedRounds();
  }

  /** How many rounds are complete. */
  long completed() {
    return completed;
  }

  /** Whether this rank has contributed to the round under way. */
  boolean underWay() {
    return local.isPresent();
  }

  /** This rank's contribution to the next round. */
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

  /** Keeps a message back if it is too early for this rank; true if it was kept. */
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

  /** The oldest message that is early no longer. */
  Optional<Message> nextDue() {
    Message head = early.peek();
    return head != null && underWay() && head.round() == completed
        ? Optional.of(early.remove())
        : Optional.empty();
  }

  /**
   * One of the arrays for the sum; the exchange writes each range once and then marks it as final.
   */
  float[] sum(int array) {
    return sums[array];
  }

  /** Which of the arrays the round under way, or the next, has. */
  int array() {
    return (int) (completed % sums.length);
  }

  /** The part of the sum over this range is final, over this many samples. */
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

  /** Whether a part of the sum is final: then all ranks have contributed to the round. */
  boolean isPartlyFinal() {
    return summed > 0;
  }

  /**
   * Ends the round, if the sum is complete.
   *
   * @param step takes the sum
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

  /** Forgets what belongs to rounds that are not complete. */
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
