package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Sender;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A synchronous allreduce: consecutive rounds, each of which ends with the same sum of all ranks'
 * gradients at every rank. A round takes this rank's contribution, then messages that arrived
 * early, and is complete as soon as its sum is. An algorithm is defined by the {@linkplain Phases
 * operations} of a round.
 *
 * <p>A rank may be one round ahead of its neighbours, but not two, because no round completes
 * without a contribution of every rank. The current round is the one that this rank has contributed
 * to; between rounds there is none. A message that is not for the current round is therefore for
 * the next one, and waits.
 *
 * <p>The sum has its own array and does not overwrite the gradient, because after a rollback the
 * same gradient is contributed again.
 */
public class Allreduce implements Synchronous {

  /** Operations of a single rank, whose gradient is the sum. */
  private static final Algorithm ALONE =
      (all, vector, sums, completion) ->
          new Phases((gradient, samples) -> completion.complete(vector, samples), List.of());

  /** An allreduce algorithm, as a factory of its operations. */
  @FunctionalInterface
  public interface Algorithm {

    /**
     * Creates the operations of a round.
     *
     * @param all communicator of all ranks, in phase 0
     * @param vector the whole vector
     * @param sums output: receives the sum of all ranks' gradients, {@code float[length]}
     * @param completion must be called for each chunk of the sum that is final at this rank
     */
    Phases phases(Communicator all, Range vector, float[] sums, Collective.Completion completion);
  }

  /**
   * The operations of a round.
   *
   * @param start begins the first operation with this rank's gradient and its number of samples
   * @param operations one operation per phase; each begins the next with its finished chunks
   */
  public record Phases(Start start, List<Collective> operations) {

    @FunctionalInterface
    public interface Start {
      void begin(float[] gradient, long samples);
    }

    /**
     * Passes a sum to the operation of its phase.
     *
     * @throws IllegalArgumentException if there is no such phase or the sum lacks its values
     */
    private void receive(int from, Sum sum) {
      if (sum.phase() >= operations.size()) {
        throw new IllegalArgumentException(
            "sum of phase " + sum.phase() + ": must be less than " + operations.size());
      }
      if (sum.payload().length() != sum.range().length()) {
        throw new IllegalArgumentException(
            "sum over " + sum.range() + ": must have one value for each element");
      }
      operations.get(sum.phase()).receive(from, sum);
    }
  }

  private final Range whole;

  /** Whether this rank is the only one, so that its gradient is the sum. */
  private final boolean isAlone;

  private final Consumer<Update.GradientSum> step;

  /** Arrays for the sum, {@code float[length]} each, used in turn. */
  private final float[][] sums;

  /** Operations for each array of the sum. */
  private final List<Phases> phases = new ArrayList<>();

  private final ArrayDeque<Message> early = new ArrayDeque<>();

  /** This rank's contribution to the current round; empty between rounds. */
  private Optional<Contribution> local = Optional.empty();

  private long completed;

  /** Number of elements of the current sum that are final. */
  private int summed;

  /** Number of samples that the final elements sum over. */
  private long samples;

  /**
   * Creates an allreduce that steps the model at the end of each round. If there is only one rank,
   * its gradient is the sum and is not copied.
   */
  public Allreduce(ExchangeConfig config, Port port, Algorithm algorithm) {
    this(config, port, 1, config.ranks() == 1 ? ALONE : algorithm, port::update);
  }

