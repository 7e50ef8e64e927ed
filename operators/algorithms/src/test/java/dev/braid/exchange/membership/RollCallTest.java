package dev.braid.exchange.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.LinkControl.Acknowledgement;
import dev.braid.exchange.message.LinkControl.Probe;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.participation.Attendance;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.SharedValues;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import dev.braid.vector.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests rank 1 of four; a test chooses which of the others answer. */
class RollCallTest {

  private static final int RANK = 1;
  private static final int RANKS = 4;
  private static final long STEP_NANOS = 20_000_000;
  private static final long LONG_NANOS = 3_000_000_000L;

  private final Deque<Message> sent = new ArrayDeque<>();
  private final List<String> told = new ArrayList<>();
  private long now;
  private boolean awaitsOthers;
  private long firstSilentNanos = Deadlines.NEVER;
  private long cutOffNanos = Deadlines.NEVER;

  private final ExchangeConfig config = new ExchangeConfig(RANK, RANKS, 1, 1, 0);
  private final Network network = new Network();
  private final Deadlines deadlines = new Deadlines(network);

  private final Transport transport =
      new Transport(
          config,
          network,
          deadlines,
          new int[0],
          Route::size,
          new Window(1_000, 750, 48, 8_000_000),
          SharedValues.NONE,
          new Client());

  private final RollCall rollCall =
      new RollCall(config, network, deadlines, transport, new Listener());

  private final class Client implements Transport.Client {
    @Override
    public void deliver(Message message) {}

    @Override
    public void silent(int other) {
      firstSilentNanos = Math.min(firstSilentNanos, now);
      rollCall.silent(other);
    }
  }

  @Test
  void whoDoesNotAnswerIsAbsent_untilItDoes() {
    sendTo(2);
    pass(Set.of(0, 3));
    assertThat(told).containsExactly("absent 2");
    pass(Set.of(0, 2, 3));
    assertThat(told).containsExactly("absent 2", "back 2");
  }

  @Test
  void whoHearsNobodyIsTheOneThatIsCutOff() {
    sendTo(2);
    pass(Set.of());
    pass(Set.of(0, 2, 3));
    assertThat(told).isEmpty();
  }

  /** A single lost rank is not enough: the rank then asks whether the others are there. */
  @Test
  void whoIsCutOffKnowsIt_whenTheOthersWereAskedInVain_andUntilTheyAnswer() {
    sendTo(2);
    pass(Set.of());
    pass(Set.of());
    assertThat(rollCall.isCutOff()).isTrue();
    assertThat(cutOffNanos).isGreaterThan(firstSilentNanos + 1_000_000_000);
    pass(Set.of(0, 2, 3));
    assertThat(rollCall.isCutOff()).isFalse();
  }

  @Test
  void ofHalvesTheOneWithRank0GoesOn() {
    sendTo(2);
    sendTo(3);
    pass(Set.of(0));
    assertThat(told).containsExactlyInAnyOrder("absent 2", "absent 3");
  }

  @Test
  void ofHalvesTheOtherDoesNot() {
    sendTo(0);
    sendTo(2);
    pass(Set.of(3));
    assertThat(told).isEmpty();
  }

  @Test
  void whoIsAbsentStaysSo_whenTheMajorityIsLost() {
    sendTo(2);
    pass(Set.of(0, 3));
    sendTo(0);
    pass(Set.of(3));
    assertThat(told).containsExactly("absent 2");
    pass(Set.of(0, 3));
    assertThat(told).containsExactly("absent 2");
  }

  @Test
  void whoWaitsAsks_thoughNothingIsUnderWay() {
    pass(Set.of(0, 3));
    assertThat(told).isEmpty();
    awaitsOthers = true;
    pass(Set.of(0, 3));
    assertThat(told).containsExactly("absent 2");
  }

  private void sendTo(int other) {
    Range one = Range.ofLength(1);
    Gradient gradient = new Gradient(one, 1, Payload.view(new float[1], one));
    transport.handOver(new Message(RANK, other, 0, gradient));
  }

  /** Lets a long time pass, in which some ranks answer. */
  private void pass(Set<Integer> answering) {
    for (long end = now + LONG_NANOS; now < end; now += STEP_NANOS) {
      transport.arm();
      deadlines.deadline();
      rollCall.update();
      cutOffNanos = rollCall.isCutOff() ? Math.min(cutOffNanos, now) : cutOffNanos;
      for (Message message = sent.poll(); message != null; message = sent.poll()) {
        if (answering.contains(message.to())) {
          transport.receive(answer(message));
          rollCall.update();
        }
      }
    }
  }

  /** Returns the answer that all messages have arrived. */
  private static Message answer(Message asked) {
    Transit transit = asked.transit();
    long question = asked.body() instanceof Probe ? transit.number() : 0;
    Transit back = new Transit(transit.generation(), question, 1, Route.DIRECT);
    return new Message(asked.to(), RANK, 0, back, new Acknowledgement(0));
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
    public void absent(int other) {
      told.add("absent " + other);
    }

    @Override
    public void back(int other) {
      told.add("back " + other);
    }

    @Override
    public boolean awaitsOthers() {
      return awaitsOthers;
    }
  }
}
