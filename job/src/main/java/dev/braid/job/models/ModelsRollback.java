package dev.braid.job.models;

import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code braid models rollback}: pins a version, or removes the pin. */
@Command(
    name = "rollback",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Puts a version into service and pins it.",
      "",
      "Jobs that follow the registry load the version within seconds, and ignore "
          + "versions that are published later. With --newest they load the newest version "
          + "again.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:the version is in service",
      "2:invalid options, no such version, or the registry cannot be written to"
    })
public final class ModelsRollback implements Callable<Integer> {

  private final Terminal terminal;

  @Mixin private final RegistryFlags flags = new RegistryFlags();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VERSION",
      description = "The version to pin, such as v17.")
  private String version;

  @Option(
      names = "--newest",
      description = "Remove the pin, so that the newest version is in service.")
  private boolean newest;

  /** Creates a command that prints to a terminal. */
  public ModelsRollback(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    if ((version == null) != newest) {
      throw new UsageException("VERSION or --newest: use one of them");
    }
    return flags.use(newest ? this::unpin : this::pin);
  }

  private int pin(ModelRegistry registry) throws IOException {
    int number = RegistryFlags.number(registry, Optional.of(version));
    // Read the version and its files first, because no job could use a damaged version.
    ModelVersion pinned = RegistryFlags.version(registry, number);
    for (String name : pinned.files().keySet()) {
      var unused = registry.file(pinned, name);
    }
    registry.pin(OptionalInt.of(number));
    terminal.print(
        ("%s is in service and pinned: jobs that follow %s load it within seconds and "
                + "ignore versions that are published later")
            .formatted(pinned.name(), registry.place()));
    return ExitCodes.OK;
  }

  private int unpin(ModelRegistry registry) throws IOException {
    int last = RegistryFlags.numbers(registry).last();
    registry.pin(OptionalInt.empty());
    terminal.print(
        ("%s, the newest version, is in service: jobs that follow %s load it within "
                + "seconds, and later each new version")
            .formatted(ModelVersion.name(last), registry.place()));
    return ExitCodes.OK;
  }
}
