package dev.braid.job.options;

import dev.braid.files.PlacedFile;

/**
 * The folder for a run's results, on this machine's disks or on another file system of Flink's.
 *
 * @param place a path from the root on, or a URI, without a slash at its end
 */
public record OutPlace(String place) {

  /** The one that options name. */
  public static OutPlace of(TrainOptions options) {
    return new OutPlace(
        Validation.isLocal("--out", options.out())
            ? Validation.localPath(options.out()).toString()
            : options.out().replaceFirst("/+$", ""));
  }

  /** A file in it. */
  public PlacedFile file(String name) {
    return PlacedFile.in(place, name);
  }
}
