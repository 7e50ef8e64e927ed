package dev.braid.job.models;

import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command {@code braid models prune}: removes old versions. */
@Command(
    name = "prune",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Removes old versions, but not the one in service.",
      "",
      "Also removes files of publications that were not completed and are more than "
          + "an hour old.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:old versions removed, or there were none",
      "2:invalid options, or the registry does not exist or cannot be written to"
    })
public final class ModelsPrune implements Callable<Integer> {

  /** Age up to which files may belong to a publication in progress. */
  private static final Duration YOUNG = Duration.ofHours(1);

  private final Terminal terminal;

  @Mixin private final RegistryFlags flags = new RegistryFlags();

  @Option(
      names = "--keep",
      required = true,
      paramLabel = "N",
      description = "Number of newest versions to keep, 1 or more.")
  private int keep;

  /** Creates a command that prints to a terminal. */
  public ModelsPrune(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (keep < 1) {
      throw new UsageException("--keep " + keep + ": must be 1 or more");
    }
    return flags.use(this::prune);
  }

  private int prune(ModelRegistry registry) throws IOException {
    SortedSet<Integer> numbers = RegistryFlags.numbers(registry);
    OptionalInt pinned = registry.pinned();
    SortedSet<Integer> old =
        numbers.stream()
            .limit(Math.max(0, numbers.size() - keep))
            .filter(number -> pinned.isEmpty() || pinned.getAsInt() != number)
            .collect(Collectors.toCollection(TreeSet::new));
    for (int number : old) {
      registry.remove(number);
    }
    terminal.print("removed  " + VersionText.names(old));
    numbers.removeAll(old);
    terminal.print("kept     " + VersionText.names(numbers));
    SortedSet<Integer> leftovers =
        registry.removeLeftovers(System.currentTimeMillis() - YOUNG.toMillis());
    if (!leftovers.isEmpty()) {
      terminal.print(
          "cleaned  files of publications that were not completed: "
              + VersionText.names(leftovers));
    }
    return ExitCodes.OK;
  }
}
