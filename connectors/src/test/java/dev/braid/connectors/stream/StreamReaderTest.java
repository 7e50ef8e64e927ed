package dev.braid.connectors.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.record.RecordForm;
import dev.braid.connectors.source.CollectedBatches;
import dev.braid.connectors.stream.StreamEvent.DealtShare;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import dev.braid.connectors.topic.StreamBound;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.loop.SourceGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StreamReaderTest {

  private static final String ATTEMPT = "attempt of StreamReaderTest";

  private static final RecordForm FORM =
      new RecordForm(
          RecordForm.Format.JSON,
          TableSchema.ofClasses(
              true, 2, 1, "label", List.of(TableColumn.numbers(0, "x")), Missing.FAIL),
          false,
          List.of("0", "1"),
          "",
          "",
          0);

  private static final StreamConfig CONFIG =
      new StreamConfig(
          new StreamTopic("topic", Map.of("bootstrap.servers", "127.0.0.1:1")),
          FORM,
          new StreamConfig.Section(new StreamBound.Earliest(), null, false),
          new StreamConfig.Batches(10, 0, Duration.ofMillis(200)),
          new StreamConfig.Windows(100, StreamConfig.ENDLESS),
          "lineage",
          1,
          "");

  /** Counts the deals that a reader requests, and collects the events that it sends. */
  private static final class Requests implements SourceReaderContext {

    private final List<SourceEvent> events = new ArrayList<>();
    private int count;

    @Override
    public SourceReaderMetricGroup metricGroup() {
      return UnregisteredMetricsGroup.createSourceReaderMetricGroup();
    }

    @Override
    public Configuration getConfiguration() {
      return new Configuration();
    }

    @Override
    public String getLocalHostName() {
      return "localhost";
    }

    @Override
    public int getIndexOfSubtask() {
      return 0;
    }

    @Override
    public void sendSplitRequest() {
      count++;
    }

    @Override
    public void sendSourceEventToCoordinator(SourceEvent event) {
      events.add(event);
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      return SimpleUserCodeClassLoader.create(StreamReaderTest.class.getClassLoader());
    }
  }

  /** No records arrive from the topic in the meantime, so that Flink does not poll the reader. */
  @Test
  @Timeout(180)
  void asksForADealAsSoonAsAnotherIsUsedUp() throws Exception {
    CollectedBatches output = new CollectedBatches();
    Requests requests = new Requests();
    try (SourceGate gate = SourceGate.open(ATTEMPT)) {
      StreamReader reader = new StreamReader(requests, CONFIG, ATTEMPT, false);
      reader.start();
      try {
        gate.grant(3);
        reader.addSplits(List.of(new StreamPosition(0, 1, 0)));
        for (int round = 0; round < 3; round++) {
          // A share without offsets needs no broker.
          reader.handleSourceEvents(DealtShare.of(new Deal(round, 1, 10, List.of(List.of())), 0));
        }
        while (output.batches().size() < 3) {
          reader.isAvailable().get(60, TimeUnit.SECONDS);
          reader.pollNext(output);
        }
        assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
        // The notice of the last batch may come after the batch.
        Awaitility.await()
            .atMost(Duration.ofMinutes(1))
            .pollInSameThread()
            .until(() -> !reader.isAvailable().isDone());
        assertThat(requests.count).isZero();

        gate.consumed();
        assertThat(requests.count).isEqualTo(1);
        gate.consumed();
        gate.consumed();
        assertThat(requests.count).isEqualTo(3);
      } finally {
        reader.close();
      }
    }
  }

  /** After a checkpoint, Flink polls a reader without batches only if the reader requests it. */
  @Test
  @Timeout(180)
  void saysWhenItHasResumedBehindACheckpoint() throws Exception {
    CollectedBatches output = new CollectedBatches();
    Requests requests = new Requests();
    try (SourceGate gate = SourceGate.open(ATTEMPT)) {
      StreamReader reader = new StreamReader(requests, CONFIG, ATTEMPT, false);
      reader.start();
      try {
        gate.grant(1);
        reader.addSplits(List.of(new StreamPosition(0, 1, 0)));
        CompletableFuture<Void> before = reader.isAvailable();
        assertThat(before).isNotDone();

        reader.snapshotState(7);
        assertThat(before).isDone();
        assertThat(reader.isAvailable()).isDone();
        assertThat(requests.events).isEmpty();

        reader.pollNext(output);
        assertThat(requests.events).containsExactly(new StreamEvent.ResumedBehind(7));
        assertThat(reader.isAvailable()).isNotDone();
        reader.pollNext(output);
        assertThat(requests.events).hasSize(1);
      } finally {
        reader.close();
      }
    }
  }
}
