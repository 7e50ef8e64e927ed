package dev.braid.chaos.sim.check;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Update;
import dev.braid.exchange.Update.GradientSum;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Share.Missed;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Checks the guarantee of exchanges in which ranks send their gradients to each other
 * asynchronously: every gradient reaches every replica exactly once, after a bounded delay.
 *
 * <p>Gradients must have sums that are exact in any order. For each element and pair of ranks, the
 * check knows the sum that the receiver has got from the sender:
 *
 * <ul>
 *   <li>Values that are sent to be held back for a while count when they come, and the steps that
 *       follow equal them.
 *   <li>After a message of round r, the sum over the message's range is that of the sender's first
 *       gradients, up to round r or an earlier round within the allowed distance: nothing is lost,
 *       and nothing counts twice.
 *   <li>The same applies to values that a peer had missed; but other elements may then lack earlier
 *       gradients.
 *   <li>At any other first message of round r, no element lacks more than the allowed number of
 *       latest gradients.
 *   <li>When all ranks are quiet, the sum is that of all gradients that the sender has computed:
 *       computed = applied.
 *   <li>No rank contributes while it is ahead of the slowest by more than the staleness bound.
 * </ul>
 */
public final class GradientDelivery implements UpdateCheck {

  private final int ranks;
  private final int length;
  private final int roundsKept;
  private final int roundsUntilDelivered;
  private final long stalenessBound;

  /** Sum of each rank's gradients before each round, by rank and round. */
  private final List<List<float[]>> computed;

  /** Sum of the values that were applied, by receiver and sender. */
  private final float[][][] applied;

  /** Latest round of which a message has come, by receiver and sender. */
  private final long[][] latest;

  /**
   * Values that each receiver holds back, and the number of gradients that it had computed when
   * they came.
   */
  private final float[][] held;

  private final long[] heldSince;

  /** Whether each rank has contributed a gradient and not taken the step along it. */
  private final boolean[] ownStepIsDue;

  /** Whether each rank has signalled that it has no more contributions and holds nothing back. */
  private final boolean[] ended;

  /** Messages that each receiver gets. */
  private final List<Deliveries> deliveries;

