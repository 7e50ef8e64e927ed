package dev.braid.job.restore;

import dev.braid.job.console.Places;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.Validation;
import dev.braid.text.Printable;
import dev.braid.wire.DamagedStateException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/** Messages about a damaged checkpoint, which suggest another checkpoint. */
public final class CheckpointDamage {

  /** Maximum number of checkpoints to examine, since each is read whole. */
  private static final int MOST_TRIED = 10;

  private static final int MOST_LETTERS = 300;

  /**
   * Path of a checkpoint. Its parent has the checkpoints of the same job, and the folder above has
   * those of other jobs.
   */
  private static final Pattern OF_A_JOB = Pattern.compile("(.+)/[^/]+/chk-[0-9]+");

  private CheckpointDamage() {}

  /**
   * Returns a message about a damaged checkpoint: the damage, and the newest undamaged checkpoint
   * before it.
   *
   * @param run place of the run's checkpoints, if known
   */
  public static String sentence(String place, Optional<String> run, String reason) {
    return "the checkpoint is damaged: "
        + Places.within(plain(reason))
        + "; "
        + instead(place, run);
  }

  /**
   * Names the newest undamaged checkpoint before another one; if that one is not listed, the newest
   * of all.
   */
  static String instead(String place, Optional<String> run) {
    String own = normal(place);
    List<String> all = folder(own, run).map(Checkpoints::below).orElse(List.of());
    int index = all.stream().map(CheckpointDamage::normal).toList().indexOf(own);
    String which = index < 0 ? "" : " before it";
    return all.stream()
        .skip(index + 1)
        .limit(MOST_TRIED)
        .filter(CheckpointDamage::isWhole)
        .findFirst()
        .map(whole -> "the newest complete checkpoint" + which + " is " + Places.shown(whole))
        .orElse("no complete checkpoint" + which + " was found");
  }

  /** Returns the reason without its common prefix, cut to 300 characters. */
  private static String plain(String reason) {
    String line = reason.replaceFirst("^" + Pattern.quote(DamagedStateException.WORDS), "");
    return Printable.of(
        line.length() <= MOST_LETTERS ? line : line.substring(0, MOST_LETTERS) + "…");
  }

  private static Optional<String> folder(String own, Optional<String> run) {
    Matcher checkpoint = OF_A_JOB.matcher(own);
    return run.filter(its -> Checkpoints.isBelow(its, own))
        .or(() -> checkpoint.matches() ? Optional.of(checkpoint.group(1)) : run);
  }

  /** Returns the checkpoint's folder, as a path if it is on this machine. */
  private static String normal(String place) {
    String folder = place.replaceFirst("/*(/_metadata)?$", "");
    return Validation.isLocal("--restore", folder)
        ? Validation.localPath(folder).toString()
        : folder;
  }

  private static boolean isWhole(String place) {
    try {
      StreamStateHandle file =
          AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(FlinkSettings.asUri(place))
              .getMetadataHandle();
      CheckpointMetadata metadata = WholenessCheck.metadata(file, place);
      if (StateFilesCheck.stranger(metadata).isPresent()) {
        return false;
      }
      WholenessCheck.check(metadata);
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
