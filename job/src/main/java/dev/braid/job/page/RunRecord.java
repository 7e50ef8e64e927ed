package dev.braid.job.page;

import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The contents of a run's page, collected from its statuses. Their size is bounded however long the
 * run is: if there are many speeds or epochs, every second one is removed, except the last epochs.
 * The first faults and the last notes are kept.
 */
public final class RunRecord {

  private static final int MOST_SPEEDS = 800;
  private static final int MOST_FAULTS = 300;
  private static final int MOST_EPOCHS = 600;

  /** Number of last epochs that are always kept. */
  private static final int RECENT_EPOCHS = 200;

  /** Speed of the run at a moment. */
  record Speed(double seconds, double samplesPerSecond) {}

  /** Report of a fault or of its effect on the run, and its approximate time. */
  record Fault(double seconds, String what) {}

  private final TreeMap<Integer, Evaluation> evaluations = new TreeMap<>();
  private final List<Speed> speeds = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private int moreFaults;

  /** Number of statuses for each recorded speed. */
  private int stride = 1;

  private int skipped;
  private Optional<Status> latest = Optional.empty();
  private final ShownNotes notes = new ShownNotes();

  /** Adds the news of a status. */
  public void add(Status status) {
    boolean isProgress = latest.filter(before -> before.round() >= status.round()).isEmpty();
    List<Integer> leftOut = latest.map(Status::leftOut).orElse(List.of());
    status.evaluations().forEach(this::add);
    latest = Optional.of(status);
    if (isProgress && status.samplesPerSecond() > 0 && ++skipped >= stride) {
      skipped = 0;
      speeds.add(new Speed(status.seconds(), status.samplesPerSecond()));
      thin();
    }
    status.leftOutSince(leftOut).forEach(worker -> addFault("worker " + worker + " is excluded"));
    status.backSince(leftOut).forEach(worker -> addFault("worker " + worker + " has rejoined"));
    notes.take(status).forEach(this::addFault);
  }

  private void add(Evaluation line) {
    boolean isKnown = evaluations.containsKey(line.epoch());
    boolean isNew = evaluations.isEmpty() || line.epoch() > evaluations.lastKey();
    if (isKnown || isNew) {
      evaluations.put(line.epoch(), line);
    }
    if (evaluations.size() > MOST_EPOCHS) {
      boolean goes = false;
      List<Integer> epochs = List.copyOf(evaluations.keySet());
      for (int epoch : epochs.subList(0, epochs.size() - RECENT_EPOCHS)) {
        if (goes) {
          evaluations.remove(epoch);
        }
        goes = !goes;
      }
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

  /** Adds the report of a fault, at the time of the latest status. */
  public void addFault(String what) {
    if (faults.size() < MOST_FAULTS) {
      faults.add(new Fault(latest.map(Status::seconds).orElse(0.0), what));
    } else {
      moreFaults++;
    }
  }

  /** Returns the evaluations of epochs, in order. */
  List<Evaluation> evaluations() {
    return List.copyOf(evaluations.values());
  }

  /** Returns the evaluations of the last epochs, without gaps. */
  List<Evaluation> recentEvaluations() {
    List<Evaluation> all = evaluations();
    return all.subList(Math.max(0, all.size() - RECENT_EPOCHS), all.size());
  }

  List<Speed> speeds() {
    return List.copyOf(speeds);
  }

  List<Fault> faults() {
    return List.copyOf(faults);
  }

  /** Returns the number of faults that were not kept. */
  int moreFaults() {
    return moreFaults;
  }

  /** Returns the outcome of the run; empty until it has ended. */
  Optional<Outcome> outcome() {
    return latest.flatMap(Status::outcome);
  }
}
