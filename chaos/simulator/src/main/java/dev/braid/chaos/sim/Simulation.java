package dev.braid.chaos.sim;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Epochs;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.LinkModel;
import dev.braid.chaos.sim.condition.MeanStep;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.condition.Stalls;
import dev.braid.exchange.ExchangeFactory;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.state.StateFormat;
import dev.braid.learner.optimiser.Updater;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * An exchange among n ranks in virtual time: no thread, no clock, all randomness from one seed, so
 * a run can be repeated event by event.
 *
 * <pre>{@code
 * SimulationResult result =
 *     Simulation.of(ExchangeType.RING::create, 8, 407_050)
 *         .rounds(10)
 *         .chunkLength(16_000)
 *         .seed(7)
 *         .links(seed -> SoundLinks.uniform(50_000, 125e6))
 *         .computeTime(ComputeTime.shiftedExponential(7, 100, 10_000, 1e-4))
 *         .build()
 *         .run();
 * }</pre>
 *
 * <p>Faults are the chaos events of a Flink job ({@code Schedule} draws some, {@code EventReader}
 * reads those of a file), and a {@code FaultPlan} decides what they do, as it does there. Times are
 * counted from the start of the run.
 *
 * <p>Ranks are those of a Flink job: the same trainer, hold protocol and coordinator. After a crash
 * all ranks go on from the last complete checkpoint, as they do after some checkpoints without a
 * crash.
 *
 * <p>Every rank computes a gradient whenever its exchange lets it, contributes it when the compute
 * time has passed, and goes on until all ranks have completed the given number of rounds and no
 * message is in flight. Deadlines that are asked for beyond that are not waited for.
 *
 * @param exchange what the ranks run
 * @param options what is chosen of it
 * @param ranks how many there are
 * @param length elements of the vector
 * @param chunkLength elements of a message at most
 * @param bytesPerElement that an element has on the wire
 * @param rounds how many rounds every rank has to complete
 * @param epochs what happens at the ends of epochs
 * @param format of the states that ranks write into checkpoints
 * @param parts the checkpoint that ranks resume from, as {@link #runUntilSaved} returns it; empty
 *     for a run from the beginning
 * @param firstBatches by worker: the batch that it begins with, where ranks resume from parts
 * @param seed for links, for the moments of resuming, and for whatever is not given
 * @param links makes the links of a run from its seed
 * @param shape of each rank's line to the network, on top of the links
 * @param faults what breaks links and slows ranks down, and when: events that a Flink job takes,
 *     too
 * @param stalls when ranks stand still
 * @param computeTime how long gradients take
 * @param gradients what ranks compute
 * @param updater how they become steps of the model
 * @param check makes what watches the updates of a run
 * @param checkpointsAfterEvents after how many events a checkpoint begins
 * @param checkpointIntervalNanos how often one begins besides; 0 for never
 * @param abortedShare share of the checkpoints that are aborted, if they are not over before
 * @param crashedShare share of the checkpoints during which, or soon after, all ranks crash: the
 *     first ten at most
 * @param crashesAfterEvents after how many events all ranks crash
 * @param tampering plants a mistake in a run, for tests that show that it is found
 * @param maxEvents how many events may happen before the run counts as endless
 */
public record Simulation(
    ExchangeFactory exchange,
    ExchangeOptions options,
    int ranks,
    int length,
    int chunkLength,
    double bytesPerElement,
    int rounds,
    Epochs epochs,
    StateFormat format,
    List<byte[]> parts,
    long[] firstBatches,
    long seed,
    LongFunction<LinkModel> links,
    Optional<LinkShape> shape,
    List<ChaosEvent> faults,
    Stalls stalls,
    ComputeTime computeTime,
    Gradients gradients,
    Updater updater,
    Supplier<UpdateCheck> check,
    long[] checkpointsAfterEvents,
    long checkpointIntervalNanos,
    double abortedShare,
    double crashedShare,
    long[] crashesAfterEvents,
    Supplier<? extends Tampering> tampering,
    long maxEvents) {

  public Simulation {
    if (rounds < 1 || maxEvents < 1) {
      throw new IllegalArgumentException(
          "%d rounds in at most %d events: both must be at least 1".formatted(rounds, maxEvents));
    }
    if (ranks < 1 || length < 1 || chunkLength < 1) {
      throw new IllegalArgumentException(
          "%d ranks, vector of %d in chunks of %d: all must be at least 1"
              .formatted(ranks, length, chunkLength));
    }
    faults = checked(faults, ranks);
  }

  private static List<ChaosEvent> checked(List<ChaosEvent> faults, int ranks) {
    for (ChaosEvent fault : faults) {
      try {
        fault.checkFor(ranks);
      } catch (InvalidEventException e) {
        throw new IllegalArgumentException(fault + ": " + e.getMessage(), e);
      }
    }
    return List.copyOf(faults);
  }

  /** An exchange among this many ranks over a vector of this length; the rest has defaults. */
  public static Builder of(ExchangeFactory exchange, int ranks, int length) {
    return new Builder(exchange, ranks, length);
  }

  /** How many ranks compute: the first ones. The rest are dedicated servers. */
  public int workers() {
    return options.roles(ranks).workers();
  }

  /**
   * Runs it.
   *
   * @throws SimulationFailure if ranks are stuck or go on without end, if an exchange throws, or if
   *     an update is wrong
   */
  public SimulationResult run() {
    return new SimulationRun(this).run();
  }

  /**
   * Runs it until so many checkpoints are complete.
   *
   * @return what ranks have written into the last one; empty if the run is over before
   * @throws SimulationFailure as {@link #run}
   */
  public Optional<SavedSimulation> runUntilSaved(int checkpoints) {
    return new SimulationRun(this).runUntilSaved(checkpoints);
  }

  @Override
  public String toString() {
    return "a simulation of %d ranks, %d elements in chunks of %d, %d rounds, seed %d"
        .formatted(ranks, length, chunkLength, rounds, seed);
  }

  /** Collects what a simulation is made of. */
  public static final class Builder {

    private static final long MICROS = 1_000;
    private static final SoundLinks.Bounds LINKS =
        new SoundLinks.Bounds(10 * MICROS, 2_000 * MICROS, 1e6, 1e9, 500 * MICROS);

    private final ExchangeFactory exchange;
    private final int ranks;
    private final int length;
    private ExchangeOptions options;
    private int chunkLength;
    private double bytesPerElement = Float.BYTES;
    private int rounds = 1;
    private Epochs epochs = Epochs.NONE;
    private StateFormat format = new StateFormat("simulated", List.of());
    private List<byte[]> parts = List.of();
    private long[] firstBatches = {};
    private long seed;
    private LongFunction<LinkModel> links = linkSeed -> new SoundLinks(linkSeed, LINKS);
    private Optional<LinkShape> shape = Optional.empty();
    private List<ChaosEvent> faults = List.of();
    private Stalls stalls = Stalls.NONE;
    private ComputeTime computeTime = ComputeTime.constant(1_000 * MICROS);
    private Gradients gradients;
    private Updater updater = MeanStep.INSTANCE;
    private Supplier<UpdateCheck> check = () -> UpdateCheck.NONE;
    private long[] checkpointsAfterEvents = {};
    private long checkpointIntervalNanos;
    private double abortedShare;
    private double crashedShare;
    private long[] crashesAfterEvents = {};
    private Supplier<? extends Tampering> tampering = () -> Tampering.NONE;
    private long maxEvents = 100_000_000;

    private Builder(ExchangeFactory exchange, int ranks, int length) {
      this.exchange = exchange;
      this.ranks = ranks;
      this.length = length;
      this.options = ExchangeOptions.defaults(Math.max(1, ranks));
      this.chunkLength = length;
      this.gradients = Gradients.wholeNumbers(0, length, (rank, round) -> 1);
    }

    /** Default: as for a user who chooses nothing. */
    public Builder options(ExchangeOptions chosen) {
      options = chosen;
      return this;
    }

    /** Default: the whole vector. */
    public Builder chunkLength(int elements) {
      chunkLength = elements;
      return this;
    }

    /** Default: 4. More lets a short vector stand for a long one. */
    public Builder bytesPerElement(double bytes) {
      bytesPerElement = bytes;
      return this;
    }

    /** Default: 1. */
    public Builder rounds(int count) {
      rounds = count;
      return this;
    }

    /** Default: none. */
    public Builder epochs(Epochs ofRun) {
      epochs = ofRun;
      return this;
    }

    /** Default: a format without states, which ranks of the same run can read. */
    public Builder format(StateFormat ofExchange) {
      format = ofExchange;
      return this;
    }

    /**
     * Lets ranks resume from a checkpoint of another run. Default: none.
     *
     * @param batches by worker: the batch that it begins with
     */
    public Builder from(List<byte[]> saved, long... batches) {
      parts = saved;
      firstBatches = batches.clone();
      return this;
    }

    /** Default: 0. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** Default: sound links of all latencies from 10 µs to 2 ms and all bandwidths to 1 GB/s. */
    public Builder links(LongFunction<LinkModel> fromSeed) {
      links = fromSeed;
      return this;
    }

    /** Default: lines that bear whatever there is. */
    public Builder shape(LinkShape lines) {
      shape = Optional.of(lines);
      return this;
    }

    /** Default: none. */
    public Builder faults(List<ChaosEvent> events) {
      faults = events;
      return this;
    }

    /** Default: none. */
    public Builder stalls(Stalls ofRanks) {
      stalls = ofRanks;
      return this;
    }

    /** Default: one millisecond. */
    public Builder computeTime(ComputeTime time) {
      computeTime = time;
      return this;
    }

    /** Default: whole numbers, one sample a rank and round. */
    public Builder gradients(Gradients source) {
      gradients = source;
      return this;
    }

    /** Default: a step of length 1 along the mean gradient. */
    public Builder updater(Updater ofAll) {
      updater = ofAll;
      return this;
    }

    /** Default: none. */
    public Builder check(Supplier<UpdateCheck> ofRun) {
      check = ofRun;
      return this;
    }

    /** Default: none. */
    public Builder checkpointsAfterEvents(long... events) {
      checkpointsAfterEvents = events.clone();
      return this;
    }

    /** Default: never. */
    public Builder checkpointEveryNanos(long nanos) {
      checkpointIntervalNanos = nanos;
      return this;
    }

    /** Default: 0. */
    public Builder abortedCheckpoints(double share) {
      abortedShare = share;
      return this;
    }

    /** Default: 0. */
    public Builder crashedCheckpoints(double share) {
      crashedShare = share;
      return this;
    }

    /** Default: none. */
    public Builder crashesAfterEvents(long... events) {
      crashesAfterEvents = events.clone();
      return this;
    }

    /** Default: none. */
    public Builder tampering(Supplier<? extends Tampering> ofRun) {
      tampering = ofRun;
      return this;
    }

    /** Default: a hundred million. */
    public Builder maxEvents(long events) {
      maxEvents = events;
      return this;
    }

    public Simulation build() {
      return new Simulation(
          exchange,
          options,
          ranks,
          length,
          chunkLength,
          bytesPerElement,
          rounds,
          epochs,
          format,
          parts,
          firstBatches,
          seed,
          links,
          shape,
          faults,
          stalls,
          computeTime,
          gradients,
          updater,
          check,
          checkpointsAfterEvents,
          checkpointIntervalNanos,
          abortedShare,
          crashedShare,
          crashesAfterEvents,
          tampering,
          maxEvents);
    }
  }
}
