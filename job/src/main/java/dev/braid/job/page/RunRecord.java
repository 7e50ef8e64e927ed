package dev.braid.job.page;

import dev.braid.job.report.Evaluation;
import dev.braid.job.report.Outcome;
import dev.braid.job.report.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a page shows of a run, as it has come together from one status after the other. It is
 * bounded however long the run is: of speeds every second one goes when there are many, and of
 * faults the first stay.
 */
public final class RunRecord {

  private static final int MOST_SPEEDS = 800;
  private static final int MOST_FAULTS = 300;

  /** How fast the run was at a moment. */
  record Speed(double seconds, double samplesPerSecond) {}

  /** What was told of a fault, about when it happened. */
  record Fault(double seconds, String what) {}

  private final TreeMap<Integer, Evaluation> evaluations = new TreeMap<>();
  private final List<Speed> speeds = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private int moreFaults;

  /** One in so many statuses is taken of speeds. */
  private int stride = 1;

  private int skipped;
  private Optional<Status> latest = Optional.empty();

  /** Takes over what is new. */
  public void add(Status status) {
    boolean isProgress = latest.filter(before -> before.round() >= status.round()).isEmpty();
    status.evaluations().forEach(line -> evaluations.put(line.epoch(), line));
    latest = Optional.of(status);
    if (isProgress && status.samplesPerSecond() > 0 && ++skipped >= stride) {
      skipped = 0;
      speeds.add(new Speed(status.seconds(), status.samplesPerSecond()));
      thin();
    }
  }

  private void thin() {
    if (speeds.size() == MOST_SPEEDS) {
      for (int i = speeds.size() - 1; i > 0; i -= 2) {
        speeds.remove(i);
      }
      stride *= 2;
    }
  }

  /** Notes what was told of a fault, at the time of the latest status. */
  public void addFault(String what) {
    if (faults.size() < MOST_FAULTS) {
      faults.add(new Fault(latest.map(Status::seconds).orElse(0.0), what));
    } else {
      moreFaults++;
    }
  }

  /** How each epoch ended, in order. */
  List<Evaluation> evaluations() {
    return List.copyOf(evaluations.values());
  }

  List<Speed> speeds() {
    return List.copyOf(speeds);
  }

  List<Fault> faults() {
    return List.copyOf(faults);
  }

  /** How many faults there were besides. */
  int moreFaults() {
    return moreFaults;
  }

  /** How the run ended, once it has. */
  Optional<Outcome> outcome() {
    return latest.flatMap(Status::outcome);
  }
}
