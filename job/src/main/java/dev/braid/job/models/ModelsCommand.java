package dev.braid.job.models;

import dev.braid.job.console.MissingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command {@code braid models}: manages the versions of a model in a registry. */
@Command(
    name = "models",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description =
        "Manages the versions of a model in a registry, a folder or a Kafka topic to "
            + "which a training publishes them (--publish).",
    commandListHeading = "%nCommands%n")
public final class ModelsCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw MissingCommand.of(spec);
  }
}
