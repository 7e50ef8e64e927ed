package dev.braid.job.models;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.run.result.ByteCount;
import dev.braid.run.result.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command {@code braid models list}: lists the versions of a registry. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Lists the versions in a registry.",
      "",
      "Each line has the time of publication, the numbers of rounds and offsets of "
          + "the training, figures of the model on test samples, and the size of the "
          + "files. The newest version is last. A line below names the version in service.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {"0:listed", "2:the registry does not exist or cannot be read"})
public final class ModelsList implements Callable<Integer> {

  private final Terminal terminal;

  @Mixin private final RegistryFlags flags = new RegistryFlags();

  @Option(names = "--json", description = "Print a line of JSON for each version.")
  private boolean json;

  /** Creates a command that prints to a terminal. */
  public ModelsList(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    return flags.use(this::list);
  }

  private int list(ModelRegistry registry) throws IOException {
    SortedSet<Integer> numbers = RegistryFlags.numbers(registry);
    OptionalInt pinned = registry.pinned();
    int inService = pinned.orElse(numbers.last());
    Map<Integer, ModelVersion> versions = new TreeMap<>();
    Map<Integer, String> damaged = new TreeMap<>();
    for (int number : numbers) {
      try {
        registry.version(number).ifPresent(version -> versions.put(number, version));
      } catch (InvalidDataException e) {
        damaged.put(number, e.getMessage());
      }
    }
    if (json) {
      for (int number : numbers) {
        if (versions.containsKey(number)) {
          String state = RegistryFlags.state(number, pinned, OptionalInt.of(inService));
          terminal.print(VersionText.json(versions.get(number), state));
        } else if (damaged.containsKey(number)) {
          Map<String, Object> line = new LinkedHashMap<>();
          line.put("number", number);
          line.put("error", damaged.get(number));
          terminal.print(Json.write(line));
        }
      }
      return ExitCodes.OK;
    }
    List<String> figures = VersionText.testFigures(versions.values());
    List<List<String>> rows = new ArrayList<>();
    rows.add(head(figures));
    versions.values().forEach(version -> rows.add(row(version, figures)));
    VersionText.table(rows).forEach(terminal::print);
    terminal.print(
        RegistryFlags.state(inService, pinned, OptionalInt.of(inService))
            + ": "
            + ModelVersion.name(inService));
    damaged.values().forEach(terminal::print);
    return ExitCodes.OK;
  }

  private static List<String> head(List<String> figures) {
    List<String> head = new ArrayList<>(List.of("version", "published", "round"));
    head.addAll(figures);
    head.addAll(List.of("offsets", "size"));
    return head;
  }

  private static List<String> row(ModelVersion version, List<String> figures) {
    List<String> row = new ArrayList<>();
    row.add(version.name());
    row.add(VersionText.time(version.published()));
    row.add(VersionText.count(version.round()));
    for (String name : figures) {
      row.add(
          version.figures().containsKey(name)
              ? VersionText.figure(name, version.figures().get(name))
              : "–");
    }
    row.add(version.offsets().isEmpty() ? "–" : VersionText.count(version.offsetCount()));
    row.add(ByteCount.inWords(version.bytes()));
    return row;
  }
}
