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
 * <p>Each epoch goes through all samples in an order determined by the seed and the epoch. Reader i
 * of n takes the i-th of n contiguous parts of this order, whose lengths differ by at most one, in
 * batches; the last batch may be smaller. All readers emit the same number of batches in an epoch,
 * the last with {@code lastOfEpoch}: a reader whose part is used up emits empty batches. Then the
 * source continues with the next epoch.
 *
 * <p>The worker must be chained to the source, in the same task. It opens a {@link
 * dev.braid.loop.SourceGate} for its task attempt before the source's reader starts. A batch is
 * emitted only against a credit of this gate, and the input ends only when the gate says so.
 *
 * <p>Each sample is used exactly once in an epoch, across failures: a checkpoint contains the
 * position of the oldest batch that the worker has not used up. Restored with the same number of
 * workers, the source emits the same batches as without the failure. With another number, or
 * {@linkplain #paced at another pace}, the rest of each epoch is divided again, in the same way
 * each time.
 */
public final class SampleSource
    implements Source<Batch, ShardSplit, EnumeratorState>,
        SupportsSplitReassignmentOnRecovery,
        ResultTypeQueryable<Batch> {

  /** Batch size for all samples of a worker's share, so that an epoch is one round. */
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

  /**
   * Checksums of the data when the job was created; null if not compared, because an Optional is
   * not serializable.
   */
  @Nullable private final DataChecksums checksums;

  /** Whether a checkpoint of samples with other checksums is accepted. */
  private final boolean acceptsOthers;

  /** Creates a source whose readers all have a share. */
  public SampleSource(DataLocation location, int samples, long seed, int epochs, int batchSize) {
    this(location, samples, seed, epochs, batchSize, 0);
  }

  /**
   * @param location location of the data, which every machine that runs a worker can read
   * @param samples number of training samples, as {@link DataLocation#check} returns it; the
   *     readers compare the data with it
   * @param seed determines the order of the samples in each epoch
   * @param epochs number of passes through the data; at least 1
   * @param batchSize samples of a worker's batch; at least 1, or {@link #ALL}
   * @param idleReaders number of readers, the last ones, that have no share: those of ranks that do
   *     not compute
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
   * Returns this source without the samples that are held out for validation.
   *
   * @param heldOut must leave as many training samples as this source has
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
   * Returns this source with a comparison of the data to its state when the job was created, and to
   * its state at the checkpoint.
   *
   * @param acceptsOtherSamples whether a checkpoint of other samples is accepted
   */
  public SampleSource checked(DataChecksums sums, boolean acceptsOtherSamples) {
    return with(pace, sharing, holdout, sums, acceptsOtherSamples);
  }

  /**
   * Returns this source for workers of a given pace. Readers that are restored at another pace, and
   * are not all at the same batch, do not continue where they were. Instead they share the
   * remaining samples equally.
   *
   * @param name name of what decides how far each worker is
   */
  public SampleSource paced(String name) {
    return with(name, sharing, holdout, checksums, acceptsOthers);
  }

  /**
   * Returns this source for workers that may compute samples of each other's shares. Each round has
   * the same samples as without sharing, and a worker's batch contains those that the worker
   * computes.
   */
  public SampleSource shared(RoundSharing rounds) {
    return with(pace, rounds, holdout, checksums, acceptsOthers);
  }

  /** Returns the number of batches of each worker in an epoch, from its beginning. */
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
   * <p>If the checkpoint has other data or another seed, the start of the returned enumerator
   * fails, because the positions would refer to other samples. Throwing an exception here would be
   * too early: Flink does not end a job that fails before it runs, so that the job hangs.
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

  /** Returns the state of an enumerator that has not dealt shares. */
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
