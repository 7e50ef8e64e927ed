package dev.braid.connectors.stream;

import dev.braid.connectors.lineage.Deal;
import dev.braid.learner.Batch;
import dev.braid.learner.OffsetRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/**
 * The batches of a recorded run, read again from its topic. Each worker has its own consumer, which
 * continues where the worker's share does. An instance belongs to one thread.
 */
public final class RecordedBatches implements AutoCloseable {

  private final StreamConfig config;
  private final BatchBuilder.Selection selection;
  private final List<TopicRecords> records = new ArrayList<>();
  private final List<BatchBuilder> builders = new ArrayList<>();

  /**
   * Creates the batches of a run.
   *
   * @param config configuration of the run
   * @param without single offsets whose records are omitted
   */
  public RecordedBatches(StreamConfig config, Collection<OffsetRange> without) {
    this.config = config;
    Set<OffsetRange> all = Set.copyOf(without);
    this.selection =
        all.isEmpty()
            ? (partition, offset) -> true
            : (partition, offset) -> !all.contains(new OffsetRange(partition, offset, offset + 1));
  }

  /**
   * Reads the batches of a round.
   *
   * @param deal the deal that contains the round
   * @return one batch for each worker
   * @throws dev.braid.connectors.file.InvalidDataException if the topic no longer has the records
   */
  public List<Batch> round(Deal deal, long round) throws InterruptedException {
    while (builders.size() < deal.workers()) {
      records.add(new TopicRecords(config, new UnregisteredMetricsGroup()));
      builders.add(new BatchBuilder(config, deal.batchSize(), selection, (record, reason) -> {}));
    }
    List<Batch> batches = new ArrayList<>();
    for (int worker = 0; worker < deal.workers(); worker++) {
      List<OffsetRange> offsets = deal.batch(worker, round);
      batches.add(builders.get(worker).batch(round, offsets, records.get(worker).read(offsets)));
    }
    return batches;
  }

  /** Returns the offset of each sample of a worker's batch in the last round, in order. */
  public List<OffsetRange> samples(int worker) {
    return builders.get(worker).samples();
  }

  @Override
  public void close() {
    records.forEach(TopicRecords::close);
  }
}
