package dev.braid.run.pace;

import dev.braid.run.result.Evaluation;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Estimates the remaining time of a run from the remaining samples, at the rate of the last half
 * minute, plus evaluations between epochs once their cost is known. Of the latest epochs the
 * shortest counts, since another one may contain a stall. While all ranks are stalled, there is no
 * estimate.
 *
 * <p>A process that has just started is several times slower than later, until its code is
 * compiled. If epochs were complete before, as in a restored run, they give the better estimate.
 */
public final class TimeLeft {

  private static final int RECENT_EPOCHS = 3;

  private TimeLeft() {}

  /**
   * Returns the seconds until the last epoch is complete; empty if it is complete or there is no
   * estimate.
   *
   * @param evaluations evaluations of the complete epochs
   * @param epochsLeft number of epochs left, including the rest of the current one
   * @param samplesLeft number of samples left to train on in these epochs
   * @param samplesPerSecond rate of training; 0 if it is not known or all ranks are stalled
   * @param isSteady whether the rate has been measured for long enough
   */
  public static OptionalDouble seconds(
      List<Evaluation> evaluations,
      double epochsLeft,
      double samplesLeft,
      double samplesPerSecond,
      boolean isSteady) {
    if (samplesPerSecond <= 0) {
      return OptionalDouble.empty();
    }
    double bySamples = samplesLeft / samplesPerSecond;
    double byEpochs = epochsLeft * shortestSeconds(evaluations);
    double seconds = isSteady || byEpochs == 0 ? Math.max(bySamples, byEpochs) : byEpochs;
    return seconds > 0 ? OptionalDouble.of(seconds) : OptionalDouble.empty();
  }

  /**
   * Returns the shortest duration of the latest epochs; 0 before there are two that began at the
   * end of another one. A single duration is not used, because an evaluation that is amended late
   * may have a later time than the next one.
   */
  private static double shortestSeconds(List<Evaluation> evaluations) {
    int last = evaluations.size() - 1;
    return last < 2
        ? 0
        : IntStream.range(Math.max(0, last - RECENT_EPOCHS), last)
            .mapToDouble(i -> evaluations.get(i + 1).seconds() - evaluations.get(i).seconds())
            .min()
            .orElseThrow();
  }
}
