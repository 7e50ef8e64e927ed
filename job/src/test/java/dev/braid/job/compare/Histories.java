package dev.braid.job.compare;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.exchange.Figure;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Json;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.WorkerMeans;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Histories for tests. */
public final class Histories {

  private Histories() {}

  /** Returns the head of a run with these options, as JSON. */
  public static RunHistory.Head head(String options) {
    return new RunHistory.Head(
        Json.read(options, JsonNode.class),
        4,
        "0.1",
        "2.2.1",
        "a JVM",
        "a machine",
        "BLAS",
        "now",
        List.of(),
        16_320,
        List.of());
  }

  /** Returns two epochs of a hundred samples, the second of which reaches 97 %. */
  public static RunHistory of(String options) {
    return new RunHistory(
        head(options),
        List.of(
            Evaluation.of(
                1,
                10,
                new Evaluation.TrainFigures(1, 100, 2, 0),
                Evaluation.TestFigures.ofClasses(1, 0.91, 50, 50),
                3,
                4000,
                new WorkerMeans(1, 0.5, 0.5, 1, 3, 2, 0, 3)),
            Evaluation.of(
                2,
                20,
                new Evaluation.TrainFigures(1, 100, 2, 0),
                Evaluation.TestFigures.ofClasses(1, 0.97, 50, 50),
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
                Optional.of(List.of(0.97, 0.972)),
                0.01,
                20,
                2,
                0.97,
                Optional.empty(),
                "fine",
                true,
                0,
                true,
                "m",
                "h",
                Optional.empty(),
                Double.NaN,
                Double.NaN,
                Optional.empty())));
  }

  static ComparedRun run(String name, String options) {
    return ComparedRun.of(name, of(options));
  }

  /**
   * Returns a run with a number of epochs; its accuracy rises faster for a smaller {@code number}.
   */
  static ComparedRun learning(String name, String options, int epochs, int number) {
    List<Evaluation> evaluations =
        IntStream.rangeClosed(1, epochs)
            .mapToObj(
                epoch -> {
                  double error = 0.4 / (1 + epoch / (1 + 0.2 * number));
                  return Evaluation.of(
                      epoch,
                      10L * epoch,
                      new Evaluation.TrainFigures(error, 100, 2, 0),
                      Evaluation.TestFigures.ofClasses(error, 1 - error, 50, 50),
                      epoch * (1 + 0.1 * number),
                      4_000_000_000L * epoch * number,
                      new WorkerMeans(1, 0.1 * number, 0.5, 1, 3, 2, 0, 3));
                })
            .toList();
    return ComparedRun.of(name, new RunHistory(head(options), evaluations, of(options).outcome()));
  }

  /**
   * Returns a run of a synchronous exchange: its replicas are identical, and gradients have no
   * parts.
   */
  static ComparedRun synchronous(String name) {
    RunHistory history = of("{}");
    List<Evaluation> evaluations =
        history.evaluations().stream().map(Histories::withoutParts).toList();
    return ComparedRun.of(name, new RunHistory(history.head(), evaluations, Optional.empty()));
  }

  private static Evaluation withoutParts(Evaluation of) {
    WorkerMeans worker = of.worker();
    return Evaluation.of(
        of.epoch(),
        of.round(),
        new Evaluation.TrainFigures(
            of.trainLoss(), of.samples(), of.trainSeconds(), of.missedSamples()),
        Evaluation.TestFigures.ofClasses(
            of.testLoss(), of.testAccuracy(), of.testSamples(), of.testSetSamples()),
        of.seconds(),
        of.bytes(),
        new WorkerMeans(
            worker.get(Figure.COMPUTE_TIME),
            worker.get(Figure.EXCHANGE_TIME),
            worker.get(Figure.WAIT_TIME),
            worker.get(Figure.STALENESS),
            worker.get(Figure.WORST_STALENESS),
            0,
            0,
            worker.get(Figure.KEPT_VECTORS)));
  }

  /** Returns a run with no history, only a reason for its failure. */
  static ComparedRun failed(String name, String trouble) {
    return new ComparedRun(name, Optional.empty(), Optional.of(trouble));
  }
}
