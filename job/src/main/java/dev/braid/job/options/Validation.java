package dev.braid.job.options;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.ValueRange;
import dev.braid.connectors.text.TableColumn;
import dev.braid.files.PlacedFile;
import dev.braid.files.WholeFile;
import dev.braid.job.console.Places;
import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;

/** Checks of the options before any job starts; data and model have their own checks. */
public final class Validation {

  /**
   * Maximum number of workers and servers together. Exchanges, messages and state need no bound,
   * but Flink's channels grow with the square of the ranks, to about a million here. The bound
   * keeps typed or stored values from requesting any number of them. Exchanges are simulated with
   * up to as many ranks.
   */
  public static final int MAX_RANKS = 1024;

  private static final int PROBE_BYTES = 4096;

  private static final String METADATA = "_metadata";

  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

  private Validation() {}

  /**
   * Checks places and the port on this machine without creating anything, so that a later error
   * leaves nothing behind.
   *
   * @throws UsageException for the first error
   */
  public static void checkPlaces(TrainOptions options) {
    checkWritable("--out", options.results().out());
    options.recovery().checkpointDir().ifPresent(place -> checkWritable("--checkpoint-dir", place));
    options
        .results()
        .publish()
        .map(TrainOptions.Publish::registry)
        .filter(it -> !it.isTopic())
        .ifPresent(it -> checkWritable("--publish", it.name()));
    options
        .recovery()
        .restore()
        .filter(place -> !options.restoresLatest())
        .ifPresent(Validation::checkRestore);
    options.results().webPort().ifPresent(Validation::checkFree);
  }

  /**
   * Checks that no range of workers is given, because the embedded Flink always has a slot for each
   * rank.
   */
  public static void checkEmbedded(TrainOptions options) {
    if (options.sharing().bounds().fewest().isPresent()) {
      throw new UsageException(
          ("--workers %s: a range is possible only on a cluster, not in the embedded Flink; "
                  + "use one number, such as --workers %d")
              .formatted(options.sharing().bounds().typed(), options.workers()));
    }
  }

  /** Returns the error of a range on a cluster whose settings do not support it. */
  public static UsageException boundsNotKept(WorkerBounds bounds) {
    return new UsageException(
        ("--workers %s: a range needs a cluster with jobmanager.scheduler: adaptive; "
                + "use that, or one number, such as --workers %d")
            .formatted(bounds.typed(), bounds.most()));
  }

  /**
   * Checks the port for metrics.
   *
   * @throws UsageException if it is out of range, or another program uses it
   */
  public static void checkMetricsPort(int port) {
    require(port >= 1 && port <= 65535, "--metrics-port", port, "1 to 65535");
    checkFree(
        port,
        e ->
            new UsageException(
                "--metrics-port " + port + ": in use by another program; choose another port", e));
  }

  private static void checkFree(int port) {
    checkFree(port, e -> portTaken(Integer.toString(port), e));
  }

  private static void checkFree(int port, Function<IOException, UsageException> taken) {
    try {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    } catch (IOException e) {
      throw taken.apply(e);
    }
  }

  /**
   * Returns the error of a port in use. It may still occur when the web UI starts, if another
   * program was faster.
   */
  public static UsageException portTaken(String port, Exception cause) {
    return new UsageException(
        "--web-port "
            + port
            + ": in use by another program; choose another port, or 0 for any free port",
        cause);
  }

  /** Returns the error of a process whose memory limit is too low for its ranks. */
  public static UsageException tooLittleMemory(int ranks, long neededBytes, long mostBytes) {
    return new UsageException(
        String.format(
            Locale.ROOT,
            "--workers: %d workers and servers in one process need %.1f GB for buffers of "
                + "their links, and this process can have %.1f GB: use fewer, a larger "
                + "JAVA_OPTS=-Xmx, or a cluster",
            ranks,
            neededBytes / 1e9,
            mostBytes / 1e9));
  }

  /** Checks that the target is one that models of this data can have. */
  public static void checkTarget(TrainOptions options, Shape shape) {
    if (shape.hasValues() && options.learning().targetAccuracy().isPresent()) {
      throw new UsageException(
          "--target-accuracy "
              + Typed.number(options.learning().targetAccuracy().getAsDouble())
              + ": a regression has no accuracy: use --target-loss");
    }
    if (!shape.hasValues() && options.learning().other().targetLoss().isPresent()) {
      throw new UsageException(
          "--target-loss "
              + Typed.number(options.learning().other().targetLoss().getAsDouble())
              + ": only with --regression; for classes, use --target-accuracy");
    }
  }

