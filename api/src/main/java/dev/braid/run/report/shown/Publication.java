package dev.braid.run.report.shown;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.braid.files.WholeFile;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Json;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.OutcomeText;
import dev.braid.run.result.Status;
import dev.braid.worker.report.TextAccumulator;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * Publishes the status of a run in Flink's accumulators: as JSON for clients, and in words for
 * users of the web UI. At the end, also makes the content of the summary file.
 */
public final class Publication {

  private static final String PROGRESS = "braid.progress";

  private final RuntimeContext context;
  private final TextAccumulator status = new TextAccumulator();
  private final TextAccumulator progress = new TextAccumulator();

  /** Adds the accumulators; call it once in each attempt of a task. */
  public Publication(RuntimeContext context) {
    this.context = context;
    context.addAccumulator(Status.ACCUMULATOR, status);
    context.addAccumulator(PROGRESS, progress);
  }

  /** Publishes the status of the run. */
  public void publish(Status latest) {
    status.add(latest.toJson());
    progress.add(inWords(latest));
  }

  private static String inWords(Status latest) {
    String epochs =
        latest.epochs() == Status.ENDLESS
            ? String.format(Locale.ROOT, "%.2f %ss", latest.epochsDone(), latest.unit())
            : String.format(
                Locale.ROOT, "%.2f of %d %ss", latest.epochsDone(), latest.epochs(), latest.unit());
    String loss =
        latest.round() == 0 ? "" : String.format(Locale.ROOT, ", loss %.4f", latest.loss());
    return epochs
        + loss
        + latest
            .lastEvaluation()
            .filter(last -> last.testSamples() > 0)
            .map(
                last ->
                    ", %s %s %s"
                        .formatted(
                            latest.evaluated().word(), last.score().title(), last.scoreInWords()))
            .orElse("");
  }

  /** Publishes how the run ended; call it once, as the last. */
  public void conclude(Outcome outcome, EvaluatedSet evaluated) {
    OutcomeText.of(outcome, evaluated, path -> path)
        .forEach(line -> say(line.accumulator(), line.value()));
    say(OutcomeText.HOST, host());
  }

  private void say(String name, String value) {
    TextAccumulator said = new TextAccumulator();
    said.add(value);
    context.addAccumulator(name, said);
  }

  /** Returns the content of the summary: what a program needs to know of how a run ended. */
  public static WholeFile.Content summary(
      Outcome outcome, List<String> data, String job, double seconds) {
    ObjectNode summary = Json.read(Json.write(outcome), ObjectNode.class);
    data.forEach(summary.putArray("dataChecksums")::add);
    summary.put("job", job);
    summary.put("seconds", seconds);
    summary.put("host", host());
    byte[] bytes = (summary.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
    return out -> out.write(bytes);
  }

  /** Returns the name of the machine that writes results. */
  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
