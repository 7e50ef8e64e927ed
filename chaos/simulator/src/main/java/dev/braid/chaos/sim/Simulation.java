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
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.runner.ExchangeFactory;
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
 * reads those of a file), and a {@code FaultPlan} decides their effects, as in the job. Times are
 * counted from the start of the run.
 *
 * <p>Ranks are those of a Flink job: the same trainer, hold protocol and coordinator. After a crash
 * all ranks resume from the last complete checkpoint. After some checkpoints they do so without a
 * crash.
 *
 * <p>Every rank computes a gradient whenever its exchange permits it, and contributes it when the
 * compute time has passed. It continues until all ranks have completed the given number of rounds
 * and no message is in flight. The run does not wait for later deadlines.
 *
 * @param exchange creates the exchange of each rank
 * @param options options of the exchange
 * @param ranks number of ranks
 * @param length number of elements of the vector
 * @param chunkLength maximum number of elements in a message
 * @param bytesPerElement bytes of an element on the wire
 * @param rounds number of rounds that every rank has to complete
 * @param epochs epochs, and what happens at their ends
 * @param format format of the states that ranks write into checkpoints
 * @param parts checkpoint that ranks resume from, as {@link #runUntilSaved} returns it; empty for a
 *     run from the beginning
 * @param firstBatches first batch of each worker, if ranks resume from parts
 * @param seed seed of links, of the moments of resuming, and of all that is not given
 * @param links creates the links of a run from its seed
 * @param shape shape of each rank's line to the network, in addition to the links
 * @param faults faults of links and ranks: events as a Flink job takes them
 * @param stalls times when ranks stall
 * @param computeTime compute times of gradients
 * @param gradients gradients that ranks compute
 * @param updater converts gradients to steps of the model
 * @param check creates the check that watches the updates of a run
 * @param checkpointsAfterEvents numbers of events after which a checkpoint begins
 * @param checkpointIntervalNanos time between other checkpoints, in nanoseconds; 0 for none
 * @param disturbances rates of disturbances of checkpoints and ranks
 * @param crashesAfterEvents numbers of events after which all ranks crash
 * @param tampering plants a mistake in a run, for tests that show that it is found
 * @param maxEvents maximum number of events before the run counts as endless
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
    Disturbances disturbances,
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

  /**
   * Returns a builder for an exchange among this many ranks over a vector of this length; all other
   * settings have defaults.
   */
  public static Builder of(ExchangeFactory exchange, int ranks, int length) {
    return new Builder(exchange, ranks, length);
  }

  /**
   * Returns the number of ranks that compute, which are the first ones; the rest are dedicated
   * servers.
   */
  public int workers() {
    return options.roles(ranks).workers();
  }

  /**
   * Runs the simulation.
   *
   * @throws SimulationFailure if ranks are stuck or continue without end, if an exchange throws, or
   *     if an update is wrong
   */
  public SimulationResult run() {
    return new SimulationRun(this).run();
  }

  /**
   * Runs the simulation until this many checkpoints are complete.
   *
   * @return what ranks have written into the last one; empty if the run ends before
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

  /** Collects the settings of a simulation. */
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
    private Disturbances disturbances = Disturbances.USUAL;
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

    /** Sets the options of the exchange; default: those of a user who chooses nothing. */
    public Builder options(ExchangeOptions chosen) {
      options = chosen;
      return this;
    }

    /** Sets the maximum number of elements in a message; default: the whole vector. */
    public Builder chunkLength(int elements) {
      chunkLength = elements;
      return this;
    }

    /**
     * Sets the bytes of an element on the wire; default: 4. A larger number lets a short vector
     * stand for a long one.
     */
    public Builder bytesPerElement(double bytes) {
      bytesPerElement = bytes;
      return this;
    }

    /** Sets the number of rounds; default: 1. */
    public Builder rounds(int count) {
      rounds = count;
      return this;
    }

    /** Sets the epochs; default: none. */
    public Builder epochs(Epochs ofRun) {
      epochs = ofRun;
      return this;
    }

    /**
     * Sets the format of states; default: a format without states, which ranks of the same run can
     * read.
     */
    public Builder format(StateFormat ofExchange) {
      format = ofExchange;
      return this;
    }

    /**
     * Lets ranks resume from a checkpoint of another run; default: none.
     *
     * @param batches first batch of each worker
     */
    public Builder from(List<byte[]> saved, long... batches) {
      parts = saved;
      firstBatches = batches.clone();
      return this;
    }

    /** Sets the seed; default: 0. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /**
     * Sets the links; default: sound links with latencies of 10 µs to 2 ms and bandwidths up to 1
     * GB/s.
     */
    public Builder links(LongFunction<LinkModel> fromSeed) {
      links = fromSeed;
      return this;
    }

    /** Sets the shape of each rank's line; default: unlimited lines. */
    public Builder shape(LinkShape lines) {
      shape = Optional.of(lines);
      return this;
    }

    /** Sets the faults; default: none. */
    public Builder faults(List<ChaosEvent> events) {
      faults = events;
      return this;
    }

    /** Sets the stalls; default: none. */
    public Builder stalls(Stalls ofRanks) {
      stalls = ofRanks;
      return this;
    }

    /** Sets the compute time; default: one millisecond. */
    public Builder computeTime(ComputeTime time) {
      computeTime = time;
      return this;
    }

    /** Sets the gradients; default: whole numbers, with one sample for each rank and round. */
    public Builder gradients(Gradients source) {
      gradients = source;
      return this;
    }

    /** Sets the updater; default: a step of length 1 along the mean gradient. */
    public Builder updater(Updater ofAll) {
      updater = ofAll;
      return this;
    }

    /** Sets the check; default: none. */
    public Builder check(Supplier<UpdateCheck> ofRun) {
      check = ofRun;
      return this;
    }

    /** Sets the numbers of events after which a checkpoint begins; default: none. */
    public Builder checkpointsAfterEvents(long... events) {
      checkpointsAfterEvents = events.clone();
      return this;
    }

    /** Sets the time between checkpoints, in nanoseconds; default: never. */
    public Builder checkpointEveryNanos(long nanos) {
      checkpointIntervalNanos = nanos;
      return this;
    }

    /** Sets the rates of disturbances of checkpoints and ranks; default: the usual ones. */
    public Builder disturbances(Disturbances rates) {
      disturbances = rates;
      return this;
    }

    /** Sets the numbers of events after which all ranks crash; default: none. */
    public Builder crashesAfterEvents(long... events) {
      crashesAfterEvents = events.clone();
      return this;
    }

    /** Sets the planted mistake; default: none. */
    public Builder tampering(Supplier<? extends Tampering> ofRun) {
      tampering = ofRun;
      return this;
    }

    /** Sets the maximum number of events; default: a hundred million. */
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
          disturbances,
          crashesAfterEvents,
          tampering,
          maxEvents);
    }
  }
}
