package dev.braid.job.report;

import dev.braid.ledger.LedgerSummary;
import dev.braid.worker.Reports.Evaluated;
import dev.braid.worker.Reports.Finished;
import dev.braid.worker.Reports.ModelPart;
import dev.braid.worker.Reports.Progress;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractInput;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorV2;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.operators.MultipleInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Keeps the {@link Books} of a run, in one place: publishes its status, writes its history, and at
 * the end its model, once every replica is known to have the same.
 *
 * <p>All that was reported once is in its state, the final model too: a worker that has finished
 * does not say it again after a failure.
 */
final class ReportOperator extends AbstractStreamOperatorV2<String>
    implements MultipleInputStreamOperator<String>, BoundedMultiInput {

  private static final int INPUTS = 5;

  private final ReportConfig reportConfig;
  private final int workers;
  private final StatusAccumulator status = new StatusAccumulator();

  private Books books;
  private History history;
  private Instant started;
  private RunClock clock;
  private int endedInputs;

  private ListState<Long> startedState;
  private ListState<RunClock> clockState;
  private ListState<Evaluation> evaluationState;
  private ListState<Evaluated> openState;
  private ListState<Finished> finishedState;
  private ListState<LedgerSummary> ledgerState;
  private ListState<ModelPart> modelState;

  ReportOperator(
      StreamOperatorParameters<String> parameters, ReportConfig reportConfig, int workers) {
    super(parameters, INPUTS);
    this.reportConfig = reportConfig;
    this.workers = workers;
    this.books = new Books(workers, reportConfig.epochs());
  }

  /** An input whose records are handed to a method of this operator. */
  @SuppressWarnings("unchecked") // what Flink's class overrides, not what is here
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
        new Report<Progress>(1, this::progress),
        new Report<Evaluated>(2, this::evaluated),
        new Report<Finished>(3, finished -> books.add(finished)),
        new Report<ModelPart>(4, part -> books.add(part)),
        new Report<LedgerSummary>(5, summary -> books.add(summary)));
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    startedState = state(context, "started", Long.class);
    clockState = state(context, "clock", RunClock.class);
    evaluationState = state(context, "evaluations", Evaluation.class);
    openState = state(context, "open-epochs", Evaluated.class);
    finishedState = state(context, "finished", Finished.class);
    ledgerState = state(context, "ledger", LedgerSummary.class);
    modelState = state(context, "model", ModelPart.class);
    started = Instant.now();
    for (long millis : startedState.get()) {
      started = Instant.ofEpochMilli(millis);
    }
    String job = getRuntimeContext().getJobInfo().getJobId().toHexString();
    clock = RunClock.start(job, started.toEpochMilli());
    for (RunClock saved : clockState.get()) {
      clock = saved.restored(job, System.currentTimeMillis());
    }
    books.restore(evaluationState.get(), openState.get());
    finishedState.get().forEach(books::add);
    ledgerState.get().forEach(books::add);
    modelState.get().forEach(books::add);
  }

  @Override
  public void open() throws Exception {
    super.open();
    getRuntimeContext().addAccumulator(Status.ACCUMULATOR, status);
    history = new History(reportConfig, workers, started);
    writeHistory();
    publish();
  }

  private void progress(Progress progress) {
    books.add(progress, System.nanoTime());
    publish();
  }

  private void evaluated(Evaluated part) throws IOException {
    if (books.add(part, clock.seconds(System.currentTimeMillis())).isPresent()) {
      writeHistory();
      publish();
    }
  }

  @Override
  public void endInput(int inputId) throws Exception {
    endedInputs++;
    if (endedInputs == INPUTS) {
      conclude();
    }
  }

  private void conclude() throws IOException {
    // Before anything is written: a model that is in doubt must not replace a good one.
    books.close(reportConfig);
    float[][] vectors = books.model().vectors();
    float[][] updaterState = new float[vectors.length - 1][];
    System.arraycopy(vectors, 1, updaterState, 0, updaterState.length);
    long steps = books.model().steps();
    WholeFile.write(
        reportConfig.modelPath(),
        out -> reportConfig.format().write(vectors[0], updaterState, steps, out));
    writeHistory();
    publish();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    startedState.update(List.of(started.toEpochMilli()));
    clockState.update(List.of(clock.saved(System.currentTimeMillis())));
    evaluationState.update(books.evaluations());
    openState.update(books.openParts());
    finishedState.update(books.finished());
    ledgerState.update(books.ledger());
    modelState.update(books.model().parts());
  }

  private void writeHistory() throws IOException {
    history.write(books.evaluations(), books.outcome());
  }

  private void publish() {
    status.add(books.status().toJson());
  }

  private static <T> ListState<T> state(
      StateInitializationContext context, String name, Class<T> type) throws Exception {
    return context
        .getOperatorStateStore()
        .getListState(new ListStateDescriptor<>(name, TypeInformation.of(type)));
  }
}
