package dev.braid.connectors.stream;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.stream.StreamEvent.DealtShare;
import dev.braid.connectors.stream.StreamEvent.ModelDigest;
import dev.braid.connectors.stream.StreamEvent.ResumedBehind;
import dev.braid.connectors.topic.TopicOffsets;
import dev.braid.worker.report.BraidMetric;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.FlinkRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deals the offsets of a topic to the readers, round by round, and appends each deal to the lineage
 * before a reader receives it. A {@link Dealer} makes the decisions; this class connects it to
 * Flink.
 *
 * <pre>
 *   begin: lineage, topic        all readers registered, with their positions
 *              └──────────┬──────────────────┘
 *                      resume ─▶ look at the ends ─▶ deal ─▶ append ─▶ send to the readers
 *                                     ▲                                      │
 *                                     └──────────── soon again ◀─────────────┘
 * </pre>
 *
 * <p>Readers have deals for several rounds ahead, so that no round waits for a deal. Requests to
 * brokers and disks run in the context's worker thread; everything else runs in the coordinator's
 * thread.
 *
 * <p>A restored reader reports its position when it registers. In a failover of all readers this
 * enumerator continues, and sends them the deals from their positions on again. In a restored job,
 * a new enumerator has the deals of the checkpoint and of the lineage after it.
 */
final class StreamEnumerator implements SplitEnumerator<StreamPosition, StreamState> {

  private static final Logger LOG = LoggerFactory.getLogger(StreamEnumerator.class);

  private static final String JOB_ID_VARIABLE = "<job_id>";

  private static final long SHORTEST_LOOK_MILLIS = 5;
  private static final long LONGEST_LOOK_MILLIS = 50;

  /** Interval of requests that detect new partitions, and a topic that was created again. */
  private static final Duration DESCRIBED_APART = Duration.ofSeconds(10);

  private final SplitEnumeratorContext<StreamPosition> context;
  private final StreamConfig config;
  private final Optional<StreamState> checkpoint;
  private final Optional<String> mistake;
  private final TopicOffsets topic;
  private final Map<Integer, List<StreamPosition>> givenBack = new HashMap<>();
  private final HeldEvents events = new HeldEvents();
  private Optional<StreamBegin> begun = Optional.empty();
  private Optional<Dealer> dealer = Optional.empty();
  private boolean isAway;

  /** The lineage, once the worker thread has opened it; the coordinator's thread closes it. */
  private volatile Optional<Lineage> opened = Optional.empty();

  private volatile boolean isClosed;

  /** Lock of the thread that uses the dealer after an append, or that ends its use. */
  private final Object closing = new Object();

  private volatile Optional<LineageAppend> appending = Optional.empty();

  /** Number of offsets that were not dealt at the last look; read by other threads for metrics. */
  private volatile long undealt;

  // Used by the worker thread only.

  /** First offsets of partitions that the initial state does not have. */
  private final SortedMap<Integer, Long> added = new TreeMap<>();

  private TopicOffsets.Description described;
  private long describedNanos;

  StreamEnumerator(
      SplitEnumeratorContext<StreamPosition> context,
      StreamConfig config,
      Optional<StreamState> checkpoint,
      Optional<String> mistake) {
    this.context = context;
    this.config = config;
    this.checkpoint = checkpoint;
    this.mistake = mistake;
    this.topic = new TopicOffsets(config.topic());
  }

  /** Current ends of the partitions, and first offsets of partitions that were added. */
  private record Look(SortedMap<Integer, Long> ends, SortedMap<Integer, Long> added) {}

  // ---- beginning -------------------------------------------------------------------------------

  @Override
  public void start() {
    if (mistake.isPresent()) {
      // A restart would fail in the same way.
      throw new SuppressRestartsException(new InvalidDataException(mistake.get()));
    }
    context
        .metricGroup()
        .addGroup(BraidMetric.GROUP)
        .gauge(BraidMetric.UNDEALT_OFFSETS.key(), () -> undealt);
    context.callAsync(this::begin, this::begun);
  }

  /** Opens the run, in the worker thread. */
  private StreamBegin begin() throws IOException {
    described = topic.describe();
    describedNanos = System.nanoTime();
    StreamBegin begin =
        new StreamOpening(config, topic, described, run(), this::opened).begin(checkpoint);
    added.putAll(begin.added());
    return begin;
  }

