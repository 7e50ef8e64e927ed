package dev.braid.job.restore;

import dev.braid.files.Printable;
import dev.braid.job.console.Places;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.Validation;
import dev.braid.wire.DamagedStateException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/** Says that a checkpoint is damaged, and which one to take instead. */
public final class CheckpointDamage {

  /** Most checkpoints that are looked at, as each is read whole. */
  private static final int MOST_TRIED = 10;

  private static final int MOST_LETTERS = 300;

  /** Beside it are those of the same job, and one level up those of others. */
  private static final Pattern OF_A_JOB = Pattern.compile("(.+)/[^/]+/chk-[0-9]+");

  private CheckpointDamage() {}

  /**
   * Returns what is to be said of a damaged checkpoint: what is wrong with it, and the newest one
   * before it that is whole.
   *
   * @param run where the run has its checkpoints, if that is known
   */
  public static String sentence(String place, Optional<String> run, String reason) {
    return "the checkpoint is damaged: "
        + Places.within(plain(reason))
        + "; "
        + instead(place, run);
  }

  /** Names the newest whole checkpoint before another; of any time, where that is not listed. */
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

  /** Returns the reason without its common prefix, of 300 characters at most. */
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