  /**
   * Creates the check of a run.
   *
   * @param roundsKept maximum number of latest gradients that a message may leave out
   * @param roundsUntilDelivered number of rounds of its sender after which a gradient has reached
   *     all
   * @param stalenessBound maximum number of gradients by which a rank may be ahead when it begins
   *     another
   */
  public GradientDelivery(
      int ranks, int length, int roundsKept, int roundsUntilDelivered, long stalenessBound) {
    this.ranks = ranks;
    this.length = length;
    this.roundsKept = roundsKept;
    this.roundsUntilDelivered = roundsUntilDelivered;
    this.stalenessBound = stalenessBound;
    this.applied = new float[ranks][ranks][length];
    this.held = new float[ranks][length];
    this.heldSince = new long[ranks];
    this.ownStepIsDue = new boolean[ranks];
    this.ended = new boolean[ranks];
    this.latest = new long[ranks][ranks];
    this.computed = new ArrayList<>();
    this.deliveries = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      computed.add(new ArrayList<>(List.of(new float[length])));
      deliveries.add(new Deliveries());
      Arrays.fill(latest[rank], -1);
    }
  }

  @Override
  public void contributing(int rank, Contribution contribution) {
    long slowest = IntStream.range(0, ranks).mapToLong(this::rounds).min().orElseThrow();
    if (contribution.round() > slowest + stalenessBound) {
      throw new IllegalStateException(
          ("rank %d contributes to round %d while the slowest has computed %d gradients: must be "
                  + "at most %d fewer")
              .formatted(rank, contribution.round(), slowest, stalenessBound));
    }
    float[] sum = computed.get(rank).get((int) contribution.round()).clone();
    for (int i = 0; i < length; i++) {
      sum[i] += contribution.gradient()[i];
    }
    checkNotHeldForLong(rank);
    computed.get(rank).add(sum);
    ownStepIsDue[rank] = contribution.samples() > 0;
    noMoreUpdates(rank);
  }

  private void checkNotHeldForLong(int rank) {
    if (rounds(rank) > heldSince[rank] + roundsUntilDelivered + 1 && !isZero(held[rank])) {
      throw new IllegalStateException(
          "rank %d holds back at its gradient %d values that had arrived at its gradient %d"
              .formatted(rank, rounds(rank), heldSince[rank]));
    }
  }

  private static boolean isZero(float[] vector) {
    return IntStream.range(0, vector.length).allMatch(i -> vector[i] == 0);
  }

  private long rounds(int rank) {
    return computed.get(rank).size() - 1L;
  }

  @Override
  public void receiving(int rank, Message message) {
    noMoreUpdates(rank);
    deliveries.get(rank).arrive(isFlushed(message) ? withValuesToKeep(message) : message);
  }

  /** Returns a copy that the check can keep, since the receiver releases the values. */
  private static Message withValuesToKeep(Message message) {
    float[] values = message.payload().dense().toArray();
    return message.withPayload(Payload.of(Slice.view(values, 0, values.length)));
  }

  /** Takes the remaining messages, which no update follows, so that they are checked. */
  private void noMoreUpdates(int rank) {
    while (nextGradient(rank).isPresent()) {}
  }

  private void hold(int rank, Message message) {
    checkNotLate(rank, message.from(), message.round());
    heldSince[rank] = rounds(rank);
    Range range = message.range();
    float[] values = message.payload().dense().toArray();
    for (int i = 0; i < range.length(); i++) {
      held[rank][range.start() + i] += values[i];
      applied[rank][message.from()][range.start() + i] += values[i];
    }
    check(rank, message.from(), range, message.round() + 1, roundsKept);
  }

  private void checkHeld(int rank, GradientSum sum) {
    Range range = sum.range();
    float[] values = sum.values().toArray();
    for (int i = 0; i < range.length(); i++) {
      if (values[i] != held[rank][range.start() + i]) {
        throw new IllegalStateException(
            "rank %d applies %s at element %d, where it holds back %s"
                .formatted(rank, values[i], range.start() + i, held[rank][range.start() + i]));
      }
      held[rank][range.start() + i] = 0;
    }
  }

  @Override
  public void ended(int rank) {
    noMoreUpdates(rank);
    ended[rank] = true;
  }

  /**
   * Returns the next gradient that the rank will apply; nothing earlier may be missing at this
   * point.
   */
  private Optional<Message> nextGradient(int rank) {
    Optional<Message> next = deliveries.get(rank).next();
    while (next.isPresent() && !isAppliedAtOnce(rank, next.get())) {
      if (isFlushed(next.get())) {
        hold(rank, next.get());
      }
      next = deliveries.get(rank).next();
    }
    next.filter(message -> !isMissed(message))
        .ifPresent(message -> checkNotLate(rank, message.from(), message.round()));
    return next;
  }

  private boolean isAppliedAtOnce(int rank, Message message) {
    return isMissed(message)
        || (message.body() instanceof Gradient gradient && (!gradient.flushed() || ended[rank]));
  }

  private static boolean isMissed(Message message) {
    return message.body() instanceof Missed;
  }

  private static boolean isFlushed(Message message) {
    return message.body() instanceof Gradient gradient && gradient.flushed();
  }

  private void checkNotLate(int rank, int from, long round) {
    if (round > latest[rank][from]) {
      latest[rank][from] = round;
      for (int i = 0; i < length; i++) {
        checkNotLate(rank, from, round, i);
      }
    }
  }

  private void checkNotLate(int rank, int from, long round, int element) {
    long oldest = Math.max(0, round - roundsUntilDelivered);
    // The round's own gradient may have come with the missed values.
    if (isSumOf(applied[rank][from][element], from, element, oldest, round + 1)) {
      return;
    }
    throw new IllegalStateException(
        "rank %d lacks at element %d gradients of rank %d before round %d when round %d arrives"
            .formatted(rank, element, from, oldest, round));
  }

  /**
   * Returns whether a value is the sum of the sender's first gradients, for a number within the
   * bounds.
   */
  private boolean isSumOf(float sum, int from, int element, long least, long most) {
    for (long gradients = most; gradients >= least; gradients--) {
      if (computed.get(from).get((int) gradients)[element] == sum) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void updated(int rank, long round, Update update) {
    if (!(update instanceof GradientSum sum)) {
      throw new IllegalStateException("rank " + rank + ": " + update + " is not a gradient sum");
    }
    Optional<Message> message = nextGradient(rank);
    while (message.isPresent() && message.get().range().isEmpty()) {
      message = nextGradient(rank);
    }
    if (message.isEmpty() && !ownStepIsDue[rank]) {
      checkHeld(rank, sum);
      return;
    }
    int from = message.map(Message::from).orElse(rank);
    ownStepIsDue[rank] &= from != rank;
    long ofRound = message.map(Message::round).orElse(round);
    Range range = sum.range();
    float[] values = sum.values().toArray();
    for (int i = 0; i < range.length(); i++) {
      applied[rank][from][range.start() + i] += values[i];
    }
    check(rank, from, range, ofRound + 1, roundsKept);
  }

  private void check(int rank, int from, Range range, long gradients, int lacking) {
    for (int i = range.start(); i < range.end(); i++) {
      float sum = applied[rank][from][i];
      if (!isSumOf(sum, from, i, Math.max(0, gradients - lacking), gradients)) {
        throw new IllegalStateException(
            "rank %d has applied %s at element %d of the first %d gradients of rank %d, not %s"
                .formatted(
                    rank, sum, i, gradients, from, computed.get(from).get((int) gradients)[i]));
      }
    }
  }

  @Override
  public void quiet() {
    for (int rank = 0; rank < ranks; rank++) {
      noMoreUpdates(rank);
      for (int from = 0; from < ranks; from++) {
        check(rank, from, Range.ofLength(length), rounds(from), 0);
      }
    }
  }

  @Override
  public Runnable saved(int rank) {
    int gradients = computed.get(rank).size();
    float[][] all = Arrays.stream(applied[rank]).map(float[]::clone).toArray(float[][]::new);
    long[] rounds = latest[rank].clone();
    return () -> {
      List<float[]> own = computed.get(rank);
      own.subList(gradients, own.size()).clear();
      applied[rank] = Arrays.stream(all).map(float[]::clone).toArray(float[][]::new);
      latest[rank] = rounds.clone();
      heldSince[rank] = 0;
      ownStepIsDue[rank] = false;
    };
  }

  @Override
  public void restored(int rank) {
    deliveries.get(rank).restart();
    // A checkpoint saves the model with what is held back.
    Arrays.fill(held[rank], 0);
    ended[rank] = false;
  }
}