  private void opened(Lineage lineage) throws IOException {
    opened = Optional.of(lineage);
    if (isClosed) {
      throw new IOException(lineage.place() + ": closed");
    }
  }

  private String run() {
    return context.metricGroup().getAllVariables().getOrDefault(JOB_ID_VARIABLE, "");
  }

  private LineageAppend append(Lineage lineage, List<LineageEntry> lines) {
    return new LineageAppend(lineage, lines, run());
  }

  private void begun(@Nullable StreamBegin begin, @Nullable Throwable failure) {
    failIf(failure);
    begun = Optional.ofNullable(begin);
    resumeIfComplete();
  }

  /**
   * Ends the job for an invalid file or topic, because a restart would not help; restarts it for
   * any other failure.
   */
  private static void failIf(@Nullable Throwable failure) {
    if (failure instanceof InvalidDataException) {
      throw new SuppressRestartsException(failure);
    } else if (failure != null) {
      throw new FlinkRuntimeException(failure);
    }
  }

  // ---- readers ---------------------------------------------------------------------------------

  @Override
  public void addReader(int reader) {
    events.forget(reader);
    if (dealer.isEmpty()) {
      resumeIfComplete();
    } else if (reader < workers()) {
      tell(dealer.get(), again(reader));
    }
  }

  private int workers() {
    return context.currentParallelism() - config.batches().idleReaders();
  }

  private void resumeIfComplete() {
    if (begun.isEmpty() || context.registeredReaders().size() < context.currentParallelism()) {
      return;
    }
    Dealer resumed =
        new Dealer(
            new Dealer.Rules(
                workers(), config.batches().size(), config.batches().maxWait(), config.endRound()),
            begun.get().state(),
            begun.get().later(),
            reported());
    dealer = Optional.of(resumed);
    resumed.positions().forEach(position -> tell(resumed, position));
    long millis = config.batches().maxWait().toMillis() / 4;
    context.callAsync(
        this::look,
        this::looked,
        0,
        Math.max(SHORTEST_LOOK_MILLIS, Math.min(LONGEST_LOOK_MILLIS, millis)));
  }

  /** Returns the positions of the previous workers; empty if nothing is restored. */
  private List<StreamPosition> reported() {
    List<StreamPosition> positions =
        new TreeMap<>(context.registeredReaders())
            .values().stream()
                .flatMap(
                    reader -> reader.<StreamPosition>getReportedSplitsOnRegistration().stream())
                .toList();
    if (positions.isEmpty() && checkpoint.isPresent()) {
      throw new IllegalStateException("no reader has restored its position in the stream");
    }
    return positions;
  }

  private StreamPosition again(int reader) {
    List<StreamPosition> returned = givenBack.remove(reader);
    List<StreamPosition> positions =
        returned != null
            ? returned
            : context.registeredReaders().get(reader).getReportedSplitsOnRegistration();
    if (positions.size() != 1 || positions.get(0).worker() != reader) {
      throw new IllegalStateException(
          "reader " + reader + " is back with " + positions + ": its own position is needed");
    }
    return positions.get(0);
  }

  /** Sends a reader its position, and the deals from there on. */
  private void tell(Dealer known, StreamPosition position) {
    int reader = position.worker();
    context.assignSplits(new SplitsAssignment<>(Map.of(reader, List.of(position))));
    known.tell(position).forEach(deal -> send(deal, reader));
    if (known.isOver()) {
      signalEnd(reader);
    }
  }

  private void send(Deal deal, int reader) {
    DealtShare share = DealtShare.of(deal, reader);
    events.send(reader, () -> context.sendEventToSourceReader(reader, share));
  }

  private void signalEnd(int reader) {
    events.send(reader, () -> context.signalNoMoreSplits(reader));
  }

  @Override
  public void addSplitsBack(List<StreamPosition> positions, int reader) {
    if (!positions.isEmpty()) {
      givenBack.put(reader, List.copyOf(positions));
    }
  }

  /** Handles a reader's request after it has used up a deal. */
  @Override
  public void handleSplitRequest(int reader, @Nullable String hostname) {
    dealer.ifPresent(known -> known.used(reader));
  }

