package dev.braid.job.chaos;

import dev.braid.job.console.MissingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command {@code braid chaos}: sends single chaos events or whole schedules to a training job. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description =
        "Sends chaos events, which break links and ranks and repair them, to a "
            + "training that was started with --chaos-topic.",
    commandListHeading = "%nCommands%n",
    footerHeading = "%n",
    footer =
        "The training reports each event that took effect in TOPIC.applied, and in "
            + "chaos-applied.jsonl in its --out folder. It reports refused events, such as "
            + "an event for a rank that does not exist, in TOPIC.dead-letters and "
            + "chaos-dead-letters.jsonl, each with the reason.")
public final class ChaosCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw MissingCommand.of(spec);
  }
}