  /**
   * Checks that values are 0 or more if the model's loss requires it: the loss takes logarithms,
   * and could not be computed for training or test samples below 0.
   */
  public static void checkValues(ModelSpec model, DataLocation.Contents contents) {
    if (model.needsValuesFromZero()) {
      List<TableColumn> columns = contents.location().valueColumns();
      checkFromZero(model, columns, contents.train().values(), "");
      checkFromZero(model, columns, contents.test().values(), " in test samples");
    }
  }

  private static void checkFromZero(
      ModelSpec model, List<TableColumn> columns, List<ValueRange> ranges, String where) {
    for (int i = 0; i < ranges.size(); i++) {
      ValueRange range = ranges.get(i);
      if (columns.get(i).scaled((float) range.least()) < 0) {
        throw new UsageException(
            "--model %s: its loss needs values of 0 or more, but %s"
                .formatted(
                    model.name(),
                    range.least() < 0
                        ? "those of %s%s begin at %.4g: use another loss"
                            .formatted(range.name(), where, range.least())
                        : "standardized values can be negative: use no --standardize"));
      }
    }
  }

  /** Checks that there is a sample for each worker. */
  public static void checkSamples(TrainOptions options, int samples) {
    if (options.workers() > samples) {
      throw new UsageException(
          "--workers "
              + options.workers()
              + ": the data has only "
              + samples
              + " training samples, and each worker needs one");
    }
  }

  /**
   * Creates the folder for the results and writes to it, which is the only reliable test. Also
   * writes to the place of checkpoints if that is not on this machine's disks.
   *
   * @return folder on this machine for the run's log and lock: that for the results, or a new
   *     temporary one if the results go elsewhere
   * @throws UsageException if a place cannot be written to
   */
  public static Path prepareOut(TrainOptions options) {
    options
        .recovery()
        .checkpointDir()
        .filter(place -> !isLocal("--checkpoint-dir", place))
        .ifPresent(place -> RemoteProbe.of("--checkpoint-dir", place).write());
    if (!isLocal("--out", options.results().out())) {
      RemoteProbe.of("--out", options.results().out()).write();
      return newLogFolder();
    }
    Path out = localPath(options.results().out());
    try {
      // A full disk allows creating files, but not writing to them.
      Path probe = out.resolve(".braid");
      WholeFile.write(probe, content -> content.write(new byte[PROBE_BYTES]));
      Files.delete(probe);
      return out;
    } catch (IOException e) {
      throw new UsageException(
          "--out " + options.results().out() + ": cannot be written to: " + WholeFile.reason(e), e);
    }
  }

  private static Path newLogFolder() {
    try {
      return WholeFile.newTemporaryFolder("braid-log-");
    } catch (IOException e) {
      throw new UsageException(
          "the log needs a folder for temporary files: " + WholeFile.reason(e), e);
    }
  }

  /**
   * Checks numbers.
   *
   * @throws UsageException for the first error
   */
  public static void checkNumbers(TrainOptions options) {
    int workers = options.workers();
    require(
        workers >= 1 && workers <= MAX_RANKS,
        "--workers",
        options.sharing().bounds().typed(),
        "1 to " + MAX_RANKS);
    if (options.servers() > MAX_RANKS - workers) {
      throw new UsageException(
          ("--workers %d and %d ranks that compute nothing are %d ranks; at most %d are "
                  + "possible")
              .formatted(
                  workers, options.servers(), (long) workers + options.servers(), MAX_RANKS));
    }
    options
        .sharing()
        .exchange()
        .descriptor()
        .mistake(options.sharing().options())
        .ifPresent(
            mistake -> {
              throw new UsageException(
                  "--exchange " + options.sharing().exchange() + ": " + mistake);
            });
    require(options.learning().epochs() >= 1, "--epochs", options.learning().epochs(), "1 or more");
    options
        .learning()
        .targetAccuracy()
        .ifPresent(
            target ->
                require(
                    target > 0 && target <= 1,
                    "--target-accuracy",
                    target,
                    "more than 0 and at most 1, such as 0.98"));
    options
        .learning()
        .learningRate()
        .ifPresent(
            rate ->
                require(
                    rate > 0 && !Double.isInfinite(rate),
                    "--learning-rate",
                    rate,
                    "a finite number above 0"));
    options
        .results()
        .webPort()
        .ifPresent(port -> require(port >= 0 && port <= 65535, "--web-port", port, "0 to 65535"));
    require(
        options.recovery().checkpointInterval().compareTo(SHORTEST_INTERVAL) >= 0,
        "--checkpoint-interval",
        Typed.time(options.recovery().checkpointInterval()),
        SHORTEST_INTERVAL.toMillis() + "ms or more");
  }