  @Override
  public void handleSourceEvent(int reader, SourceEvent event) {
    if (event instanceof ModelDigest digest) {
      dealer.ifPresent(known -> append(known, known.digested(digest.rounds(), digest.sha256())));
    } else if (event instanceof ResumedBehind resumed) {
      events.resumed(reader, resumed.checkpoint());
    }
  }

  // ---- dealing ---------------------------------------------------------------------------------

  /** Looks at the topic, in the worker thread. */
  private Look look() throws IOException {
    if (System.nanoTime() - describedNanos > DESCRIBED_APART.toNanos()) {
      TopicOffsets.Description now = topic.describe();
      describedNanos = System.nanoTime();
      StreamOpening.requireTopic(config.topic(), now.id(), described.id());
      if (now.partitions() > described.partitions()) {
        added.putAll(topic.starts(now.partitions()).tailMap(described.partitions()));
      }
      described = now;
    }
    // All added partitions each time, because a look is lost if a broker does not answer or an
    // append takes long.
    return new Look(topic.ends(described.partitions()), new TreeMap<>(added));
  }

  private void looked(@Nullable Look look, @Nullable Throwable failure) {
    if (failure instanceof IOException) {
      if (!isAway) {
        LOG.warn("No new records are dealt: {}", failure.getMessage());
      }
      isAway = true;
      return;
    }
    failIf(failure);
    if (isAway) {
      LOG.info("{} answers again.", config.topic());
    }
    isAway = false;
    if (look != null) {
      undealt = dealer.map(known -> known.undealt(look.ends())).orElse(0L);
      dealer
          .filter(known -> !known.isOver())
          .ifPresent(
              known -> append(known, known.looked(look.ends(), look.added(), System.nanoTime())));
    }
  }

  private void append(Dealer known, List<LineageEntry> lines) {
    if (lines.isEmpty()) {
      endIfOver(known);
      return;
    }
    LineageAppend next = append(begun.orElseThrow().lineage(), lines);
    appending = Optional.of(next);
    context.callAsync(
        next::run,
        (unused, failure) -> {
          failIf(failure);
          appended(known);
        });
  }

  /**
   * Sends the deals that were appended. If the enumerator is being closed, the closing thread does
   * the rest.
   */
  private void appended(Dealer known) {
    synchronized (closing) {
      if (isClosed) {
        return;
      }
      appending = Optional.empty();
      Collection<Integer> readers = registered();
      for (Deal deal : known.appended(readers)) {
        readers.forEach(reader -> send(deal, reader));
      }
      append(known, known.rest());
    }
  }

  private void endIfOver(Dealer known) {
    if (known.isOver()) {
      registered().forEach(this::signalEnd);
    }
  }

  private Collection<Integer> registered() {
    return context.registeredReaders().keySet().stream()
        .filter(reader -> reader < workers())
        .toList();
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  @Override
  public StreamState snapshotState(long checkpointId) {
    Dealer known =
        dealer.orElseThrow(
            () ->
                new IllegalStateException(
                    "checkpoint %d: the run has not resumed yet".formatted(checkpointId)));
    events.hold(checkpointId, registered());
    return known.snapshot(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) {
    events.aborted(checkpointId);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    dealer.ifPresent(known -> known.completed(checkpointId));
  }

  @Override
  public void close() throws IOException {
    synchronized (closing) {
      isClosed = true;
    }
    try {
      if (dealer.isPresent()) {
        appendRest(dealer.get());
      }
    } catch (IOException | RuntimeException e) {
      // Flink ignores what a closing enumerator throws.
      LOG.warn("The digests of the last rounds are not in the lineage: {}", e.getMessage());
      throw e;
    } finally {
      opened.ifPresent(Lineage::close);
      topic.close();
    }
  }

  /**
   * Completes an append in progress, and adds the last digest, which arrives at the end of the job.
   */
  private void appendRest(Dealer known) throws IOException {
    if (appending.isPresent()) {
      if (!appending.get().run()) {
        return;
      }
      var unused = known.appended(List.of());
    }
    List<LineageEntry> rest = known.rest();
    if (!rest.isEmpty()) {
      var unusedRest = append(begun.orElseThrow().lineage(), rest).run();
    }
  }
}
