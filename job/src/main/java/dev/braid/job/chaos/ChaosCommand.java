package dev.braid.job.chaos;

import dev.braid.job.console.MissingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Sends chaos events to a running training, one by one or a whole schedule. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    descriptionHeading = "%n",
    description =
        "Breaks links and ranks of a training that was started with --chaos-topic, and mends them.",
    commandListHeading = "%nCommands%n",
    footerHeading = "%n",
    footer =
        "A training tells what became of each event in TOPIC.applied and in chaos-applied.jsonl in"
            + " its --out folder; what it refused, such as an event for a rank that it does not"
            + " have, is with the reason in chaos-dead-letters.jsonl and TOPIC.dead-letters.")
public final class ChaosCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw MissingCommand.of(spec);
  }
}
