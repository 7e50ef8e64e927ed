package dev.braid.exchange.async;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Adopt;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Share.Missed;
import dev.braid.vector.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AkoTest {

  private static final int LENGTH = 12;
  private static final Gradient NO_GRADIENT = new Gradient(Range.EMPTY, 0, Payload.none());

  private final RecordingPort port = new RecordingPort();

  /**
   * Figure 6: with two partitions, the second half of a gradient is sent with the next gradient's.
   */
  @Test
  void whatWaitsIsAddedUp() {
    Ako ako = ako(3, 2, true);
    ako.contribute(gradient(0, 1));
    assertThat(sentTo(1).range()).isEqualTo(new Range(0, 6));
    assertThat(sentTo(1).payload().dense().toArray()).containsOnly(1);
    assertThat(sentTo(2).range()).isEqualTo(new Range(6, 12));
    next();
    ako.contribute(gradient(1, 10));
    assertThat(sentTo(1).range()).isEqualTo(new Range(6, 12));
    assertThat(sentTo(1).payload().dense().toArray()).containsOnly(11);
    next();
    ako.contribute(gradient(2, 100));
    assertThat(sentTo(1).range()).isEqualTo(new Range(0, 6));
    assertThat(sentTo(1).payload().dense().toArray())
        .as("the first was sent before")
        .containsOnly(110);
  }

  /** Two gradients of three samples each. */
  @Test
  void aSumOfGradientsTellsItsSamples() {
    Ako ako = ako(3, 2, true);
    ako.contribute(gradient(0, 1));
    next();
    ako.contribute(gradient(1, 1));
    assertThat(((Gradient) sentTo(1).body()).samples()).isEqualTo(6);
  }

  @Test
  void withoutAccumulation_whatWaitsIsDiscarded() {
    Ako ako = ako(3, 2, false);
    ako.contribute(gradient(0, 1));
    next();
    ako.contribute(gradient(1, 10));
    assertThat(sentTo(1).range()).isEqualTo(new Range(6, 12));
    assertThat(sentTo(1).payload().dense().toArray()).containsOnly(10);
    assertThat(ako.isQuiet()).as("before all is acknowledged").isFalse();
    acknowledge(ako, 2, 1, 1, 2);
    assertThat(ako.isQuiet()).isTrue();
  }

  /** Parts for one range from ranks that are in step reach a rank one after the other. */
  @Test
  void groupsAreSpreadOverTheRanges() {
    Ako ako = ako(4, 6, true);
    ako.contribute(gradient(0, 1));
    assertThat(sentTo(1).range()).isEqualTo(new Range(0, 2));
    assertThat(sentTo(2).range()).isEqualTo(new Range(4, 6));
    assertThat(sentTo(3).range()).isEqualTo(new Range(8, 10));
  }

  /** There are n − 1 = 5 peers, and p is below or above that. */
  @ParameterizedTest
  @CsvSource({"1, 2", "2, 3", "5, 6", "6, 6", "20, 6"})
  void keepsNoMoreVectorsThanItNeeds(int partitions, int vectors) {
    Ako ako = ako(6, partitions, true);
    for (int round = 0; round < 4; round++) {
      ako.contribute(gradient(round, 1));
    }
    assertThat(ako.figures().get(Figure.KEPT_VECTORS))
        .isEqualTo(vectors)
        .isLessThanOrEqualTo(Math.min(partitions, 5) + 2);
  }

  @Test
  void aFlushSendsAllThatWaits() {
    Ako ako = ako(2, 3, true);
    ako.contribute(gradient(0, 7));
    assertThat(sentTo(1).range()).isEqualTo(new Range(0, 4));
    assertThat(ako.isQuiet()).isFalse();
    next();
    ako.flush();
    assertThat(port.takeSent())
        .extracting(Message::range)
        .containsExactly(new Range(4, 8), new Range(8, 12));
    acknowledge(ako, 1, 1, 1);
    assertThat(ako.isQuiet()).isTrue();
  }

  /**
   * A flush for a checkpoint that is declined; a gradient is contributed before any
   * acknowledgement.
   */
  @Test
  void whatAFlushHasSent_isNotSentAgainWithTheNextGradient() {
    Ako ako = ako(2, 3, true);
    for (int round = 0; round < 3; round++) {
      ako.contribute(gradient(round, 7));
      acknowledge(ako, 1);
    }
    ako.flush();
    ako.resume();
    next();
    ako.contribute(gradient(3, 10));
    assertThat(sentTo(1).payload().dense().toArray()).containsOnly(10);
  }

  /** A checkpoint makes other ranks send at once what they would have sent in three rounds. */
  @Test
  void whatIsFlushedIsAppliedAsItWouldHaveCome() {
    Ako ako = ako(2, 3, true);
    receiveFlushed(ako);
    assertThat(port.takeSums()).isEmpty();
    assertThat(ako.deferredSteps())
        .extracting(Update.GradientSum::range)
        .containsExactly(new Range(0, 4), new Range(4, 8), new Range(8, 12));
    assertThat(ako.figures().get(Figure.KEPT_VECTORS)).isLessThanOrEqualTo(1 + 2);
    for (int round = 0; round < 4; round++) {
      ako.contribute(gradient(round, 1));
      acknowledge(ako, 1);
      boolean waits = round < 3;
      assertThat(port.takeSums()).as("round %d", round).hasSize(waits ? 2 : 1);
      assertThat(ako.deferredSteps()).hasSize(Math.max(0, 2 - round));
    }
  }

  @Test
  void atTheEnd_whatIsFlushedIsAppliedAtOnce() {
    Ako ako = ako(2, 3, true);
    receiveFlushed(ako);
    ako.end();
    assertThat(port.takeSums()).hasSize(3);
    receiveFlushed(ako);
    assertThat(port.takeSums()).hasSize(1);
    assertThat(ako.deferredSteps()).isEmpty();
  }

  private static void receiveFlushed(Ako ako) {
    Range whole = Range.ofLength(LENGTH);
    Payload values = Payload.view(new float[LENGTH], whole);
    ako.receive(new Message(1, 0, 0, new Gradient(whole, 9, true, values)));
  }

  /** Algorithm 1, line 3: p + τ. */
  @Test
  void noGradientBeyondTheStalenessBound() {
    Ako ako = ako(2, 3, true);
    for (int round = 0; round <= 3 + 2; round++) {
      assertThat(ako.mayCompute()).as("round %d", round).isTrue();
      ako.contribute(gradient(round, 1));
      acknowledge(ako, 1);
    }
    assertThat(ako.mayCompute()).isFalse();
    ako.receive(new Message(1, 0, 0, NO_GRADIENT));
    assertThat(ako.mayCompute()).isTrue();
  }

  /**
   * Partitions change from one, as for so short a vector, to three and two: old ranges are sent
   * again.
   */
  @Test
  void aChangeLosesNothing_andRepeatsNothing() {
    ExchangeOptions measured = ExchangeOptions.defaults(4).with(ExchangeOptions.STALENESS, 2);
    Ako ako = new Ako(new ExchangeConfig(1, 4, LENGTH, LENGTH, 0, measured), port);
    assertThat(ako.partitions()).isEqualTo(1);
    float[][] received = new float[4][LENGTH];
    float computed = 0;
    for (int round = 0; round < 16; round++) {
      if (round == 1 || round == 7) {
        int partitions = round == 1 ? 3 : 2;
        ako.receive(new Message(0, 1, round, new Adopt(round + 2, partitions)));
        assertThat(port.takeSent()).isEmpty();
      }
      computed += 1 << round;
      ako.contribute(gradient(round, 1 << round));
      assertThat(ako.figures().get(Figure.KEPT_VECTORS)).isLessThanOrEqualTo(3 + 2);
      drain(ako, received);
    }
    assertThat(ako.partitions()).isEqualTo(2);
    ako.flush();
    drain(ako, received);
    for (int peer : new int[] {0, 2, 3}) {
      assertThat(received[peer]).containsOnly(computed);
    }
    assertThat(ako.isQuiet()).isTrue();
  }

  /** Each of three partitions is a chunk; only these are sent before the round is reported. */
  @Test
  void aPeerThatIsBack_isSentWhatItHasMissedAtOnce_andThenTheRound() {
    Ako ako = ako(2, 3, true);
    ako.absent(1);
    for (int round = 0; round < 9; round++) {
      ako.contribute(gradient(round, 1));
    }
    assertThat(port.takeSent()).isEmpty();
    ako.back(1);
    List<Message> missed = port.takeSent();
    assertThat(missed)
        .extracting(Message::range)
        .containsExactly(new Range(0, 4), new Range(4, 8), new Range(8, 12), Range.EMPTY);
    assertThat(missed.subList(0, 3))
        .extracting(message -> ((Missed) message.body()).samples())
        .containsOnly(27L);
    assertThat(missed.get(3).round()).isEqualTo(8);
    acknowledge(ako, 1, 1, 1, 1);
    assertThat(ako.isQuiet()).isTrue();
  }

  /** Four of six chunks fit into the window: a gradient computed meanwhile is in the last two. */
  @Test
  void aPeerThatCatchesUp_hasNoTurns() {
    ExchangeOptions options =
        ExchangeOptions.defaults(2)
            .with(ExchangeOptions.STALENESS, 9)
            .with(new AkoOptions(3, true, 0));
    Ako ako = new Ako(new ExchangeConfig(0, 2, LENGTH, 2, 0, options), port);
    float[] received = new float[LENGTH];
    ako.absent(1);
    ako.contribute(gradient(0, 1));
    ako.back(1);
    ako.contribute(gradient(1, 10));
    ako.flush();
    List<Message> sent = new ArrayList<>();
    List<Message> arriving = port.takeSent();
    assertThat(arriving).hasSize(4);
    assertThat(ako.unreachable()).isEmpty();
    while (!arriving.isEmpty()) {
      sent.addAll(arriving);
      arriving.forEach(message -> addUp(message, received));
      acknowledge(ako, arriving.stream().mapToInt(Message::to).toArray());
      arriving = port.takeSent();
    }
    assertThat(sent.subList(0, 6)).allMatch(message -> message.body() instanceof Missed);
    assertThat(sent.get(6).range()).isEqualTo(Range.EMPTY);
    assertThat(sent.subList(7, sent.size())).allMatch(AkoTest::isFlushed);
    assertThat(received).containsOnly(11);
    assertThat(ako.isQuiet()).isTrue();
  }

  private static boolean isFlushed(Message message) {
    return message.body() instanceof Gradient gradient && gradient.flushed();
  }

  private static void addUp(Message message, float[] received) {
    float[] values =
        message.payload().isEmpty() ? new float[0] : message.payload().dense().toArray();
    for (int i = 0; i < values.length; i++) {
      received[message.range().start() + i] += values[i];
    }
  }

  // ---- set-up of one rank ---------------------------------------------------------------------

  private List<Message> sent = List.of();

  /** Returns the latest message to a peer. */
  private Message sentTo(int peer) {
    if (sent.isEmpty()) {
      sent = port.takeSent();
    }
    Optional<Message> found = sent.stream().filter(message -> message.to() == peer).findFirst();
    return found.orElseThrow();
  }

  private void next() {
    port.takeSent();
    port.takeSums();
    sent = List.of();
  }

  private static void acknowledge(Ako ako, int... peers) {
    for (int peer : peers) {
      ako.arrived(new Message(0, peer, 0, new Gradient(Range.EMPTY, 0, Payload.none())));
    }
  }

  /** Adds up the messages to peers, and lets the peers acknowledge them and keep up. */
  private void drain(Ako ako, float[][] received) {
    ArrayDeque<Message> arriving = new ArrayDeque<>(port.takeSent());
    while (!arriving.isEmpty()) {
      Message message = arriving.remove();
      if (message.body() instanceof Gradient gradient) {
        float[] values = gradient.payload().dense().toArray();
        for (int i = 0; i < values.length; i++) {
          received[message.to()][message.range().start() + i] += values[i];
        }
        acknowledge(ako, message.to());
        ako.receive(new Message(message.to(), 1, message.round(), NO_GRADIENT));
      }
      arriving.addAll(port.takeSent());
    }
    port.takeSums();
  }

  /** Returns the exchange of rank 0, with τ = 2. */
  private Ako ako(int ranks, int partitions, boolean accumulation) {
    ExchangeOptions options =
        ExchangeOptions.defaults(ranks)
            .with(ExchangeOptions.STALENESS, 2)
            .with(new AkoOptions(partitions, accumulation, 0));
    return new Ako(new ExchangeConfig(0, ranks, LENGTH, LENGTH, 0, options), port);
  }

  private static Contribution gradient(long round, float value) {
    float[] gradient = new float[LENGTH];
    Arrays.fill(gradient, value);
    return new Contribution(round, gradient, 3);
  }
}
