package dev.braid.run.report.shown;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.braid.files.WholeFile;
import dev.braid.run.pace.Machine;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Json;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.Versions;
import dev.braid.run.result.WorkersMath;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.util.EnvironmentInformation;

/**
 * The run as JSON lines: how it was started, each evaluation, how it ended. The file is made anew
 * for each line, so that it is never seen half-written; where epochs are shorter than that takes,
 * for some lines at once.
 */
public final class History {

  private final RunHistory.Head begun;

  // What follows is guarded by this object.

  /** Evaluations that have been encoded, and their lines: most are the same each time. */
  private final List<Evaluation> encoded = new ArrayList<>();

  private final List<byte[]> lines = new ArrayList<>();

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
  }

  /**
   * Returns what the file is to have, which is encoded when it is written.
   *
   * @param workers how many there are
   * @param math with which kernels they compute
   */
  public WholeFile.Content of(
      int workers, WorkersMath math, List<Evaluation> evaluations, Optional<Outcome> outcome) {
    RunHistory.Head head = begun.with(workers, math);
    List<Evaluation> all = List.copyOf(evaluations);
    return out -> {
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      content.writeBytes(line(head));
      encode(all, content);
      outcome.ifPresent(end -> content.writeBytes(line(end)));
      content.writeTo(out);
    };
  }

  /** Into memory: a disk that hangs must not hold the lock. */
  private synchronized void encode(List<Evaluation> evaluations, ByteArrayOutputStream content) {
    for (int i = 0; i < evaluations.size(); i++) {
      Evaluation evaluation = evaluations.get(i);
      if (i == encoded.size()) {
        encoded.add(evaluation);
        lines.add(encode(evaluation));
      } else if (!evaluation.equals(encoded.get(i))) {
        encoded.set(i, evaluation);
        lines.set(i, encode(evaluation));
      }
      content.writeBytes(lines.get(i));
    }
  }

  private byte[] encode(Evaluation evaluation) {
    return line(begun.evaluated().isHeldOut() ? ofValidation(evaluation) : evaluation);
  }

  /** An epoch's line with figures that are named after the samples that they are of. */
  private static ObjectNode ofValidation(Evaluation line) {
    ObjectNode named = JsonNodeFactory.instance.objectNode();
    Json.read(Json.write(line), ObjectNode.class)
        .properties()
        .forEach(it -> named.set(it.getKey().replaceFirst("^test", "validation"), it.getValue()));
    return named;
  }

  private static byte[] line(Object value) {
    return (Json.write(value) + '\n').getBytes(StandardCharsets.UTF_8);
  }
}
