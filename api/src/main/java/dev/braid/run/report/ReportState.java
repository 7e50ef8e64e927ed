package dev.braid.run.report;

import dev.braid.ledger.LedgerSummary;
import dev.braid.loop.coordinator.Recovery;
import dev.braid.run.pace.RunClock;
import dev.braid.run.report.reported.LossDrift;
import dev.braid.run.report.reported.ReportedRun;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Json;
import dev.braid.run.result.MathUse;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.Reports.ModelPart;
import dev.braid.worker.state.RecordState;
import dev.braid.worker.state.TakenState;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Checkpointed state of a {@link ReportedRun}: all that is reported only once. This includes the
 * final model, since a worker that has finished does not send it again after a failure.
 */
final class ReportState {

  /**
   * Progress of the run at the checkpoint.
   *
   * @param startedMillis time when the run began, in ms since 1970
   * @param samples number of samples that it has trained on
   */
  public record SoFar(long startedMillis, long samples) {}

  /**
   * Kernels that have computed for the run.
   *
   * @param json a {@link MathUse} as JSON
   */
  public record SavedMath(String json) {}

  /**
   * Data that the run has trained with.
   *
   * @param checksums checksums of its samples
   */
  public record SavedData(String checksums) {}

  private final RecordState<SoFar> soFar;
  private final RecordState<SavedData> data;
  private final RecordState<RunClock> clock;
  private final RecordState<SavedMath> math;
  private final RecordState<Evaluation> evaluations;
  private final RecordState<LossDrift> drift;
  private final RecordState<Recovery> recoveries;
  private final RecordState<Evaluated> openEpochs;
  private final RecordState<Finished> finished;
  private final RecordState<LedgerSummary> ledger;
  private final RecordState<ModelPart> model;
  private final ListState<byte[]> epochModels;
  private final ListState<byte[]> errorRates;

  ReportState(OperatorStateStore store) throws Exception {
    soFar = RecordState.of(store, "so-far", SoFar.class);
    data = RecordState.of(store, "data", SavedData.class);
    clock = RecordState.of(store, "clock", RunClock.class);
    math = RecordState.of(store, "math", SavedMath.class);
    evaluations = RecordState.of(store, "evaluations", Evaluation.class);
    drift = RecordState.of(store, "drift", LossDrift.class);
    recoveries = RecordState.of(store, "recoveries", Recovery.class);
    openEpochs = RecordState.of(store, "open-epochs", Evaluated.class);
    finished = RecordState.of(store, "finished", Finished.class);
    ledger = RecordState.of(store, "ledger", LedgerSummary.class);
    model = RecordState.of(store, "model", ModelPart.class);
    epochModels = bytes(store, "epoch-models");
    errorRates = bytes(store, "error-rates");
  }

  private static ListState<byte[]> bytes(OperatorStateStore store, String name) throws Exception {
    return store.getListState(
        new ListStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE));
  }

  /** Returns when the run began: the restored time, or the current time if nothing was restored. */
  Instant started() throws Exception {
    Instant first = Instant.now();
    for (SoFar saved : soFar.get()) {
      first = Instant.ofEpochMilli(saved.startedMillis());
    }
    return first;
  }

  /** Returns the clock of a job, which continues that of the previous attempt or run. */
  RunClock clock(String job, Instant runStarted) throws Exception {
    RunClock own = RunClock.start(job, runStarted.toEpochMilli());
    for (RunClock saved : clock.get()) {
      own = saved.restored(job, System.currentTimeMillis());
    }
    return own;
  }

  void restore(ReportedRun run) throws Exception {
    for (SavedMath use : math.get()) {
      run.math().restore(Json.readStrictly(use.json(), MathUse.class));
    }
    run.restore(evaluations.get(), openEpochs.get());
    drift.get().forEach(run::restore);
    run.recoveries().add(recoveries.get());
    data.get().forEach(saved -> run.addData(saved.checksums()));
    soFar.get().forEach(saved -> run.restoreSamples(saved.samples()));
    finished.get().forEach(run::add);
    ledger.get().forEach(run::add);
    model.get().forEach(run::add);
    try {
      run.epochModels().restore(epochModels.get());
      run.errorRates().restore(errorRates.get());
    } catch (IOException e) {
      // A restart would fail in the same way.
      throw new SuppressRestartsException(e);
    }
    epochModels.clear();
    errorRates.clear();
  }

  /**
   * Writes all to the state of a checkpoint.
   *
   * @param mailbox executes the release of large state once the checkpoint contains it
   */
  void save(ReportedRun run, Instant runStarted, RunClock runClock, MailboxExecutor mailbox)
      throws Exception {
    soFar.update(List.of(new SoFar(runStarted.toEpochMilli(), run.samples())));
    data.update(run.data().stream().map(SavedData::new).toList());
    clock.update(List.of(runClock.saved(System.currentTimeMillis())));
    math.update(run.math().uses().stream().map(Json::write).map(SavedMath::new).toList());
    evaluations.update(run.evaluations());
    drift.update(run.drift().stream().toList());
    recoveries.update(run.recoveries().all());
    openEpochs.update(run.openParts());
    finished.update(run.finished());
    ledger.update(run.ledger());
    model.update(run.model().parts());
    epochModels.update(run.epochModels().save());
    TakenState.clear(epochModels, mailbox);
    errorRates.update(run.errorRates().save());
    TakenState.clear(errorRates, mailbox);
  }
}
