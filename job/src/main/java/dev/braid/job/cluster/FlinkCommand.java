package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Entry for Flink's own client in the list of commands. The launcher {@code ./braid} starts the
 * client itself, on a class path without Braid, which comes with the job.
 */
@Command(
    name = "flink",
    mixinStandardHelpOptions = true,
    customSynopsis = "braid flink [--folder FOLDER] COMMAND ARGUMENTS...",
    description = {
      "Runs Flink's command-line client without a Flink distribution: run, list, savepoint, stop,"
          + " cancel and more.",
      "",
      "'./braid flink -h' lists the commands, './braid flink run -h' describes one. Only the"
          + " launcher ./braid has this command.",
      "%n  --folder: folder of the cluster, as for 'braid cluster up'. Default: "
          + "FLINK_CONF_DIR if the environment has it, else braid-cluster."
    })
public final class FlinkCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new UsageException(
        "flink: only the launcher ./braid can start Flink's client: ./braid flink");
  }
}
