package dev.braid.run.report;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.files.WholeFile;
import dev.braid.ledger.LedgerSummary;
import dev.braid.loop.JobCheckpoints;
import dev.braid.run.pace.RunClock;
import dev.braid.run.report.reported.EpochModels;
import dev.braid.run.report.reported.ReportedRun;
import dev.braid.run.report.shown.History;
import dev.braid.run.report.shown.Publication;
import dev.braid.run.report.shown.RunStatus;
import dev.braid.run.report.verdict.Conclusion;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Json;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.ResultFiles;
import dev.braid.run.result.Status;
import dev.braid.run.result.TestScore;
import dev.braid.worker.report.BraidMetric;
import dev.braid.worker.report.Reports.Began;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.Reports.ModelPart;
import dev.braid.worker.report.Reports.Progress;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractInput;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorV2;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.operators.MultipleInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the {@link ReportedRun} in one task: publishes its status, writes its history and, at the
 * end, its model, once every replica is known to have the same.
 *
 * <p>If the place for results cannot be written to when training begins, the job fails. Later, such
 * a failure costs nothing until the end: {@link ResultFiles} writes when it can. At the end,
 * results that cannot be written are kept in the machine's folder for temporary files, and the job
 * fails, so that its last checkpoint is kept, too.
 *
 * <p>Its state is all that was reported ({@link ReportState}).
 */
