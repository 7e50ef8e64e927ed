package dev.braid.job.report.shown;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.braid.files.WholeFile;
import dev.braid.job.result.Evaluation;
import dev.braid.job.result.Json;
import dev.braid.job.result.Machine;
import dev.braid.job.result.Outcome;
import dev.braid.job.result.RunGoal;
import dev.braid.job.result.RunHistory;
import dev.braid.job.result.Versions;
import dev.braid.job.result.WorkersMath;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.util.EnvironmentInformation;

/**
 * The run as JSON lines: how it was started, each evaluation, how it ended. The file is made anew
 * for each line; it is short, and so it is never seen half-written.
 */
public final class History {

  private final RunHistory.Head begun;
  private final boolean validates;

  /**
   * A history of a run that begins, or goes on.
   *
   * @param options the run's, a JSON object
   * @param data checksums of all data that the run has trained with
   * @param nativeLibrary what decides the bits of a gradient
   * @param workers how many were asked for
   */
  public History(
      String options, List<String> data, String nativeLibrary, int workers, Instant started) {
    begun =
        new RunHistory.Head(
            Json.read(options, JsonNode.class),
            workers,
            Versions.braid(),
            EnvironmentInformation.getVersion(),
            Machine.jvm(),
            Machine.describe(),
            nativeLibrary,
            started.toString(),
            data,
            0,
            List.of());
    validates = begun.option(RunGoal.VALIDATION).isPresent();
  }

  /**
   * What the file is to have.
   *
   * @param workers how many there are
   * @param math with which kernels they compute
   */
  public WholeFile.Content of(
      int workers, WorkersMath math, List<Evaluation> evaluations, Optional<Outcome> outcome) {
    StringBuilder lines = new StringBuilder();
    append(lines, begun.with(workers, math));
    evaluations.forEach(line -> append(lines, validates ? ofValidation(line) : line));
    outcome.ifPresent(line -> append(lines, line));
    byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
    return out -> out.write(bytes);
  }

  /** An epoch's line with figures that are named after the samples that they are of. */
  private static ObjectNode ofValidation(Evaluation line) {
    ObjectNode named = JsonNodeFactory.instance.objectNode();
    Json.read(Json.write(line), ObjectNode.class)
        .properties()
        .forEach(it -> named.set(it.getKey().replaceFirst("^test", "validation"), it.getValue()));
    return named;
  }

  private static void append(StringBuilder lines, Object line) {
    lines.append(Json.write(line)).append('\n');
  }
}
