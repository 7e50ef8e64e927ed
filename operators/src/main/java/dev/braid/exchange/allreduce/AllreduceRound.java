package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayDeque;
import java.util.Optional;

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
  private final float[] sum;
  private final ArrayDeque<Message> early = new ArrayDeque<>();

  private Optional<Contribution> local = Optional.empty();
  private long completed;
  private int summed;
  private long samples;

  AllreduceRound(ExchangeConfig config) {
    this.whole = Range.ofLength(config.length());
    this.sum = new float[config.length()];
    this.completed = config.completedRounds();
  }

  long completed() {
    return completed;
  }

  /** Whether this rank has contributed to the round under way. */
  boolean underWay() {
    return local.isPresent();
  }

  void begin(Contribution contribution) {
    if (underWay() || contribution.round() != completed) {
      throw new IllegalStateException(
          "contribution to round "
              + contribution.round()
              + " while round "
              + completed
              + (underWay() ? " is under way" : " is next"));
    }
    if (contribution.gradient().length != sum.length) {
      throw new IllegalArgumentException(
          "gradient of "
              + contribution.gradient().length
              + " elements for a vector of "
              + sum.length);
    }
    local = Optional.of(contribution);
  }

  /** This rank's contribution to the round under way. */
  Contribution local() {
    return local.orElseThrow();
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

  /** The array for the sum; the exchange writes each range once and then marks it as final. */
  float[] sum() {
    return sum;
  }

  /** The part of the sum over this range is final, over this many samples. */
  void markFinal(Range range, long rangeSamples) {
    if (summed == 0) {
      samples = rangeSamples;
    } else if (samples != rangeSamples) {
      throw new IllegalStateException(
          "round "
              + completed
              + " sums "
              + samples
              + " samples, but "
              + rangeSamples
              + " over "
              + range);
    }
    summed += range.length();
  }

  /** Ends the round and hands its sum over, if the sum is complete. */
  boolean finish(Port port) {
    if (summed < sum.length) {
      return false;
    }
    reset();
    completed++;
    // A round in which no rank had a sample left changes nothing.
    if (samples > 0) {
      port.update(new Update.GradientSum(whole, Slice.view(sum, whole), samples));
    }
    return true;
  }

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
