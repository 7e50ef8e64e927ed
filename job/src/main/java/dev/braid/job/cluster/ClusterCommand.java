package dev.braid.job.cluster;

import dev.braid.job.console.MissingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command {@code braid cluster}: a Flink cluster on this machine, for trials. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description = {
      "Starts and stops a Flink cluster of separate processes on this machine, for trials of 'flink"
          + " run', failures and the web UI.",
      "",
      "It needs no Flink distribution and listens only on the loopback address."
    },
    commandListHeading = "%nCommands%n",
    footerHeading = "%n",
    footer =
        "Start jobs with './braid flink run', or with the command 'flink' of a "
            + "distribution and FLINK_CONF_DIR=FOLDER/conf.")
public final class ClusterCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw MissingCommand.of(spec);
  }
}
