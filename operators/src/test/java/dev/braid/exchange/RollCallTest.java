package dev.braid.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Message.Kind;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rank 1 of four, and who of the others answers. */
class RollCallTest {

  private static final int RANK = 1;
  private static final int RANKS = 4;
  private static final long STEP_NANOS = 20_000_000;
  private static final long LONG_NANOS = 3_000_000_000L;

  private final Deque<Message> sent = new ArrayDeque<>();
  private final List<String> told = new ArrayList<>();
  private long now;
  private boolean isKeptWaiting;
  private long firstLostNanos = Watch.NEVER;
  private long cutOffNanos = Watch.NEVER;

  private final Transport transport =
      new Transport(
          RANK,
          new Network(),
          new int[0],
          Route::size,
          new Window(1_000, 750, 8_000_000),
          m -> {},
          this::lost,
          SharedValues.NONE);

  private final RollCall rollCall =
      new RollCall(new ExchangeConfig(RANK, RANKS, 1, 1, 0), transport, new Listener());

  private void lost(int other) {
    firstLostNanos = Math.min(firstLostNanos, now);
    rollCall.lost(other);
  }

  @Test
  void whoDoesNotAnswerHasLeft_untilItDoes() {
    sendTo(2);
    pass(Set.of(0, 3));
    assertThat(told).containsExactly("left 2");
    assertThat(rollCall.absent()).containsExactly(2);
    pass(Set.of(0, 2, 3));
    assertThat(told).containsExactly("left 2", "back 2");
    assertThat(rollCall.absent()).isEmpty();
  }

  @Test
  void whoHearsNobodyIsTheOneThatIsCutOff() {
    sendTo(2);
    pass(Set.of());
    pass(Set.of(0, 2, 3));
    assertThat(told).isEmpty();
  }

  /** Not as soon as one is lost: it is asked then whether the others are there. */
  @Test
  void whoIsCutOffKnowsIt_whenTheOthersWereAskedInVain_andUntilTheyAnswer() {
    sendTo(2);
    pass(Set.of());
    pass(Set.of());
    assertThat(rollCall.isCutOff()).isTrue();
    assertThat(cutOffNanos).isGreaterThan(firstLostNanos + 1_000_000_000);
    pass(Set.of(0, 2, 3));
    assertThat(rollCall.isCutOff()).isFalse();
  }

  @Test
  void ofHalvesTheOneWithRank0GoesOn() {
    sendTo(2);
    sendTo(3);
    pass(Set.of(0));
    assertThat(told).containsExactlyInAnyOrder("left 2", "left 3");
  }

  @Test
  void ofHalvesTheOtherDoesNot() {
    sendTo(0);
    sendTo(2);
    pass(Set.of(3));
    assertThat(told).isEmpty();
  }

  @Test
  void whoHasLeftStaysSo_whenTheMajorityIsLost() {
    sendTo(2);
    pass(Set.of(0, 3));
    sendTo(0);
    pass(Set.of(3));
    assertThat(told).containsExactly("left 2");
    pass(Set.of(0, 3));
    assertThat(told).containsExactly("left 2");
  }

  @Test
  void whoWaitsAsks_thoughNothingIsUnderWay() {
    pass(Set.of(0, 3));
    assertThat(told).isEmpty();
    isKeptWaiting = true;
    pass(Set.of(0, 3));
    assertThat(told).containsExactly("left 2");
  }

  private void sendTo(int other) {
    transport.send(
        new Message(RANK, other, Kind.GRADIENT, 0, new Range(0, 1), 1, slice(new float[1])));
  }

  private static Slice slice(float[] values) {
    return Slice.view(values, 0, values.length);
  }

  /** A long time, in which some ranks answer. */
  private void pass(Set<Integer> answering) {
    for (long end = now + LONG_NANOS; now < end; now += STEP_NANOS) {
      transport.deadline();
      rollCall.deadline(now);
      rollCall.update(now);
      cutOffNanos = rollCall.isCutOff() ? Math.min(cutOffNanos, now) : cutOffNanos;
      for (Message message = sent.poll(); message != null; message = sent.poll()) {
        if (answering.contains(message.to())) {
          transport.receive(answer(message));
          rollCall.update(now);
        }
      }
    }
  }

  /** All that was sent has arrived. */
  private static Message answer(Message asked) {
    Transit transit = asked.transit();
    long question = asked.kind() == Kind.PROBE ? transit.number() : 0;
    return new Message(
        asked.to(),
        RANK,
        Kind.ACK,
        0,
        Range.EMPTY,
        0,
        Slice.EMPTY,
        new Transit(transit.generation(), question, 1, Route.DIRECT));
  }

  private final class Network implements Port {
    @Override
    public long nowNanos() {
      return now;
    }

    @Override
    public void send(Message message) {
      sent.add(message);
    }

    @Override
    public void wakeAt(long nanos) {}

    @Override
    public float[][] model() {
      throw new UnsupportedOperationException("there is no model here");
    }

    @Override
    public void update(Update update) {
      throw new UnsupportedOperationException("there is no model here");
    }
  }

  private final class Listener implements Attendance {
    @Override
    public void left(int other) {
      told.add("left " + other);
    }

    @Override
    public void back(int other) {
      told.add("back " + other);
    }

    @Override
    public boolean isKeptWaiting() {
      return isKeptWaiting;
    }
  }
}
