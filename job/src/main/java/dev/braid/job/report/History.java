package dev.braid.job.report;

import com.fasterxml.jackson.databind.JsonNode;
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

  History(ReportConfig config, int workers, Instant started) {
    place = config.historyPath();
    head =
        Json.write(
            new RunHistory.Head(
                Json.read(config.options(), JsonNode.class),
                workers,
                Versions.braid(),
                EnvironmentInformation.getVersion(),
                Machine.jvm(),
                Machine.describe(),
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
