package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.job.CommandRun;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
    for (String[] args : new String[][] {{}, {"--other", "1"}}) {
      Command command = new Command();
      new CommandLine(command).parseArgs(args);
      assertThat(command.group.other).isBetween(0, 1);
      assertThat(command.group.kafka.topic("--topic", "t").brokers()).isEqualTo("127.0.0.1:9092");
    }
  }

  @Test
  void aFileSaysHowToReachBrokers_andOptionsGoBeforeIt(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("kafka.properties");
    Files.writeString(
        file, "bootstrap.servers=a:1\nsecurity.protocol=SSL\nssl.key.password=p\\nq\n");
    KafkaTopic ofFile = topic("--kafka-config", file.toString());
    assertThat(ofFile.brokers()).isEqualTo("a:1");
    assertThat(ofFile.properties())
        .containsExactly(
            Map.entry("security.protocol", "SSL"), Map.entry("ssl.key.password", "p\nq"));
    assertThat(ofFile.toString()).isEqualTo("topic t at a:1");
    KafkaTopic ofOptions = topic("--kafka-brokers", "b:2", "--kafka-config", file.toString());
    assertThat(ofOptions.brokers()).isEqualTo("b:2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "train --data ../docs/example/sea.yaml",
        "score --data ../docs/example/sea.yaml --to kafka:t --models ../docs",
        "models list kafka:models",
        "feed --topic t --stream sea",
        "chaos status"
      })
  void namesABrokerWhoseHostIsUnknown(String command) {
    CommandRun.ofLine(command + " --kafka-brokers away.invalid:1").assertMistake("away.invalid:1");
  }

  @Test
  void whatIsNoFileOfPropertiesIsRefusedWithoutItsValues(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("kafka.properties");
    assertThatThrownBy(() -> topic("--kafka-config", file.toString()))
        .isInstanceOf(UsageException.class)
        .hasMessage("--kafka-config " + file + ": no such file");
    Files.writeString(file, "password=secret\\uno\n");
    assertThatThrownBy(() -> topic("--kafka-config", file.toString()))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--kafka-config " + file + ": not a file of properties: ")
        .message()
        .doesNotContain("secret");
  }

  private static KafkaTopic topic(String... args) {
    Command command = new Command();
    new CommandLine(command).parseArgs(args);
    return command.group.kafka.topic("--topic", "t");
  }
}
