package dev.braid.run.report.verdict;

import dev.braid.learner.Learner;
import dev.braid.run.result.TestScore;
import dev.braid.worker.report.Reports.Finished;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * Comparison of the final replicas. The first one is the model that is saved.
 *
 * @param finished final report of each worker that was not excluded, by rank
 */
record Replicas(List<Finished> finished) {

  /** Returns the digest of the first worker's weights. */
  String digest() {
    return digest(finished.get(0));
  }

  /**
   * Returns the number of workers with the first worker's weights, bit for bit, including the
   * first.
   */
  int identical() {
    return (int) finished.stream().filter(rank -> digest(rank).equals(digest())).count();
  }

  /**
   * Returns the distance between replicas: the root mean square of a weight's distance from the
   * replicas' mean, as a share of the root mean square of the weights. It is computed on the sample
   * of weights that each worker has sent.
   */
  double distance() {
    if (identical() == finished.size()) {
      return 0;
    }
    double squares = 0;
    double distances = 0;
    for (int i = 0; i < finished.get(0).sample().length; i++) {
      double sum = 0;
      for (Finished rank : finished) {
        sum += rank.sample()[i];
      }
      double mean = sum / finished.size();
      for (Finished rank : finished) {
        double weight = rank.sample()[i];
        squares += weight * weight;
        distances += (weight - mean) * (weight - mean);
      }
    }
    return squares == 0 ? 0 : Math.sqrt(distances / squares);
  }

  /** Returns the score of each replica that was evaluated separately. */
  List<TestScore> scores() {
    return finished.stream()
        .map(Finished::replica)
        .filter(score -> score.samples() > 0)
        .map(TestScore::of)
        .toList();
  }

  /** Returns the score of the model that is handed over, if the workers evaluated it together. */
  Optional<TestScore> finalScore() {
    Learner.Score all =
        finished.stream().map(Finished::last).reduce(Learner.Score.NONE, Learner.Score::plus);
    return all.samples() == 0 ? Optional.empty() : Optional.of(TestScore.of(all));
  }

  /**
   * Returns the variance of accuracies, in percentage points squared; 0 if there are none. It is
   * the mean squared distance from the mean: the population variance, since these are all replicas
   * and not a sample of them.
   */
  double accuracyVariancePp2() {
    double mean = percentagePoints().average().orElse(0);
    return percentagePoints().map(points -> (points - mean) * (points - mean)).average().orElse(0);
  }

  private DoubleStream percentagePoints() {
    return scores().stream().mapToDouble(score -> 100 * score.accuracy());
  }

  /**
   * Checks that all replicas are the same.
   *
   * @throws ReplicasDifferException if one differs
   */
  void checkIdentical() {
    for (Finished rank : finished) {
      if (!digest(rank).equals(digest())) {
        throw new ReplicasDifferException(
            "the replicas differ: worker "
                + rank.rank()
                + " has weights of digest "
                + digest(rank)
                + ", others "
                + digest());
      }
    }
  }

  private static String digest(Finished rank) {
    return HexFormat.of().formatHex(rank.digest());
  }
}