final class ReportOperator extends AbstractStreamOperatorV2<String>
    implements MultipleInputStreamOperator<String>, BoundedMultiInput {

  private static final Logger LOG = LoggerFactory.getLogger(ReportOperator.class);

  private static final int INPUTS = 6;

  /**
   * Time between two publications while workers have nothing to report: a warning of a full disk
   * may be this late.
   */
  private static final long PUBLISH_MILLIS = 1000;

  /** Least time between two publications; clients poll less often. */
  private static final long PUBLICATIONS_APART_NANOS = 50_000_000;

  /** Time for the disk to respond when the job begins. */
  private static final Duration PATIENCE_AT_FIRST = Duration.ofSeconds(30);

  private final ReportConfig reportConfig;
  private final int workers;
  private final MailboxExecutor mailbox;
  private final boolean isCheckpointed;
  private final ReportedRun run;
  private final RunStatus status;
  private History history;
  private Instant started;
  private RunClock clock;
  private ResultFiles files;
  private Publication publication;
  private ScheduledFuture<?> publishing;
  private long publishedNanos;

  /** Whether there are lines for the history that were not written yet. */
  private boolean hasNewLines;

  private Optional<Outcome> outcome = Optional.empty();

  /** Last epoch whose figures have been emitted. */
  private int emittedEpoch;

  /** Drift of the last window; metric reporters read it from their own threads. */
  private volatile double drift = Double.NaN;

  private boolean restored;
  private int endedInputs;

  private ReportState state;
  private Optional<ModelPublisher> publisher = Optional.empty();

  ReportOperator(
      StreamOperatorParameters<String> parameters, ReportConfig reportConfig, int workers) {
    super(parameters, INPUTS);
    this.mailbox = parameters.getMailboxExecutor();
    this.isCheckpointed = JobCheckpoints.areEnabled(parameters);
    this.reportConfig = reportConfig;
    this.workers = workers;
    this.run =
        new ReportedRun(
            workers,
            reportConfig.trueParameters(),
            reportConfig.mostEvaluations(),
            reportConfig.samples().evaluated().isOfStream());
    this.status =
        new RunStatus(
            run,
            workers,
            reportConfig.samples().epochs(),
            reportConfig.reference().guessingLoss(),
            reportConfig.samples().train(),
            reportConfig.samples().evaluated(),
            reportConfig.exchange()::without);
  }

  /** Input whose records are handed to a method of this operator. */
  @SuppressWarnings("unchecked") // Flink's AbstractInput causes it
  private final class Report<T> extends AbstractInput<T, String> {
    private final Handler<T> handler;

    Report(int inputId, Handler<T> handler) {
      super(ReportOperator.this, inputId);
      this.handler = handler;
    }

    @Override
    public void processElement(StreamRecord<T> element) throws Exception {
      handler.accept(element.getValue());
    }
  }

  @FunctionalInterface
  private interface Handler<T> {
    void accept(T report) throws Exception;
  }

  @Override
  @SuppressWarnings("rawtypes") // as Flink declares it
  public List<Input> getInputs() {
    return List.of(
        new Report<Began>(1, this::began),
        new Report<Progress>(2, this::progress),
        new Report<Evaluated>(3, this::evaluated),
        new Report<Finished>(4, finished -> run.add(finished)),
        new Report<ModelPart>(5, this::modelPart),
        new Report<LedgerSummary>(6, summary -> run.add(summary)));
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    restored = context.isRestored();
    state = new ReportState(context.getOperatorStateStore());
    started = state.started();
    clock = state.clock(getRuntimeContext().getJobInfo().getJobId().toHexString(), started);
    try {
      state.restore(run);
    } catch (IOException e) {
      // A restart would find the same damage.
      throw new SuppressRestartsException(e);
    }
    if (!reportConfig.publishing().isEmpty()) {
      publisher = Optional.of(newPublisher(context, reportConfig.publishing().get(0)));
    }
    run.addData(reportConfig.samples().checksums());
    reportConfig.checkDone(run.evaluations().size());
    emittedEpoch = run.evaluations().stream().mapToInt(Evaluation::epoch).max().orElse(0);
  }

  private ModelPublisher newPublisher(StateInitializationContext context, Publishing publishing)
      throws Exception {
    try {
      return new ModelPublisher(
          context.getOperatorStateStore(),
          publishing,
          reportConfig,
          getRuntimeContext().getJobInfo().getJobId().toHexString(),
          isCheckpointed,
          mailbox,
          run::published);
    } catch (InvalidDataException e) {
      // A restart would fail in the same way.
      throw new SuppressRestartsException(e);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    MetricGroup metrics = getMetricGroup().addGroup(BraidMetric.GROUP);
    metrics.gauge(BraidMetric.DRIFT.key(), (Gauge<Double>) () -> drift);
    metrics.gauge(
        BraidMetric.PUBLISHED_VERSION.key(),
        (Gauge<Integer>) () -> publisher.map(ModelPublisher::newest).orElse(0));
    metrics.gauge(
        BraidMetric.PUBLISHED_VERSION_AGE.key(),
        (Gauge<Double>) () -> publisher.map(ModelPublisher::ageSeconds).orElse(Double.NaN));
    publication = new Publication(getRuntimeContext());
    history =
        new History(
            reportConfig.texts().options(),
            run.data(),
            reportConfig.format().nativeLibrary(),
            workers,
            started);
    files =
        new ResultFiles(
            ResultFiles.RETRY, reportConfig.folder().out(), this::putAsideEarlierResults);
    reportConfig.runContent().ifPresent(content -> files.write(reportConfig.runPath(), content));
    writeHistory(Optional.empty());
    // The folder may differ from that of the run that this one resumes.
    writeBest();
    if (!restored) {
      checkPlace();
    }
    publish();
    publishing =
        processingTimeService.scheduleWithFixedDelay(
            timestamp -> {
              evaluateWithoutAbsent();
              show();
            },
            PUBLISH_MILLIS,
            PUBLISH_MILLIS);
  }

  /**
   * Moves results that are older than the job, in the thread that writes results. An attempt after
   * a restart does not move the job's own results.
   */
  private void putAsideEarlierResults() throws IOException {
    EarlierResults.putAside(
            reportConfig.folder().out(),
            reportConfig.earlierResults(),
            reportConfig.folder().earlierThanMillis())
        .ifPresent(place -> LOG.info("results of an earlier run were moved to {}", place));
  }

  private void began(Began worker) throws InterruptedException {
    run.add(worker);
    if (run.math().isComplete()) {
      run.math().differences().forEach(LOG::warn);
      writeHistory(Optional.empty());
      publish();
      if (reportConfig.sameness().kernels()) {
        requireSameBits();
      }
    }
  }

  private void requireSameBits() throws InterruptedException {
    Optional<String> refusal = run.math().refusal();
    if (refusal.isPresent()) {
      // A user who looks for the difference should find it in the history, too.
      files.await(reportConfig.historyPath(), PATIENCE_AT_FIRST);
      // A restart would fail in the same way.
      throw new SuppressRestartsException(new IllegalStateException(refusal.get()));
    }
  }

  /**
   * Fails at the beginning if the place for results cannot be written to, not after hours of
   * training.
   */
  private void checkPlace() throws Exception {
    Optional<String> trouble = files.await(reportConfig.historyPath(), PATIENCE_AT_FIRST);
    if (trouble.isPresent()) {
      throw new ResultsNotWrittenException(trouble.get(), "");
    }
  }

  private void progress(Progress progress) {
    run.add(progress, System.nanoTime());
    showUnlessJustDone();
  }

  private void evaluated(Evaluated part) {
    if (run.add(part, seconds()).isPresent()) {
      emitNew();
      hasNewLines = true;
      writeBestIfNew();
      showUnlessJustDone();
    }
  }

  private void evaluateWithoutAbsent() {
    if (run.evaluateWithoutAbsent(System.nanoTime(), seconds())) {
      emitNew();
      hasNewLines = true;
      writeBestIfNew();
    }
  }

  private void emitNew() {
    for (Evaluation evaluation : run.evaluations()) {
      if (evaluation.epoch() > emittedEpoch) {
        emittedEpoch = evaluation.epoch();
        output.collect(new StreamRecord<>(Json.write(evaluation)));
      }
    }
  }

  private void modelPart(ModelPart part) {
    if (run.add(part)) {
      hasNewLines = true;
      showUnlessJustDone();
    }
    if (part.epoch() != ModelPart.FINAL) {
      writeBestIfNew();
    }
  }

  private void writeBestIfNew() {
    if (run.hasNewBest(publisherOfTrained().map(ModelPublisher::versions))) {
      writeBest();
    }
    publisher.ifPresent(ModelPublisher::taken);
  }

  /**
   * Returns the publisher once a sample has been trained on: an untrained model must not go into
   * service.
   */
  private Optional<ModelPublisher> publisherOfTrained() {
    return publisher.filter(it -> run.samples() > 0);
  }

  private void writeBest() {
    run.epochModels()
        .best()
        .ifPresent(best -> files.write(reportConfig.bestPath(), contentOf(best)));
  }

  private WholeFile.Content contentOf(EpochModels.Best best) {
    return out -> reportConfig.format().write(best.weights(), new float[0][], 0, out);
  }

  @Override
  public void endInput(int inputId) throws Exception {
    endedInputs++;
    if (endedInputs == INPUTS) {
      conclude();
    }
  }

  private void conclude() throws Exception {
    // Judge the run before anything is written: a doubtful model must not replace a good one.
    Outcome concluded =
        Conclusion.of(
            run,
            reportConfig.sameness().replicas(),
            reportConfig.samplesOfEpochs(),
            reportConfig.modelPath(),
            reportConfig.historyPath(),
            reportConfig.bestPath());
    float[][] vectors = run.model().vectors();
    outcome = Optional.of(tested(concluded, vectors[0]));
    float[][] updaterState = new float[vectors.length - 1][];
    System.arraycopy(vectors, 1, updaterState, 0, updaterState.length);
    long steps = run.model().steps();
    WholeFile.Content model =
        out -> reportConfig.format().write(vectors[0], updaterState, steps, out);
    Optional<WholeFile.Content> card = reportConfig.cardContent(vectors[0]);
    FinalResults results =
        new FinalResults(
            reportConfig,
            files,
            model,
            card,
            run.epochModels().best().map(this::contentOf),
            this::historyWith,
            this::summary);
    List<String> troubles = results.write(outcome.orElseThrow());
    if (!troubles.isEmpty()) {
      throw keepElsewhere(results, troubles);
    }
    Optional<ModelPublisher> takesLast = publisherOfTrained();
    if (takesLast.isPresent()) {
      List<Evaluation> made = run.evaluations();
      takesLast
          .get()
          .conclude(
              outcome.orElseThrow().rounds(),
              made.isEmpty() ? Optional.empty() : Optional.of(made.get(made.size() - 1)),
              vectors[0]);
    }
    publish();
    publication.conclude(outcome.orElseThrow(), reportConfig.samples().evaluated());
  }

  /** Adds the scores on the test set, if epochs were evaluated on other samples. */
  private Outcome tested(Outcome concluded, float[] weights) throws IOException {
    if (reportConfig.samples().test().isEmpty()) {
      return concluded;
    }
    float[] best =
        concluded.best().isEmpty()
            ? weights
            : run.epochModels().best().map(EpochModels.Best::weights).orElse(weights);
    TestScore[] scores = reportConfig.samples().test().get(0).scores(new float[][] {weights, best});
    return concluded.tested(scores[0], scores[1]);
  }

  /**
   * Keeps the results elsewhere, so that a place that cannot be written to does not lose hours of
   * training.
   */
  private ResultsNotWrittenException keepElsewhere(FinalResults results, List<String> troubles) {
    FinalResults.Kept kept = results.keepElsewhere(outcome.orElseThrow(), troubles);
    outcome = Optional.of(kept.outcome());
    if (!kept.isWritten()) {
      return new ResultsNotWrittenException(kept.message(), "");
    }
    Status end = status.of(outcome, List.of(kept.message()), seconds(), System.nanoTime());
    publication.publish(end);
    return new ResultsNotWrittenException(kept.message(), end.toJson());
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    state.save(run, started, clock, mailbox);
    if (publisher.isPresent()) {
      publisher.get().snapshot(context.getCheckpointId());
    }
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    if (publisher.isPresent()) {
      publisher.get().complete(checkpointId);
    }
  }

  private void writeHistory(Optional<Outcome> end) {
    files.write(reportConfig.historyPath(), historyWith(end));
  }

  private WholeFile.Content historyWith(Optional<Outcome> end) {
    return history.of(run.workers(), run.math(), run.evaluations(), end);
  }

  private WholeFile.Content summary(Outcome end) {
    String job = getRuntimeContext().getJobInfo().getJobId().toHexString();
    return Publication.summary(end, run.data(), job, seconds());
  }

  private double seconds() {
    return clock.seconds(System.currentTimeMillis());
  }

  /**
   * Shows the status unless it was just shown. If each report were shown, workers could be far
   * ahead of the report where epochs are very short.
   */
  private void showUnlessJustDone() {
    if (System.nanoTime() - publishedNanos >= PUBLICATIONS_APART_NANOS) {
      show();
    }
  }

  private void show() {
    // The history that is written at the end of the run has all lines.
    if (hasNewLines && outcome.isEmpty()) {
      writeHistory(Optional.empty());
      hasNewLines = false;
    }
    publish();
  }

  private void publish() {
    long nowNanos = System.nanoTime();
    publishedNanos = nowNanos;
    drift = run.lastDrift();
    List<String> troubles = new ArrayList<>(files.troubles(nowNanos));
    publisher.ifPresent(it -> troubles.addAll(it.troubles(nowNanos)));
    publication.publish(status.of(outcome, troubles, seconds(), nowNanos));
  }

  @Override
  public void close() throws Exception {
    if (publishing != null) {
      publishing.cancel(false);
    }
    if (files != null) {
      files.close();
    }
    publisher.ifPresent(ModelPublisher::close);
    super.close();
  }
}
