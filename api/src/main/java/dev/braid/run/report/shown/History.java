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
 * The run as JSON lines: how it was started, each evaluation, how it ended. The whole file is
 * replaced for each new line, so that a reader never sees a part of it. Where epochs are shorter
 * than that takes, several lines are added at once.
 */
public final class History {

  private final RunHistory.Head begun;

  // The fields below are guarded by this object.

  /**
   * Evaluations that have been encoded, and their lines; most do not change from one file to the
   * next.
   */
  private final List<Evaluation> encoded = new ArrayList<>();

  private final List<byte[]> lines = new ArrayList<>();

  /**
   * Creates the history of a run that begins or resumes.
   *
   * @param options the run's options, a JSON object
   * @param data checksums of all data that the run has trained with
   * @param nativeLibrary description of what decides the bits of a gradient
   * @param workers number of workers that were asked for
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
   * Returns the content of the file, which is encoded when it is written.
   *
   * @param workers actual number of workers
   * @param math kernels with which they compute
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

  /** Encodes evaluations into memory: a disk that hangs must not hold the lock. */
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

  /** Returns an epoch's line with the figures named after the validation samples. */
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
