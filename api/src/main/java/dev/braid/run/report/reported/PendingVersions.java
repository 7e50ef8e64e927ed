package dev.braid.run.report.reported;

import dev.braid.run.result.Evaluation;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Models that are to become versions. Each waits until a checkpoint that contains it is complete,
 * and then until it is published. They are in the report's state, so a job that fails in between
 * publishes them after its restart with the same numbers.
 */
public final class PendingVersions {

  /**
   * Least distance between versions: a model becomes a version when an epoch or a window ends and
   * at least this much has passed since the last version.
   *
   * @param rounds number of rounds; 0 if time decides
   * @param millis time in ms
   */
  public record Pace(long rounds, long millis) implements Serializable {}

  /**
   * A model that waits.
   *
   * @param number number of the version
   * @param round number of rounds that it was trained for
   * @param loss loss on the samples that the model was evaluated on; like the next figures, NaN if
   *     it is not known
   * @param accuracy accuracy on these samples, 0 to 1
   * @param r2 R² on these samples
   * @param trainLoss mean loss over the samples of the epoch or the window
   * @param drift drift of the window
   * @param weights all weights, with running statistics
   */
  public record Pending(
      int number,
      long round,
      double loss,
      double accuracy,
      double r2,
      double trainLoss,
      double drift,
      float[] weights) {

    private static Pending of(int number, Evaluation evaluated, float[] weights) {
      boolean isScored = evaluated.testSamples() > 0;
      return new Pending(
          number,
          evaluated.round(),
          isScored ? evaluated.testLoss() : Double.NaN,
          isScored ? evaluated.testAccuracy() : Double.NaN,
          isScored ? evaluated.testR2() : Double.NaN,
          evaluated.trainLoss(),
          evaluated.drift(),
          weights);
    }

    private static Pending unevaluated(int number, long round, float[] weights) {
      double unknown = Double.NaN;
      return new Pending(number, round, unknown, unknown, unknown, unknown, unknown, weights);
    }

    /** Returns the figures that are known, by name. */
    public SortedMap<String, Double> figures() {
      SortedMap<String, Double> known =
          new TreeMap<>(
              Map.of(
                  "loss",
                  loss,
                  "accuracy",
                  accuracy,
                  "r2",
                  r2,
                  "trainLoss",
                  trainLoss,
                  "drift",
                  drift));
      known.values().removeIf(figure -> !Double.isFinite(figure));
      return known;
    }
  }

  /**
   * The last model that was taken.
   *
   * @param number number of its version
   * @param round number of rounds that it was trained for
   * @param millis time when it was taken, in ms since 1970
   */
  public record Last(int number, long round, long millis) {}

  /** Maximum number of waiting models; while a registry cannot be written, no more are taken. */
  private static final int MOST = 4;

  private final Pace pace;
  private final List<Pending> pending = new ArrayList<>();

  /** For each checkpoint that may become complete, the number of the last version in it. */
  private final NavigableMap<Long, Integer> inCheckpoints = new TreeMap<>();

  private Last last = new Last(0, 0, 0);

  /** Number of the last version that was handed out for publication. */
  private int givenOut;

  /** Creates the queue of a run that begins. */
  public PendingVersions(Pace pace) {
    this.pace = pace;
  }

  /** Continues after the newest version in the registry. */
  public void begin(int newest) {
    last = new Last(newest, 0, 0);
    givenOut = newest;
  }

  /**
   * Takes the model at the end of an epoch or a window if it is time for a version.
   *
   * @param weights copies the weights
   */
  public void offer(Evaluation evaluation, Supplier<float[]> weights, long nowMillis) {
    boolean isDue =
        pace.rounds() > 0
            ? evaluation.round() - last.round() >= pace.rounds()
            : nowMillis - last.millis() >= pace.millis();
    if (isDue && evaluation.round() > last.round() && pending.size() < MOST) {
      take(Pending.of(last.number() + 1, evaluation, weights.get()), nowMillis);
    }
  }

  /** Takes the model with which a run ends, unless it is the last version. */
  public void conclude(
      long round, Optional<Evaluation> evaluation, float[] weights, long nowMillis) {
    if (round > last.round()) {
      int number = last.number() + 1;
      float[] copy = weights.clone();
      take(
          evaluation
              .filter(it -> it.round() == round)
              .map(it -> Pending.of(number, it, copy))
              .orElseGet(() -> Pending.unevaluated(number, round, copy)),
          nowMillis);
    }
  }

  private void take(Pending version, long nowMillis) {
    last = new Last(version.number(), version.round(), nowMillis);
    pending.add(version);
  }

  /**
   * Returns the models to publish when a checkpoint is complete, each once: those that it contains.
   */
  public List<Pending> complete(long checkpoint) {
    Optional<Integer> number =
        Optional.ofNullable(inCheckpoints.floorEntry(checkpoint)).map(it -> it.getValue());
    inCheckpoints.headMap(checkpoint, true).clear();
    return number.map(this::giveOut).orElse(List.of());
  }

  /**
   * Returns all models that were not handed out, for a run whose checkpoints will not contain them.
   */
  public List<Pending> giveOutAll() {
    return giveOut(last.number());
  }

  private List<Pending> giveOut(int number) {
    List<Pending> found =
        pending.stream().filter(it -> it.number() > givenOut && it.number() <= number).toList();
    givenOut = Math.max(givenOut, number);
    return found;
  }

  /** Removes a version that is published. */
  public void published(int number) {
    pending.removeIf(it -> it.number() == number);
  }

  /** Returns the numbers of the versions that are not published yet. */
  public List<Integer> numbers() {
    return pending.stream().map(Pending::number).toList();
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  /** Returns the models for a checkpoint. */
  public List<Pending> save(long checkpoint) {
    inCheckpoints.put(checkpoint, last.number());
    return List.copyOf(pending);
  }

  /** Returns the last model that was taken. */
  public Last last() {
    return last;
  }

  /** Restores the content of a complete checkpoint. */
  public void restore(Last before, List<Pending> saved) {
    last = before;
    givenOut = 0;
    pending.addAll(saved);
  }
}
