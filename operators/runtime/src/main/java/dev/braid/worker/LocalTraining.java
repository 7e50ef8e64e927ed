package dev.braid.worker;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Roles;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Range;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.LossSums;
import dev.braid.worker.report.TestShare;
import dev.braid.worker.state.Replica;
import dev.braid.worker.state.ReplicaPart;
import dev.braid.worker.state.Role;
import dev.braid.worker.state.SavedModel;
import dev.braid.worker.state.SavedPosition;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Trains a model in the calling thread, to the same bits as a job with several workers.
 *
 * <p>Each rank has the same {@link Trainer}, exchange and {@link Model} as in a job. A single queue
 * replaces threads and the network: messages and results are handled one after the other, in the
 * order in which they were sent. Time is virtual. It passes only when nothing else is left to do,
 * so no message is ever late, and the exchange's measurements are always the same.
 *
 * <p>The bits are those of a job with the same configuration, workers and batches, if the exchange
 * is {@linkplain dev.braid.exchange.ExchangeDescriptor#isRepeatable repeatable} with its options.
 * If sums depend on which workers were late in the job, a run here is deterministic but may have
 * other bits. The length of chunks does not change the bits of any of Braid's exchanges.
 *
 * <p>Epochs are not evaluated, and training never stops early. An instance belongs to the thread
 * that created it. After a method other than {@link #save} has thrown an exception other than an
 * {@link IllegalArgumentException}, the instance must not be used.
 */
public final class LocalTraining implements AutoCloseable {

  /**
   * Maximum number of deadlines to wait for, one after the other, before a round is considered
   * stuck.
   */
  private static final int MOST_WAITS = 100_000;

  private static final int POOLED_CHUNKS = 128;

  /**
   * The outcome of a round.
   *
   * @param samples number of samples that the round has used
   * @param lossSum sum of the losses of these samples, before the round's step. A sample whose loss
   *     no rank knows, such as one of a straggler that others stand in for, counts with the mean of
   *     the others; NaN if no loss is known
   */
  public record RoundResult(long samples, double lossSum) {

    private static final RoundResult NONE = new RoundResult(0, 0);

    private RoundResult plus(long moreSamples, double moreLoss) {
      return new RoundResult(
          samples + moreSamples, LossSums.plus(lossSum, samples, moreLoss, moreSamples));
    }
  }

  private final WorkerConfig config;
  private final Roles roles;
  private final Learner learner;
  private final List<Rank> ranks = new ArrayList<>();

  /** Pending work: messages to deliver, and results of the learner to hand over. */
  private final Deque<Runnable> queue = new ArrayDeque<>();

  private final FloatPool pool;
  private long nowNanos;
  private RoundResult result = RoundResult.NONE;

  /**
   * Begins a run.
   *
   * @param config the configuration of every worker; its test set is not opened
   * @param workers number of ranks that compute, at least 1; dedicated servers are additional ranks
   * @throws IllegalArgumentException if the exchange is not synchronous, if measured times decide
   *     which rank computes which samples, or if {@code workers} is less than 1
   * @throws IOException if the model cannot be read
   */
  public static LocalTraining begin(WorkerConfig config, int workers) throws IOException {
    return of(config, workers, List.of());
  }

  /**
   * Continues a run from the state of a checkpoint.
   *
   * @param config the configuration of every worker
   * @param workers number of ranks that compute, at least 1; it may differ from the number in the
   *     checkpoint
   * @param parts the parts that all ranks saved, in any order; they are not changed
   * @throws IllegalArgumentException as in {@link #begin}
   * @throws IOException if parts are missing or do not fit together, or if the model, the optimiser
   *     or the exchange of this run cannot use them
   */
  public static LocalTraining restore(WorkerConfig config, int workers, List<ReplicaPart> parts)
      throws IOException {
    if (parts.isEmpty()) {
      throw new IOException(
          "the checkpoint has no worker's state; the parts of all ranks are needed");
    }
    return of(config, workers, parts);
  }

  private static LocalTraining of(WorkerConfig config, int workers, List<ReplicaPart> parts)
      throws IOException {
    if (!config.exchange().isSynchronous(config.options())) {
      throw new IllegalArgumentException(
          "exchange %s: asynchronous with these options; must be synchronous"
              .formatted(config.exchange()));
    }
    Roles roles = config.options().roles(workers + config.options().dedicatedServers());
    Learner learner = config.model().learner();
    try {
      LocalTraining training = new LocalTraining(config, roles, learner);
      training.start(parts);
      return training;
    } catch (IOException | RuntimeException e) {
      learner.close();
      throw e;
    }
  }

  private LocalTraining(WorkerConfig config, Roles roles, Learner learner) {
    this.config = config;
    this.roles = roles;
    this.learner = learner;
    this.pool = new FloatPool(config.chunkLength(), POOLED_CHUNKS);
  }

  private void start(List<ReplicaPart> parts) throws IOException {
    for (int rank = 0; rank < roles.ranks(); rank++) {
      Role role = new Role(rank, roles, config.options().batch(), config.stateFormat());
      ranks.add(
          new Rank(role, parts.isEmpty() ? Optional.empty() : Optional.of(read(parts, role))));
    }
    if (ranks.get(0).trainer.exchange().planning().isPresent()) {
      throw new IllegalArgumentException(
          "exchange %s: with these options, measured times decide which worker computes which samples; choose a fixed plan"
              .formatted(config.exchange()));
    }
    ranks.forEach(rank -> rank.trainer.begin());
    ranks.stream().filter(rank -> !rank.role.computes()).forEach(rank -> rank.trainer.exhausted());
    handleAll();
  }

  private Replica read(List<ReplicaPart> parts, Role role) throws IOException {
    Replica replica = Replica.of(parts, role);
    String saved = parts.get(0).optimiser();
    String optimiser = config.model().describeOptimiser();
    // Two optimisers may have equally many vectors with different meanings.
    if (!SavedModel.of(parts.get(0)).isOfUpdaterOf(optimiser)) {
      throw new IOException(
          ("the checkpoint's model was trained with %s, but this run's optimiser is %s: must be "
                  + "the same")
              .formatted(saved, optimiser));
    }
    int length = replica.vectors()[0].length;
    if (length != learner.length()) {
      throw new IOException(
          ("the checkpoint's model has %d parameters, but this run's model has %d: must be the "
                  + "same model")
              .formatted(length, learner.length()));
    }
    return replica;
  }

  /**
   * Trains one round.
   *
   * @param batches one for each worker, in the order of ranks; some may be empty
   * @throws IllegalArgumentException if there are more or fewer batches than workers
   * @throws DivergedException if a loss is NaN or infinite
   */
  public RoundResult round(List<Batch> batches) {
    if (batches.size() != roles.workers()) {
      throw new IllegalArgumentException(
          "%d batches for %d workers: must be one for each"
              .formatted(batches.size(), roles.workers()));
    }
    result = RoundResult.NONE;
    long completed = rounds() + 1;
    for (int rank = 0; rank < batches.size(); rank++) {
      ranks.get(rank).trainer.batch(batches.get(rank));
    }
    handleUntil(
        () ->
            ranks.stream()
                .filter(rank -> rank.role.computes())
                .allMatch(rank -> rank.trainer.position().rounds() == completed));
    return result;
  }

  /** Returns the number of ranks that compute. */
  public int workers() {
    return roles.workers();
  }

  /** Returns the number of completed rounds, those before a restore included. */
  public long rounds() {
    return ranks.get(0).trainer.position().rounds();
  }

  /**
   * Returns the weights of rank 0 without copying them: they change with the next round, and the
   * caller must not change them. All ranks have the same weights, except between two averages of an
   * exchange that averages models only now and then.
   */
  public float[] weights() {
    return ranks.get(0).model.weights();
  }

  /** Returns the SHA-256 digest of {@link #weights} as little-endian float32. */
  public byte[] digest() {
    return ranks.get(0).model.digest();
  }

  /**
   * Returns copies of the parts that the ranks would save in a checkpoint at this point, in the
   * order of ranks. Only the sums of the epoch's reports are missing. The run may continue, to the
   * same bits as without this call.
   *
   * @throws IOException if a part is too large for a checkpoint
   */
  public List<ReplicaPart> save() throws IOException {
    ranks.forEach(rank -> rank.trainer.holdable().freeze());
    long last =
        ranks.stream()
            .mapToLong(rank -> rank.trainer.holdable().completedRounds())
            .max()
            .orElseThrow();
    ranks.forEach(rank -> rank.trainer.holdable().holdAfter(last));
    handleUntil(() -> ranks.stream().allMatch(rank -> rank.trainer.holdable().isThrough(last)));
    ranks.forEach(rank -> rank.trainer.holdable().rollBack());
    try {
      List<ReplicaPart> parts = new ArrayList<>();
      for (Rank rank : ranks) {
        parts.add(ReplicaPart.fromBytes(rank.part().toBytes()));
      }
      return List.copyOf(parts);
    } finally {
      ranks.forEach(rank -> rank.trainer.holdable().resume());
      handleAll();
    }
  }

  /**
   * Returns the same run with another number of workers from here on, as after a rescaling. This
   * run is independent of the other one, and must be closed as well.
   *
   * @param workers number of ranks that compute, at least 1
   * @throws IllegalArgumentException if {@code workers} is less than 1
   * @throws IOException if the state is too large for a checkpoint
   */
  public LocalTraining withWorkers(int workers) throws IOException {
    return restore(config, workers, save());
  }

  /** Frees the memory of the model's computation. */
  @Override
  public void close() {
    learner.close();
  }

  // ---- the queue and the clock -----------------------------------------------------------------

  private void handleAll() {
    for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
      next.run();
    }
  }

  private void handleUntil(BooleanSupplier isSo) {
    handleAll();
    for (int waits = 0; !isSo.getAsBoolean(); waits++) {
      Optional<Rank> next =
          ranks.stream()
              .filter(rank -> rank.wakeNanos.isPresent())
              .min(Comparator.comparingLong(rank -> rank.wakeNanos.getAsLong()));
      if (next.isEmpty() || waits == MOST_WAITS) {
        throw new IllegalStateException(
            "after %d waits, the ranks still wait for messages: %s".formatted(waits, ranks));
      }
      next.get().wake();
      handleAll();
    }
  }

  /** One rank, and the host of its trainer. */
  private final class Rank implements TrainerHost {

    private final Role role;
    private final Pace pace;
    private final Model model;
    private final Trainer trainer;
    private OptionalLong wakeNanos = OptionalLong.empty();

    private Rank(Role role, Optional<Replica> restored) throws IOException {
      this.role = role;
      SavedPosition position =
          restored
              .map(Replica::position)
              .orElseGet(() -> SavedPosition.start(config.model().initialSteps()));
      this.pace =
          new Pace(
              config.model().stepsPerEpoch(role.workers()), position.steps(), position.epochs());
      Updater updater = config.model().updater(pace);
      this.model = restored.isPresent() ? model(updater, restored.get()) : model(updater);
      this.trainer =
          new Trainer(
              this,
              config.exchange()::create,
              new ExchangeConfig(
                      role.rank(),
                      roles.ranks(),
                      learner.length(),
                      config.chunkLength(),
                      position.completedRounds(),
                      config.options())
                  .withExact(config.model().statistics()),
              model,
              OptionalInt.empty(),
              position.openEpoch(),
              position.endedEpochs());
      if (restored.isPresent()) {
        trainer.exchange().readStates(restored.get().exchangeStates());
      }
    }

    private Model model(Updater updater) {
      float[] weights;
      if (role.rank() == 0) {
        weights = new float[learner.length()];
        learner.initialWeights(weights);
      } else {
        // Drawing the weights takes longer than copying them. Rank 0 has not begun to train yet.
        weights = ranks.get(0).model.weights().clone();
      }
      float[][] state = config.model().initialUpdaterState(weights.length);
      return new Model(updater, weights, state, config.model().initialSteps());
    }

    private Model model(Updater updater, Replica replica) throws IOException {
      // The arrays may be those of the parts, from which another run may begin, too.
      float[][] vectors =
          Arrays.stream(replica.vectors()).map(float[]::clone).toArray(float[][]::new);
      if (vectors.length != 1 + updater.stateVectors()) {
        throw new IOException(
            ("the checkpoint's optimiser has %d vectors, but this run's optimiser has %d: must be "
                    + "the same")
                .formatted(vectors.length - 1, updater.stateVectors()));
      }
      float[][] state = Arrays.copyOfRange(vectors, 1, vectors.length);
      return new Model(updater, vectors[0], state, replica.position().steps());
    }

    private ReplicaPart part() throws IOException {
      trainer.position().confirm();
      return WorkerOperator.part(
          trainer, role, true, pace::epochs, EpochSums.NONE, config.model().describeOptimiser());
    }

    private void wake() {
      nowNanos = Math.max(nowNanos, wakeNanos.getAsLong());
      wakeNanos = OptionalLong.empty();
      trainer.deadline();
    }

    @Override
    public long nowNanos() {
      return nowNanos;
    }

    @Override
    public void wakeAt(long nanos) {
      wakeNanos = OptionalLong.of(nanos);
    }

    @Override
    public void send(Message message) {
      Message sent = message.withPayload(message.payload().copy(pool::lend));
      queue.add(() -> ranks.get(sent.to()).trainer.receive(sent));
    }

    @Override
    public void computeGradient(
        Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then) {
      double lossSum = OwnGradient.of(learner, () -> true, weights, batch, gradient).lossSum();
      queue.add(() -> then.accept(new GradientResult(lossSum, 0)));
    }

    @Override
    public void evaluate(TestShare share, float[] weights, Consumer<Learner.Score> then) {
      queue.add(() -> then.accept(Learner.Score.NONE));
    }

    @Override
    public void roundDone(CompletedRound round) {
      result = result.plus(round.batch().usedIds().length, round.lossSum());
    }

    @Override
    public void tell(ViewMessage.ToArbiter message) {
      throw unexpected("sends the arbiter of views " + message);
    }

    @Override
    public void askVerdict(VerdictQuestion question) {
      throw unexpected("asks for a verdict");
    }

    @Override
    public void evaluateReplica(float[] weights, Consumer<Learner.Score> then) {
      throw unexpected("evaluates its own replica");
    }

    @Override
    public void finish(RankResult end, Range reported, long completedRounds, boolean leftOut) {
      throw unexpected("hands over its model");
    }

    private IllegalStateException unexpected(String what) {
      return new IllegalStateException(
          "rank %d %s: impossible in a synchronous run without faults"
              .formatted(role.rank(), what));
    }

    @Override
    public void prepare(Batch batch) {}

    @Override
    public void batchTaken() {}

    @Override
    public void roundCounts(CompletedRound round) {}

    @Override
    public void batchDropped(Batch batch) {}

    @Override
    public void entered(View view) {}

    @Override
    public void epochOver(int epoch, long completedRounds, EpochScore score) {}

    @Override
    public void paused(long nanos) {}

    @Override
    public void done(long view, long completedRounds) {}

    @Override
    public String toString() {
      return "rank %d: %s".formatted(role.rank(), trainer);
    }
  }
}
