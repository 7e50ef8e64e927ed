package dev.braid.api.score;

import dev.braid.run.scoring.RecordScore;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * A record with its score.
 *
 * @param <T> type of the record
 */
@PublicEvolving
@TypeInfo(ScoredTypeFactory.class)
public final class Scored<T> {

  private final T record;
  private final RecordScore score;

  /** Combines a record with its score. */
  @Internal
  public Scored(T record, RecordScore score) {
    this.record = record;
    this.score = score;
  }

  /** Returns the record. */
  public T record() {
    return record;
  }

  /** Returns the name of the version that has scored the record, such as {@code v17}. */
  public String version() {
    return score.version();
  }

  /**
   * Returns the output of the model: a number for each class, which is its probability if the model
   * ends with a softmax; or the values, in the units of the data. Empty if the record could not be
   * scored.
   */
  public float[] scores() {
    return score.scores();
  }

  /**
   * Returns the first value of a model that predicts values.
   *
   * @throws IllegalStateException if the record could not be scored
   */
  public float value() {
    checkScored();
    return scores()[0];
  }

  /**
   * Returns the number of the class with the largest score, from 0.
   *
   * @throws IllegalStateException if the record could not be scored
   */
  public int classNumber() {
    checkScored();
    float[] scores = scores();
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      if (scores[i] > scores[best]) {
        best = i;
      }
    }
    return best;
  }

  /** Returns the name of the class with the largest score, if the model has classes. */
  public Optional<String> label() {
    return text(score.label());
  }

  /** Returns why the record could not be scored; empty if it was scored. */
  public Optional<String> error() {
    return text(score.error());
  }

  private static Optional<String> text(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private void checkScored() {
    if (!score.isScored()) {
      throw new IllegalStateException("the record could not be scored: " + score.error());
    }
  }

  RecordScore score() {
    return score;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Scored<?> that
        && Objects.equals(record, that.record)
        && score.version().equals(that.score.version())
        && Arrays.equals(score.scores(), that.score.scores())
        && score.label().equals(that.score.label())
        && score.error().equals(that.score.error());
  }

  @Override
  public int hashCode() {
    return Objects.hash(record, score.version(), Arrays.hashCode(score.scores()));
  }

  @Override
  public String toString() {
    return "Scored[record=%s, version=%s, %s]"
        .formatted(
            record,
            score.version(),
            score.isScored()
                ? (score.label().isEmpty() ? "" : "label=" + score.label() + ", ")
                    + "scores="
                    + Arrays.toString(score.scores())
                : "error=" + score.error());
  }
}
