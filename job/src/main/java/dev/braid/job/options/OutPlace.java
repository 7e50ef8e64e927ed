package dev.braid.job.options;

import dev.braid.files.PlacedFile;

/**
 * The folder for a run's results, on this machine's disks or on another of Flink's file systems.
 *
 * @param place an absolute path, or a URI, without a slash at its end
 */
public record OutPlace(String place) {

  /** Returns the folder that the options name. */
  public static OutPlace of(TrainOptions options) {
    return new OutPlace(
        Validation.isLocal("--out", options.results().out())
            ? Validation.localPath(options.results().out()).toString()
            : options.results().out().replaceFirst("/+$", ""));
  }

  /** Returns a file in the folder. */
  public PlacedFile file(String name) {
    return PlacedFile.in(place, name);
  }
}
