package dev.braid.job.models;

import dev.braid.connectors.ModelFiles;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.replay.Replay;
import dev.braid.learner.InvalidModelException;
import dev.braid.run.training.Recomputation;
import dev.braid.vector.VectorDigest;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Command {@code braid models verify}: checks that a version is as it was published, and that
 * repeated training gives the same version.
 */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Verifies that a version is unchanged since its publication.",
      "",
      "Compares its files with their checksums and its weights with their digest. "
          + "For a version trained from a topic, also repeats the training in this process "
          + "from the lineage and compares the digests. The topic must still have the "
          + "records.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:the version is unchanged",
      "1:failed, or a file or a digest differs",
      "2:invalid options, registry, lineage or topic",
      "130:interrupted by Ctrl-C (SIGINT)"
    })
public final class ModelsVerify implements Callable<Integer> {

  private final Terminal terminal;

  @Mixin private final RegistryFlags flags = new RegistryFlags();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VERSION",
      description = {"Version, such as v17.", "Default: the one in service"})
  private String version;

  @Option(
      names = "--lineage",
      paramLabel = "PLACE",
      description = {
        "Folder, URI or kafka:TOPIC of the lineage, if it was moved. A later run into "
            + "the same folder moves it to OUT/earlier.",
        "Default: the place that the training recorded"
      })
  private String lineage;

  @Option(
      names = "--files-only",
      description = "Compare only files and weights; do not repeat the training.")
  private boolean filesOnly;

  /** Creates a command that shows its progress on a terminal. */
  public ModelsVerify(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    return flags.use(
        registry -> {
          int number = RegistryFlags.number(registry, Optional.ofNullable(version));
          return verify(registry, number) ? ExitCodes.OK : ExitCodes.FAILED;
        });
  }

  private boolean verify(ModelRegistry registry, int number)
      throws IOException, InterruptedException {
    ModelVersion checked;
    Optional<String> weights;
    try {
      checked = RegistryFlags.version(registry, number);
      terminal.print(
          "version  " + checked.name() + ", round " + VersionText.count(checked.round()));
      weights = weights(registry, checked);
    } catch (InvalidDataException e) {
      terminal.print("files    DAMAGED: " + e.getMessage());
      return false;
    }
    terminal.print("files    " + checked.files().size() + ", as published");
    boolean isEqual = weights.filter(checked.digest()::equals).isPresent();
    boolean isReplayed = !filesOnly && !checked.lineage().isEmpty() && checked.round() > 0;
    Optional<RecordedRun> run =
        isReplayed || (!isEqual && !checked.lineage().isEmpty())
            ? Optional.of(run(checked))
            : Optional.empty();
    boolean isComparable = weights.isPresent() && (isEqual || !isStandardized(run));
    terminal.print("weights  " + weightsText(checked, weights, isComparable));
    if (isComparable && !isEqual) {
      return false;
    }
    Optional<String> reason = isReplayed ? unrepeatable(run.orElseThrow()) : Optional.empty();
    if (isReplayed && reason.isEmpty()) {
      return replay(checked, run.orElseThrow());
    }
    terminal.print(
        "replay   "
            + (filesOnly
                ? "left out"
                : "not possible: " + reason.orElse("the version has no lineage")));
    return true;
  }

  /** Reads all files, and returns the digest of the weights, if the version has a model file. */
  private static Optional<String> weights(ModelRegistry registry, ModelVersion checked)
      throws IOException {
    Optional<String> digest = Optional.empty();
    for (String name : checked.files().keySet()) {
      byte[] content = registry.file(checked, name);
      if (name.equals(ModelVersion.MODEL)) {
        digest = Optional.of(digest(content));
      }
    }
    return digest;
  }

  private static String digest(byte[] model) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(VectorDigest.sha256(ModelFiles.load(ModelVersion.MODEL, model).weights()));
    } catch (InvalidModelException e) {
      throw new InvalidDataException(e.getMessage(), e);
    }
  }

  private RecordedRun run(ModelVersion checked) throws IOException {
    String place = Optional.ofNullable(lineage).orElse(checked.lineage());
    try (Lineage opened = flags.lineage(place)) {
      RecordedRun run = RecordedRun.read(opened, checked.lineageEntries());
      if (run.rounds() < checked.round()) {
        throw new InvalidDataException(
            ("%s: the lineage has %,d rounds, but %s was trained for %,d: it belongs to "
                    + "another run")
                .formatted(place, run.rounds(), checked.name(), checked.round()));
      }
      return run;
    }
  }

  /** Returns the reason why a run's training cannot be repeated; empty if it can. */
  private Optional<String> unrepeatable(RecordedRun run) throws IOException {
    if (run.began().runFile().isEmpty()) {
      return Optional.of("a program trained it; the method Training.replay repeats the training");
    }
    return Replay.options(run.began().runFile(), terminal).isSynchronous()
        ? Optional.empty()
        : Optional.of("its exchange is asynchronous, so that no other run gives the same bits");
  }

  private boolean isStandardized(Optional<RecordedRun> run) throws IOException {
    return run.isPresent()
        && !run.get().began().runFile().isEmpty()
        && !Replay.options(run.get().began().runFile(), terminal).standardized().isEmpty();
  }

  private static String weightsText(
      ModelVersion checked, Optional<String> digest, boolean isComparable) {
    if (digest.isEmpty()) {
      return "not compared: the version has no " + ModelVersion.MODEL;
    }
    if (!isComparable) {
      return "not compared: the digest includes running statistics, which "
          + ModelVersion.MODEL
          + " does not have";
    }
    return digest.get().equals(checked.digest())
        ? "digest as published"
        : "DIFFERENT: the digest of the weights is %s, the published digest is %s"
            .formatted(digest.get(), checked.digest());
  }

  private boolean replay(ModelVersion checked, RecordedRun run)
      throws IOException, InterruptedException {
    try (Replay replay = Replay.of(run, terminal, Optional.empty(), List.of(), checked.round())) {
      Recomputation.Comparison comparison = replay.run(checked.round());
      terminal.endLine();
      String rounds = VersionText.count(checked.round());
      if (comparison.firstDifference().isPresent()) {
        terminal.print(
            "replay   DIFFERENT after round %,d: the run recorded another digest"
                .formatted(comparison.firstDifference().get()));
        return false;
      }
      boolean isEqual = replay.digest().equals(checked.digest());
      terminal.print(
          isEqual
              ? "replay   %s rounds repeated: same digest as published".formatted(rounds)
              : ("replay   DIFFERENT: after %s repeated rounds the digest is %s, the published "
                      + "digest is %s")
                  .formatted(rounds, replay.digest(), checked.digest()));
      return isEqual;
    }
  }
}
