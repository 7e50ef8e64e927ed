package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

class KafkaFlagsTest {

  private static final class Command {
    @ArgGroup(validate = false)
    private final Group group = new Group();
  }

  private static final class Group {
    @Option(names = "--other")
    private int other;

    @ArgGroup(validate = false)
    private final KafkaFlags kafka = new KafkaFlags();
  }

  @Test
  void brokersHaveTheirDefaultWhateverElseIsGiven() {
    for (String[] args : new String[][] {{}, {"--other", "1"}, {"--kafka-property", "a=b"}}) {
      Command command = new Command();
      new CommandLine(command).parseArgs(args);
      assertThat(command.group.other).isBetween(0, 1);
      assertThat(command.group.kafka.topic("t").brokers()).isEqualTo("127.0.0.1:9092");
    }
  }
}
