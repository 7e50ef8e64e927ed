package dev.braid.chaos.sim;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Message;
import dev.braid.exchange.Update;
import dev.braid.exchange.Update.GradientSum;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What exchanges promise in which ranks send their gradients to each other asynchronously: every
 * gradient reaches every replica exactly once, soon.
 *
 * <p>For gradients whose sums are exact in any order. Per element and pair of ranks it is known
 * what the one has got from the other; and
 *
 * <ul>
 *   <li>after a message of round r it is, over the message's range, the sum of the sender's first
 *       gradients, up to round r, or to a round before that by no more than is allowed: nothing
 *       lost, nothing twice;
 *   <li>at the first message of round r no element lacks more than the latest gradients, as many as
 *       are allowed;
 *   <li>when all is quiet it is all that the sender has computed: computed = applied;
 *   <li>no rank contributes while it is ahead of the slowest by more than the staleness bound.
 * </ul>
 */
public final class GradientDelivery implements UpdateCheck {

  private final int ranks;
  private final int length;
  private final int roundsKept;
  private final int roundsUntilDelivered;
  private final long stalenessBound;

  /** By rank and round: the sum of its gradients before that round. */
  private final List<List<float[]>> computed;

  /** By receiver and sender: the sum of what was applied. */
  private final float[][][] applied;

  /** By receiver and sender: the latest round of which a message has come. */
  private final long[][] latest;

  /** By receiver: what it is given. */
  private final List<Deliveries> deliveries;

  /**
   * Checks a run.
   *
   * @param roundsKept how many of the latest gradients a message may leave out
   * @param roundsUntilDelivered after how many rounds of its sender a gradient has reached all
   * @param stalenessBound by how many gradients a rank may be ahead when it begins another
   */
  public GradientDelivery(
      int ranks, int length, int roundsKept, int roundsUntilDelivered, long stalenessBound) {
    this.ranks = ranks;
    this.length = length;
    this.roundsKept = roundsKept;
    this.roundsUntilDelivered = roundsUntilDelivered;
    this.stalenessBound = stalenessBound;
    this.applied = new float[ranks][ranks][length];
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
          "rank %d contributes to round %d while the slowest has computed %d gradients, more than %d fewer"
              .formatted(rank, contribution.round(), slowest, stalenessBound));
    }
    float[] sum = computed.get(rank).get((int) contribution.round()).clone();
    for (int i = 0; i < length; i++) {
      sum[i] += contribution.gradient()[i];
    }
    computed.get(rank).add(sum);
    deliveries.get(rank).none();
  }

  private long rounds(int rank) {
    return computed.get(rank).size() - 1L;
  }

  @Override
  public void receiving(int rank, Message message) {
    // No update came of what is left: nobody else would look at it.
    while (nextGradient(rank).isPresent()) {}
    deliveries.get(rank).arrive(message);
  }

  /** The next gradient that the rank is given; nothing that came before it may be missing then. */
  private Optional<Message> nextGradient(int rank) {
    Optional<Message> next = deliveries.get(rank).next();
    while (next.isPresent() && next.get().kind() != Message.Kind.GRADIENT) {
      next = deliveries.get(rank).next();
    }
    next.ifPresent(message -> checkNotLate(rank, message.from(), message.round()));
    return next;
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
    if (isSumOf(applied[rank][from][element], from, element, oldest, round)) {
      return;
    }
    throw new IllegalStateException(
        "rank %d has at element %d not all of the gradients of rank %d before round %d, when round %d comes"
            .formatted(rank, element, from, oldest, round));
  }

  /** Whether it is the sum of the first gradients, at least so many and at most so many. */
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
    int from = message.map(Message::from).orElse(rank);
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
  public void completed(int rank, long round) {}

  @Override
  public void quiet() {
    for (int rank = 0; rank < ranks; rank++) {
      for (int from = 0; from < ranks; from++) {
        check(rank, from, Range.ofLength(length), rounds(from), 0);
      }
      deliveries.get(rank).restart();
    }
  }
}
