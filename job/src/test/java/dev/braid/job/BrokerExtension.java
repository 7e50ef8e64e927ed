package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.cluster.BrokerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/** A Kafka broker shared by all tests of this JVM, each of which uses its own topics. */
public final class BrokerExtension implements BeforeAllCallback {

  private static final Namespace NAMESPACE = Namespace.create(BrokerExtension.class);

  private BrokerProcess process;

  /** Returns the broker. It runs; a test that stops it must start it again. */
  public BrokerProcess process() {
    return process;
  }

  /** Adds records of the stream {@code sea} to a topic, which is created if it does not exist. */
  public void feed(String topic, int records) {
    CommandRun run =
        CommandRun.ofLine(
            "feed --topic %s --stream sea --records %d --kafka-brokers %s"
                .formatted(topic, records, process.address()));
    assertThat(run.exitCode()).isZero();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    process =
        context
            // Once for the JVM: Surefire has a root for each class.
            .getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
            .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class)
            .process();
  }

  private record Running(BrokerProcess process, Path folder) implements AutoCloseable {

    static Running start() {
      try {
        Path folder = Files.createTempDirectory("braid-broker-");
        return new Running(new BrokerProcess(folder), folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      process.close();
      FileUtils.deleteDirectory(folder.toFile());
    }
  }
}
