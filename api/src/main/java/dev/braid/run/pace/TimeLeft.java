package dev.braid.run.pace;

import dev.braid.run.result.Evaluation;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * How long a run goes on: by the samples that are left, at the rate of the last half a minute, and
 * with the evaluations between epochs once it is known what those cost. Of several epochs the
 * shortest counts, as another may have a stall in it. While all stand still nobody can tell.
 *
 * <p>A process that has just begun is several times slower than later, until its code is compiled.
 * Where epochs were complete before, as in a run that was restored, these tell better how long the
 * rest takes.
 */
public final class TimeLeft {

  private static final int RECENT_EPOCHS = 3;

  private TimeLeft() {}

  /**
   * Seconds until the last epoch is over; none where it is over, or cannot be told.
   *
   * @param evaluations of the epochs that are over
   * @param epochsLeft with what is left of the one under way
   * @param samplesLeft to train on in these
   * @param samplesPerSecond how fast that goes; 0 if it does not
   * @param isSteady whether that has been measured for long enough
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
   * Of the latest epochs; 0 before there are two that began with the end of another. What is
   * amended late may be of a later time than the next.
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