  /** Checks the warm-up once the number of epochs is known, whose default depends on the data. */
  public static void checkWarmUp(TrainOptions options) {
    require(
        options.learning().other().schedule().warmUpEpochs() <= options.learning().epochs(),
        "--warm-up",
        options.learning().other().schedule().warmUpEpochs(),
        "at most " + options.learning().epochs() + ", the number of --epochs");
  }

  private static void require(boolean met, String option, Object value, String needed) {
    if (!met) {
      String typed = value instanceof Double number ? Typed.number(number) : value.toString();
      throw new UsageException(option + " " + typed + ": must be " + needed);
    }
  }

  /**
   * Returns a place in a form that is valid on other machines of a cluster, which have other
   * working directories.
   *
   * @param place a path, or a URI of a file system that Flink supports
   */
  public static String placeOf(String option, String place) {
    return !isLocal(option, place) || place.contains(":/") ? place : localPath(place).toString();
  }

  public static void checkWritable(String option, String place) {
    if (!isLocal(option, place)) {
      RemoteProbe.of(option, place).reach();
      return;
    }
    Path folder = localPath(place);
    String shown = Places.shown(place);
    Path existing = folder;
    while (!Files.exists(existing)) {
      existing = existing.getParent();
      if (existing == null) {
        throw new UsageException(option + " " + shown + ": does not exist");
      }
    }
    if (!Files.isDirectory(existing)) {
      throw new UsageException(
          option + " " + shown + ": " + Places.shown(existing) + " is not a folder");
    }
    if (!Files.isWritable(existing) || !Files.isExecutable(existing)) {
      throw new UsageException(
          option + " " + shown + ": " + Places.shown(existing) + " cannot be written to");
    }
  }

  /**
   * Checks that there is a complete checkpoint at a place.
   *
   * @throws UsageException if there is none; suggests one nearby
   */
  public static void checkRestore(String place) {
    if (isLocal("--restore", place)) {
      Path path = localPath(place);
      Path metadata = Files.isDirectory(path) ? path.resolve(METADATA) : path;
      if (!Files.isReadable(metadata) || !metadata.endsWith(METADATA)) {
        throw noCheckpoint(place, hint(path));
      }
    } else if (!(place.endsWith("/" + METADATA)
            ? new PlacedFile(place)
            : PlacedFile.in(place, METADATA))
        .exists()) {
      throw noCheckpoint(place, shown(Checkpoints.newestBelow(place)));
    }
  }

  private static UsageException noCheckpoint(String place, String hint) {
    return new UsageException(
        "--restore "
            + place
            + ": no checkpoint or savepoint there: it must be a folder with a file _metadata"
            + hint);
  }

  /**
   * Suggests a checkpoint. The user may have given the folder above it, or an incomplete one next
   * to it, which a killed JobManager had begun to write.
   */
  private static String hint(Path folder) {
    return shown(
        Checkpoints.newestBelow(folder)
            .or(() -> Optional.ofNullable(folder.getParent()).flatMap(Checkpoints::newestBelow))
            .map(Path::toString));
  }

  private static String shown(Optional<String> checkpoint) {
    return checkpoint.map(found -> ", for example " + Places.shown(found)).orElse("");
  }

  /** Returns whether a place is on this machine's disks. */
  public static boolean isLocal(String option, String place) {
    if (place.isBlank()) {
      throw new UsageException(option + " '" + place + "': must be a path");
    }
    if (place.matches("[A-Za-z]:.*")) {
      // Flink would take the letter for a drive.
      throw new UsageException(option + " " + place + ": write ./" + place + " if it is a path");
    }
    try {
      return !FileSystem.get(new org.apache.flink.core.fs.Path(place).toUri()).isDistributedFS();
    } catch (UnsupportedFileSystemSchemeException e) {
      String scheme = new org.apache.flink.core.fs.Path(place).toUri().getScheme();
      throw new UsageException(option + " " + place + ": " + FilePlugins.missing(scheme), e);
    } catch (IOException | RuntimeException e) {
      // The file system refuses its settings, or the part after the scheme.
      throw new UsageException(option + " " + place + ": " + reason(e), e);
    }
  }

  private static String reason(Exception failure) {
    String reason = failure instanceof IOException io ? WholeFile.reason(io) : failure.getMessage();
    return reason == null ? failure.toString() : reason.lines().findFirst().orElse("");
  }

  /**
   * Returns the absolute path of a place on this machine, given as a path or as a {@code file:}
   * URI.
   */
  public static Path localPath(String place) {
    return Path.of(new org.apache.flink.core.fs.Path(place).toUri().getPath())
        .toAbsolutePath()
        .normalize();
  }
}
