package dev.braid.job.report;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.util.EnvironmentInformation;

/**
 * The run as JSON lines: how it was started, each evaluation, how it ended. The file is written
 * anew for each line; it is short, and so it is never seen half-written.
 */
final class History {

  private final String place;
  private final String head;

  /**
   * The first line.
   *
   * @param options as given, a JSON object
   */
  record Head(
      @JsonRawValue String options,
      int workers,
      String braid,
      String flink,
      String java,
      String nativeLibrary,
      String started) {}

  History(ReportConfig config, int workers, Instant started) {
    place = config.historyPath();
    head =
        Json.write(
            new Head(
                config.options(),
                workers,
                Versions.braid(),
                EnvironmentInformation.getVersion(),
                System.getProperty("java.version"),
                config.format().nativeLibrary(),
                started.toString()));
  }

  void write(List<Evaluation> evaluations, Optional<Outcome> outcome) throws IOException {
    StringBuilder lines = new StringBuilder(head).append('\n');
    evaluations.forEach(line -> lines.append(Json.write(line)).append('\n'));
    outcome.ifPresent(line -> lines.append(Json.write(line)).append('\n'));
    WholeFile.write(place, out -> out.write(lines.toString().getBytes(StandardCharsets.UTF_8)));
  }
}
