package dev.braid.connectors.source;

import dev.braid.connectors.DataChecksums;
import dev.braid.connectors.DataLocation;
import dev.braid.learner.Batch;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A data set as batches for training, epoch after epoch, shared by the workers.
 *
 * <p>Each epoch goes through all samples in an order drawn from the seed and the epoch; reader i of
 * n takes the i-th of n contiguous parts of it, whose lengths differ by at most one, in batches;
 * the last one may be smaller. All readers emit the same number of batches in an epoch, the last
 * with {@code lastOfEpoch}: a reader whose part is used up emits empty ones. Then it goes on with
 * the next epoch by itself.
 *
 * <p>The worker must be chained behind the source, in the same task, and opens a {@link
 * dev.braid.loop.SourceGate} for its task attempt before the source's reader starts: a batch is
 * emitted only against its credit, and the input ends only when it says so.
 *
 * <p>Each sample is used exactly once in an epoch, across failures: a checkpoint has the position
 * of the oldest batch that the worker has not used up. Restored with as many workers, the source
 * emits the same batches as without the failure; with more or fewer, or {@linkplain #paced at
 * another pace}, what is left of each epoch is cut anew, in the same way each time.
 */
public final class SampleSource
    implements Source<Batch, ShardSplit, EnumeratorState>,
        SupportsSplitReassignmentOnRecovery,
        ResultTypeQueryable<Batch> {

  /** As a batch size: all samples of a worker's share, so that an epoch is one round. */
  public static final int ALL = Integer.MAX_VALUE;

  private static final String JOB_ID_VARIABLE = "<job_id>";
  private static final String ATTEMPT_ID_VARIABLE = "<task_attempt_id>";

  private final DataLocation location;
  private final int samples;
  private final long seed;
  private final int epochs;
  private final int batchSize;
  private final int idleReaders;
  private final String pace;
  private final RoundSharing sharing;
  private final Holdout holdout;

  /** Checksums of the data when the job was made; null, as it is serialized, if not compared. */
  @Nullable private final DataChecksums checksums;

  /** Whether a checkpoint of samples with other checksums is accepted. */
  private final boolean acceptsOthers;

  /** A source whose readers all have a share. */
  public SampleSource(DataLocation location, int samples, long seed, int epochs, int batchSize) {
    this(location, samples, seed, epochs, batchSize, 0);
  }

  /**
   * @param location where the data is; every machine that runs a worker can read it
   * @param samples how many samples to train with it has, as {@link DataLocation#check} says; the
   *     readers hold the data against it
   * @param seed decides the order of the samples in each epoch
   * @param epochs how many times to go through the data; at least 1
   * @param batchSize samples of a worker's batch; at least 1, or {@link #ALL}
   * @param idleReaders how many readers, the last ones, have no share: those of ranks that compute
   *     nothing
   */
  public SampleSource(
      DataLocation location, int samples, long seed, int epochs, int batchSize, int idleReaders) {
    this(
        location,
        samples,
        seed,
        epochs,
        batchSize,
        idleReaders,
        "",
        RoundSharing.NONE,
        Holdout.none(samples),
        null,
        false);
  }

  private SampleSource(
      DataLocation location,
      int samples,
      long seed,
      int epochs,
      int batchSize,
      int idleReaders,
      String pace,
      RoundSharing sharing,
      Holdout holdout,
      @Nullable DataChecksums checksums,
      boolean acceptsOthers) {
    if (samples < 1 || epochs < 1 || batchSize < 1) {
      throw new IllegalArgumentException(
          samples
              + " samples, "
              + epochs
              + " epochs in batches of "
              + batchSize
              + ": 1 is the least of each");
    }
    this.location = location;
    this.samples = samples;
    this.seed = seed;
    this.epochs = epochs;
    this.batchSize = batchSize;
    this.idleReaders = idleReaders;
    this.pace = pace;
    this.sharing = sharing;
    this.holdout = holdout;
    this.checksums = checksums;
    this.acceptsOthers = acceptsOthers;
  }

  /**
   * Returns the same source without the samples that are held out for validation.
   *
   * @param heldOut leaves as many samples to train with as this source has
   */
  public SampleSource without(Holdout heldOut) {
    return with(pace, sharing, heldOut, checksums, acceptsOthers);
  }

  private SampleSource with(
      String itsPace,
      RoundSharing itsSharing,
      Holdout itsHoldout,
      @Nullable DataChecksums itsChecksums,
      boolean itAcceptsOthers) {
    return new SampleSource(
        location,
        samples,
        seed,
        epochs,
        batchSize,
        idleReaders,
        itsPace,
        itsSharing,
        itsHoldout,
        itsChecksums,
        itAcceptsOthers);
  }

  /**
   * Returns the same source, which compares the data to what it was when the job was made, and to
   * what it was at the checkpoint.
   *
   * @param acceptsOtherSamples whether a checkpoint of other samples is accepted
   */
  public SampleSource checked(DataChecksums sums, boolean acceptsOtherSamples) {
    return with(pace, sharing, holdout, sums, acceptsOtherSamples);
  }

  /**
   * The same source, for workers that something keeps together, or does not: readers that are
   * restored at another pace, and are not all at the same batch, do not go on where they were, but
   * share what is left, so that all have equally much.
   *
   * @param name what decides which worker is how far
   */
  public SampleSource paced(String name) {
    return with(name, sharing, holdout, checksums, acceptsOthers);
  }

  /**
   * The same source, for workers that may compute samples of each other's shares: each round has
   * the samples that it would have otherwise, and a worker's batch has those that it computes of
   * them.
   */
  public SampleSource shared(RoundSharing rounds) {
    return with(pace, rounds, holdout, checksums, acceptsOthers);
  }

  /** How many batches each of so many workers has of an epoch, from its beginning. */
  public static int batchesPerEpoch(int samples, int workers, int batchSize) {
    return ShardSplit.batches(samples, workers, batchSize);
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SourceReader<Batch, ShardSplit> createReader(SourceReaderContext context) {
    Map<String, String> variables = context.metricGroup().getAllVariables();
    int workers = context.currentParallelism() - idleReaders;
    int reader = context.getIndexOfSubtask();
    return new SampleReader(
        location,
        holdout,
        Optional.ofNullable(checksums),
        plan(),
        seed,
        variables.get(JOB_ID_VARIABLE),
        variables.get(ATTEMPT_ID_VARIABLE),
        reader >= workers,
        CodedRounds.of(sharing, workers, reader));
  }

  @Override
  public SplitEnumerator<ShardSplit, EnumeratorState> createEnumerator(
      SplitEnumeratorContext<ShardSplit> context) {
    return new ShardEnumerator(
        context, plan(), fresh(), idleReaders, sharing, Optional.empty(), Optional.empty());
  }

  /**
   * {@inheritDoc}
   *
   * <p>An enumerator whose start fails, if the checkpoint is of other data or another seed: its
   * positions would mean other samples. To fail here would be too early: Flink does not end a job
   * that fails before it runs, which then hangs.
   */
  @Override
  public SplitEnumerator<ShardSplit, EnumeratorState> restoreEnumerator(
      SplitEnumeratorContext<ShardSplit> context, EnumeratorState checkpoint) {
    return new ShardEnumerator(
        context,
        plan(),
        fresh(),
        idleReaders,
        sharing,
        Optional.of(checkpoint),
        checkpoint.unreadable().or(() -> mistake(checkpoint)));
  }

  private Optional<String> mistake(EnumeratorState checkpoint) {
    return checkpoint
        .difference(fresh(), location.place(), acceptsOthers)
        .map(difference -> location.place() + ": the checkpoint was " + difference);
  }

  /** The state of an enumerator that has dealt no shares. */
  public EnumeratorState fresh() {
    return new EnumeratorState(
        samples,
        holdout.held(),
        location.fingerprint(),
        seed,
        false,
        pace,
        checksums == null ? "" : checksums.toString());
  }

  @Override
  public SimpleVersionedSerializer<ShardSplit> getSplitSerializer() {
    return new ShardSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<EnumeratorState> getEnumeratorCheckpointSerializer() {
    return new EnumeratorState.Serializer();
  }

  @Override
  public TypeInformation<Batch> getProducedType() {
    return BatchSerializer.TYPE;
  }

  private ShardPlan plan() {
    return new ShardPlan(samples, batchSize, epochs);
  }
}
