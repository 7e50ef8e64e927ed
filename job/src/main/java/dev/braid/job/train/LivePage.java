package dev.braid.job.train;

import dev.braid.chaos.FaultReport;
import dev.braid.files.PlacedFile;
import dev.braid.files.WholeFile;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.options.OutPlace;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.page.RunPage;
import dev.braid.job.page.RunRecord;
import dev.braid.job.plan.RunPlan;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.result.ResultFiles;
import dev.braid.run.result.Status;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Page of a run that is kept up to date in a file. It needs no open port and remains after the run.
 * A disk that does not respond does not delay the run.
 */
final class LivePage {

  private static final long INTERVAL_NANOS = 1_000_000_000L;

  private static final String BEGINNING = "starting: no round is complete yet";

  /** Inverse of the largest share of the time that writing the page may take. */
  private static final long SHARE_OF_TIME = 20;

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final PlacedFile file;
  private final RunPage page;
  private final RunRecord run = new RunRecord();
  private final FaultLines faults = new FaultLines(true, System.nanoTime());
  private final ResultFiles files = new ResultFiles(ResultFiles.RETRY);
  private long writtenNanos = System.nanoTime() - INTERVAL_NANOS;
  private long intervalNanos = INTERVAL_NANOS;
  private boolean ended;

  LivePage(RunPlan plan) {
    TrainOptions options = plan.options();
    this.file = OutPlace.of(options).file(EarlierResults.PAGE);
    this.page =
        new RunPage(
            plan.jobName(),
            List.of(plan.describe(), plan.describeData()),
            plan.shownOptions(),
            plan.hasValues(),
            plan.evaluated(),
            options.learning().targetAccuracy(),
            OutPlace.of(options).file(EarlierResults.MODEL).place());
  }

  /** Writes the page for the first time. */
  synchronized void begin() {
    if (!ended) {
      write(page.underWay(run, BEGINNING));
    }
  }

  /** Returns the page's URI for a browser on this machine. */
  String address() {
    return FlinkSettings.asUri(file.place());
  }

  /** Returns the page's place. */
  String place() {
    return file.place();
  }

  /** Adds a status, and writes the page about once a second. */
  synchronized void show(Status status, long nowNanos) {
    run.add(status);
    if (!ended && nowNanos - writtenNanos >= intervalNanos) {
      writtenNanos = nowNanos;
      String time = TIME.format(LocalTime.now(ZoneId.systemDefault()));
      String state = status.round() == 0 ? BEGINNING : ProgressView.line(status);
      write(page.underWay(run, state + "; at " + time));
      long took = System.nanoTime() - nowNanos;
      intervalNanos = Math.max(INTERVAL_NANOS, SHARE_OF_TIME * took);
    }
  }

  synchronized void showFaults(FaultReport report, long nowNanos) {
    faults.take(report, nowNanos).forEach(run::addFault);
  }

  /** Writes the final page; later calls are ignored. */
  synchronized void end(String how) {
    if (!ended) {
      ended = true;
      write(page.ended(run, how));
      files.close();
    }
  }

  private void write(String html) {
    byte[] bytes = html.getBytes(StandardCharsets.UTF_8);
    WholeFile.Content content = out -> out.write(bytes);
    files.write(file.place(), content);
  }
}
