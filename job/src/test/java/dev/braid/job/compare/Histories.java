package dev.braid.job.compare;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.job.report.Evaluation;
import dev.braid.job.report.Json;
import dev.braid.job.report.Outcome;
import dev.braid.job.report.RunHistory;
import dev.braid.job.report.WorkerMeans;
import java.util.List;
import java.util.Optional;

/** Histories for tests. */
final class Histories {

  private Histories() {}

  static RunHistory.Head head(String options) {
    return new RunHistory.Head(
        Json.read(options, JsonNode.class), 4, "0.1", "2.2.1", "a JVM", "a machine", "BLAS", "now");
  }

  /** Two epochs of a hundred samples, the second of which reaches 97 %. */
  static RunHistory of(String options) {
    return new RunHistory(
        head(options),
        List.of(
            new Evaluation(
                1, 10, 1, 1, 0.91, 100, 2, 3, 4000, new WorkerMeans(1, 0.5, 0.5, 1, 3, 2, 0, 3)),
            new Evaluation(
                2,
                20,
                1,
                1,
                0.97,
                100,
                2,
                6,
                8000,
                new WorkerMeans(0.5, 0.5, 1, 2, 7, 4, 1250, 5))),
        Optional.of(
            new Outcome(
                "ab",
                4,
                List.of(),
                1,
                0.1,
                List.of(0.97, 0.972),
                0.01,
                20,
                2,
                0.97,
                "fine",
                true,
                "m",
                "h")));
  }

  static ComparedRun run(String name, String options) {
    return ComparedRun.of(name, of(options));
  }

  /** A run of which nothing is left but what went wrong. */
  static ComparedRun failed(String name, String trouble) {
    return new ComparedRun(name, Optional.empty(), Optional.of(trouble));
  }
}
