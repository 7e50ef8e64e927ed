package dev.braid.job.restore;

import dev.braid.job.console.Places;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.TrainOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Search for the checkpoint of {@code --restore latest}. */
public final class LatestCheckpoint {

  private LatestCheckpoint() {}

  /**
   * Returns the run resumed from the newest checkpoint that fits it.
   *
   * @param fromCheckpoint plans the run from a checkpoint, given the reasons why newer ones were
   *     skipped
   * @throws UsageException if there is no checkpoint, or none fits
   */
  public static <T> T restore(
      TrainOptions options, BiFunction<TrainOptions, List<String>, T> fromCheckpoint) {
    String place = Checkpoints.placeOf(options);
    List<UsageException> unfit = new ArrayList<>();
    List<String> damaged = new ArrayList<>();
    for (String checkpoint : Checkpoints.below(place)) {
      try {
        return fromCheckpoint.apply(options.withRestore(checkpoint), List.copyOf(damaged));
      } catch (DamagedCheckpointException e) {
        unfit.add(e);
        damaged.add(e.getMessage().replaceFirst("^--restore ", "ignored: "));
      } catch (UsageException e) {
        unfit.add(e);
      }
    }
    if (unfit.isEmpty()) {
      throw new UsageException(
          "--restore latest: "
              + Places.shown(place)
              + " has no complete checkpoint: "
              + FinishedRun.before(options)
                  .map(FinishedRun::noCheckpoint)
                  .orElse("give the path of a checkpoint, or start again without --restore"));
    }
    throw new UsageException(
        "--restore latest: none of %d checkpoints in %s fits; the newest: %s"
            .formatted(unfit.size(), Places.shown(place), unfit.get(0).getMessage()),
        unfit.get(0));
  }
}
