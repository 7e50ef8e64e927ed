package dev.braid.job.models;

import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.learner.OffsetRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code braid models show}: shows all that a registry records of a version. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {"Shows the origin, digest, figures, offsets and files of a version.", ""},
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {"0:shown", "2:the registry or the version does not exist or is damaged"})
public final class ModelsShow implements Callable<Integer> {

  private final Terminal terminal;

  @Mixin private final RegistryFlags flags = new RegistryFlags();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VERSION",
      description = {"Version, such as v17.", "Default: the one in service"})
  private String version;

  @Option(names = "--json", description = "Print a line of JSON.")
  private boolean json;

  /** Creates a command that prints to a terminal. */
  public ModelsShow(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    return flags.use(this::show);
  }

  private int show(ModelRegistry registry) throws IOException {
    int number = RegistryFlags.number(registry, Optional.ofNullable(version));
    ModelVersion shown = RegistryFlags.version(registry, number);
    String state = RegistryFlags.state(number, registry.pinned(), registry.serving());
    if (json) {
      terminal.print(VersionText.json(shown, state));
    } else {
      VersionText.table(rows(shown, state)).forEach(terminal::print);
    }
    return ExitCodes.OK;
  }

  private static List<List<String>> rows(ModelVersion shown, String state) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("version", shown.name() + (state.isEmpty() ? "" : ", " + state)));
    rows.add(
        List.of("published", VersionText.time(shown.published()) + " by Braid " + shown.braid()));
    rows.add(List.of("run", shown.run()));
    rows.add(List.of("round", VersionText.count(shown.round())));
    rows.add(List.of("digest", shown.digest()));
    for (String name : VersionText.figures(List.of(shown))) {
      rows.add(List.of(name, VersionText.figure(name, shown.figures().get(name))));
    }
    rows.add(List.of("data", shown.data()));
    rows.add(
        List.of(
            "lineage",
            shown.lineage().isEmpty()
                ? "none"
                : "%s, %s entries"
                    .formatted(shown.lineage(), VersionText.count(shown.lineageEntries()))));
    if (!shown.offsets().isEmpty()) {
      rows.add(List.of("offsets", VersionText.count(shown.offsetCount())));
    }
    for (OffsetRange range : shown.offsets()) {
      rows.add(
          List.of(
              "partition " + range.partition(),
              "offsets %s to %s"
                  .formatted(
                      VersionText.count(range.start()), VersionText.count(range.end() - 1))));
    }
    shown
        .files()
        .forEach(
            (name, sum) ->
                rows.add(
                    List.of(
                        name,
                        "%s bytes, SHA-256 %s"
                            .formatted(VersionText.count(sum.bytes()), sum.sha256()))));
    return rows;
  }
}
