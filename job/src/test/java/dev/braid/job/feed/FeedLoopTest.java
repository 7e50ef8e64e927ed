package dev.braid.job.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.chaos.stream.BrokerAwayException;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.TopicAppender;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FeedLoopTest {

  private static final OptionalDouble ALL_AT_ONCE = OptionalDouble.empty();

  private final List<String> keys = new ArrayList<>();
  private final List<Integer> partitions = new ArrayList<>();
  private final FeedStop stop = new FeedStop();

  private void add(int partition, byte[] key) {
    keys.add(new String(key, StandardCharsets.UTF_8));
    partitions.add(partition);
  }

  private static void ignore(long sent) {
    assertThat(sent).isNotNegative();
  }

  private static FeedLoop loop(long records, OptionalDouble pace) {
    return new FeedLoop(
        SyntheticStream.of("sea", 1), RecordFormat.JSON, records, pace, System::nanoTime);
  }

  @Test
  void partitionsTakeTurns() throws Exception {
    long sent =
        loop(7, ALL_AT_ONCE)
            .run((partition, key, value) -> add(partition, key), 3, stop, FeedLoopTest::ignore);
    assertThat(sent).isEqualTo(7);
    assertThat(keys).containsExactly("0", "1", "2", "3", "4", "5", "6");
    assertThat(partitions).containsExactly(0, 1, 2, 0, 1, 2, 0);
  }

  @Test
  void anEndlessFeedEndsOnRequest_alsoWhileItWaits() throws Exception {
    long sent =
        loop(Long.MAX_VALUE, ALL_AT_ONCE)
            .run(
                (partition, key, value) -> add(partition, key),
                1,
                stop,
                done -> {
                  if (done == 100) {
                    stop.request();
                  }
                });
    assertThat(sent).isEqualTo(100);
    FeedStop soon = new FeedStop();
    Thread other = new Thread(soon::request);
    OptionalDouble onceADay = OptionalDouble.of(1 / 86_400.0);
    long beforeTheWait =
        loop(Long.MAX_VALUE, onceADay)
            .run((partition, key, value) -> other.start(), 1, soon, FeedLoopTest::ignore);
    assertThat(beforeTheWait).isEqualTo(1);
  }

  @Test
  void recordsAreDueAtTheirRate() {
    FeedLoop pace = loop(1, OptionalDouble.of(200));
    assertThat(pace.waitNanos(0, 0)).isZero();
    assertThat(pace.waitNanos(1, 0)).isEqualTo(5_000_000);
    assertThat(pace.waitNanos(1_000, 1_000_000_000)).isEqualTo(4_000_000_000L);
    assertThat(pace.waitNanos(100, 1_000_000_000)).as("behind").isNegative();
    assertThat(loop(1, ALL_AT_ONCE).waitNanos(1_000_000, 0)).isZero();
  }

  /** The test's clock advances whenever it is read. */
  @Test
  void noRecordIsSentBeforeItIsDue() throws Exception {
    AtomicLong clock = new AtomicLong();
    List<Long> times = new ArrayList<>();
    FeedLoop loop =
        new FeedLoop(
            SyntheticStream.of("sea", 1),
            RecordFormat.CSV,
            5,
            OptionalDouble.of(1_000),
            () -> clock.getAndAdd(100_000));
    long sent =
        loop.run((partition, key, value) -> times.add(clock.get()), 1, stop, FeedLoopTest::ignore);
    assertThat(sent).isEqualTo(5);
    for (int i = 0; i < times.size(); i++) {
      assertThat(times.get(i)).isGreaterThan(i * 1_000_000L);
    }
  }

  @Test
  void aFailureEndsTheFeed() {
    BrokerAwayException away = away();
    assertThatThrownBy(
            () ->
                loop(10, ALL_AT_ONCE)
                    .run(
                        (partition, key, value) -> {
                          throw away;
                        },
                        1,
                        stop,
                        FeedLoopTest::ignore))
        .isSameAs(away);
  }

  /** Returns a real exception, because it cannot be created outside its package. */
  private static BrokerAwayException away() {
    KafkaTopic nowhere =
        new KafkaTopic(
            "127.0.0.1:1",
            "sea",
            Map.of("default.api.timeout.ms", "200", "request.timeout.ms", "100"));
    try (TopicAppender appender = TopicAppender.open(nowhere, 1)) {
      throw new AssertionError("a broker with " + appender.partitions() + " partitions");
    } catch (BrokerAwayException e) {
      return e;
    }
  }
}
