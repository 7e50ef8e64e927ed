package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.FaultReport;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.HappeningLog;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.ledger.LedgerSummary;
import dev.braid.worker.report.Reports.Finished;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.util.CloseableIterator;

/** A running training job under chaos events, with its reports and results. */
record ChaosRun(
    int workers,
    JobClient client,
    Path out,
    CloseableIterator<Finished> finished,
    CloseableIterator<LedgerSummary> ledger) {

  List<String> digests() throws Exception {
    awaitEnd();
    List<String> digests = new ArrayList<>();
    finished.forEachRemaining(f -> digests.add(HexFormat.of().formatHex(f.digest())));
    assertThat(digests).hasSize(workers).containsOnly(digests.get(0));
    return digests;
  }

  /** Returns the number of workers in the last view, and checks that they have the same weights. */
  int finishedIn() throws Exception {
    awaitEnd();
    List<Finished> all = new ArrayList<>();
    finished.forEachRemaining(all::add);
    assertThat(all).hasSize(workers);
    List<String> digests =
        all.stream()
            .filter(one -> !one.leftOut())
            .map(one -> HexFormat.of().formatHex(one.digest()))
            .toList();
    assertThat(digests).containsOnly(digests.get(0));
    return digests.size();
  }

  List<float[]> weights() throws Exception {
    awaitEnd();
    List<float[]> weights = new ArrayList<>();
    finished.forEachRemaining(f -> weights.add(f.sample()));
    assertThat(weights).hasSize(workers);
    return weights;
  }

  List<Happening> happenings(Outcome outcome) {
    return lines("chaos-applied.jsonl").stream()
        .map(ChaosRun::happening)
        .filter(happening -> happening.outcome() == outcome)
        .toList();
  }

  /** Returns the ids of the events with an outcome, each once. */
  Set<String> ids(Outcome outcome) {
    return happenings(outcome).stream()
        .map(happening -> happening.event().id().orElseThrow())
        .collect(Collectors.toSet());
  }

  /** Returns the run's reports of events, as a client sees them; waits for the end of the run. */
  List<String> told() throws Exception {
    String report = awaitEnd().getAccumulatorResult(FaultReport.ACCUMULATOR);
    return FaultReport.parse(report).ranks().stream()
        .flatMap(rank -> rank.recent().stream())
        .toList();
  }

  /**
   * Waits for the end. Streams are read only afterwards, for the reason given in {@link
   * FlinkExtension}.
   */
  private JobExecutionResult awaitEnd() throws Exception {
    return client.getJobExecutionResult().get();
  }

  List<String> deadLetters() {
    return lines("chaos-dead-letters.jsonl");
  }

  /** Returns the complete lines of a file; the last one may still be incomplete. */
  List<String> lines(String file) {
    try {
      Path path = out.resolve(file);
      String text = Files.exists(path) ? Files.readString(path) : "";
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Happening happening(String line) {
    try {
      return HappeningLog.read(line).happening();
    } catch (InvalidEventException e) {
      throw new AssertionError(line, e);
    }
  }
}