  /**
   * Creates an allreduce that passes the sum of each complete round to a consumer. Its rounds begin
   * after the configured number of complete rounds.
   *
   * <p>The arrays for the sum are used in turn. An operation that sends a view of the sum may
   * overwrite it only after the receiver has it. One array is enough if the operations write only
   * finished sums: a finished sum of the next round contains every rank's contribution, and a rank
   * contributes after it has received the sum of this round. If operations overwrite the array
   * earlier, two arrays are needed.
   *
   * @param sender sends the messages of the operations
   * @param arrays number of arrays for the sum, at least 1
   * @param algorithm creates the operations for each array
   * @param step consumer of the sum of a complete round; not called for a round without samples
   */
  public Allreduce(
      ExchangeConfig config,
      Sender sender,
      int arrays,
      Algorithm algorithm,
      Consumer<Update.GradientSum> step) {
    this.whole = Range.ofLength(config.length());
    this.isAlone = config.ranks() == 1;
    this.step = step;
    this.sums = new float[arrays][config.length()];
    this.completed = config.completedRounds();
    Communicator all =
        Communicator.ofAll(
            config.rank(), config.ranks(), config.chunkLength(), this::completedRounds, sender);
    for (float[] sum : sums) {
      phases.add(algorithm.phases(all, whole, sum, this::markFinal));
    }
  }

  @Override
  public final boolean mayCompute() {
    return local.isEmpty();
  }

  @Override
  public final long completedRounds() {
    return completed;
  }

  /**
   * Begins the next round with this rank's gradient.
   *
   * @throws IllegalStateException if a round is in progress or the contribution is for another one
   * @throws IllegalArgumentException if the gradient's length is not that of the vector
   */
  @Override
  public final void contribute(Contribution contribution) {
    if (!mayCompute() || contribution.round() != completed) {
      throw new IllegalStateException(
          "contribution to round " + contribution.round() + " while " + currentRound());
    }
    if (contribution.gradient().length != whole.length()) {
      throw new IllegalArgumentException(
          "gradient of "
              + contribution.gradient().length
              + " elements: must have "
              + whole.length());
    }
    local = Optional.of(contribution);
    phases.get(array()).start().begin(contribution.gradient(), contribution.samples());
    completeIfSummed();
    while (!early.isEmpty() && isCurrent(early.element())) {
      handle(early.remove());
    }
  }

  /**
   * Handles a message of the current round, or keeps it if it is too early for this rank.
   *
   * @throws IllegalStateException if the message belongs to neither the current nor the next round
   */
  @Override
  public final void receive(Message message) {
    long latest = mayCompute() ? completed : completed + 1;
    if (message.round() < completed || message.round() > latest) {
      throw new IllegalStateException(
          "message of round "
              + message.round()
              + " from rank "
              + message.from()
              + " while "
              + currentRound());
    }
    if (isCurrent(message)) {
      handle(message);
    } else {
      early.add(message);
    }
  }

  /** Returns whether a message is for the round that this rank has contributed to. */
  private boolean isCurrent(Message message) {
    return local.isPresent() && message.round() == completed;
  }

  private void handle(Message message) {
    if (message.body() instanceof Sum sum) {
      phases.get(array()).receive(message.origin(), sum);
    } else {
      throw message.unexpected();
    }
    completeIfSummed();
  }

  private String currentRound() {
    return "round " + completed + (mayCompute() ? " is next" : " is under way");
  }

  /** Returns the index of the array for the current or, between rounds, the next sum. */
  private int array() {
    return (int) (completed % sums.length);
  }

  /**
   * Marks a part of the sum as final.
   *
   * @throws IllegalStateException if other parts of the round sum over another number of samples
   */
  private void markFinal(Range range, long rangeSamples) {
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

  /** Returns whether a part of the current sum is final; all ranks have then contributed to it. */
  protected final boolean isPartlyFinal() {
    return summed > 0;
  }

  private void completeIfSummed() {
    if (summed < whole.length()) {
      return;
    }
    float[] sum = isAlone ? local.orElseThrow().gradient() : sums[array()];
    forgetRound();
    completed++;
    // A round in which no rank had a sample left changes nothing.
    if (samples > 0) {
      step.accept(new Update.GradientSum(whole, Slice.view(sum, whole), samples));
    }
  }

  /** Discards and releases all data of incomplete rounds. */
  @Override
  public void rollBack() {
    phases.forEach(each -> each.operations().forEach(Collective::rollBack));
    early.forEach(Message::release);
    early.clear();
    forgetRound();
  }

  private void forgetRound() {
    local = Optional.empty();
    summed = 0;
  }
}
