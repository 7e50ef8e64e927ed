package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Stands in the list of commands for Flink's own client, which the launcher {@code ./braid} starts
 * itself: on a class path without Braid, which comes with the job.
 */
@Command(
    name = "flink",
    mixinStandardHelpOptions = true,
    customSynopsis = "braid flink [--folder FOLDER] COMMAND ARGUMENTS...",
    description = {
      "Flink's own client, without a distribution of Flink: 'run', 'list', 'savepoint', 'stop',"
          + " 'cancel' and more: './braid flink -h' tells of them all, './braid flink run -h' of one."
          + " Only from the launcher ./braid.",
      "%n--folder: of the cluster, as for 'braid cluster up'. By default FLINK_CONF_DIR, if that is"
          + " in the environment, else braid-cluster."
    })
public final class FlinkCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new UsageException("flink: only the launcher ./braid can start it");
  }
}
