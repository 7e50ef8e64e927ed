package dev.braid.job.cluster;

import dev.braid.job.console.MissingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A cluster of Flink on this machine, for trying things out. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    descriptionHeading = "%n",
    description =
        "Starts and ends a cluster of Flink on this machine, of separate processes, for trying out"
            + " what a cluster is like: 'flink run', failures, the web UI. No distribution of Flink is"
            + " needed; everything listens on the loopback address.",
    commandListHeading = "%nCommands%n",
    footerHeading = "%n",
    footer =
        "Jobs are started by './braid flink run', or by the command 'flink' of a distribution with"
            + " FLINK_CONF_DIR=FOLDER/conf.")
public final class ClusterCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw MissingCommand.of(spec);
  }
}
