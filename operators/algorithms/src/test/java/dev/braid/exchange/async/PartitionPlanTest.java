package dev.braid.exchange.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Adopt;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Share.Rates;
import dev.braid.exchange.transport.Outbox;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the plan of one of three ranks that measures 20 gradients/s of 40,000 bytes. */
class PartitionPlanTest {

  private static final int RANKS = 3;
  private static final int LENGTH = 10_000;
  private static final int CHUNK = 100;

  /** 8·(n − 1). */
  private static final int FIRST = 16;

  /** γ·m·(n − 1): bytes per second of a worker that sends all to all. */
  private static final double NEEDED = 20 * 40_000 * 2;

  private final Clock port = new Clock();
  private final List<Message> told = new ArrayList<>();
  private PartitionPlan plan;
  private Outbox outbox;
  private long round;

  private final class Clock implements Port {
    private long now = 1_000_000_000L;

    @Override
    public long nowNanos() {
      return now;
    }

    @Override
    public void send(Message message) {
      if (!(message.body() instanceof Gradient)) {
        told.add(message);
      }
    }

    @Override
    public void wakeAt(long nanos) {
      throw new UnsupportedOperationException("a plan has no deadlines");
    }

    @Override
    public float[][] model() {
      throw new UnsupportedOperationException("there is no model here");
    }

    @Override
    public void update(Update update) {
      throw new UnsupportedOperationException("there is no model here");
    }
  }

  private static double figure(PartitionPlan of, Figure figure) {
    FigureValues values = new FigureValues();
    of.addFigures(values);
    return values.get(figure);
  }

  // ---- the first p -----------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"3, 10000, 16", "2, 10000, 8", "1, 10000, 1", "3, 160, 10", "3, 10, 1"})
  void beginsWithMany_butNoMoreThanAreUseful(int ranks, int length, int partitions) {
    AkoOptions ako = new AkoOptions(0, true, 0);
    ExchangeConfig config = config(0, ranks, length, CHUNK, ako);
    PartitionPlan first = new PartitionPlan(config, port, new Outbox(config, port, Gradient::new));
    assertThat(first.inForce()).isEqualTo(partitions);
    assertThat(figure(first, Figure.PARTITIONS)).isEqualTo(partitions);
  }

  // ---- measurements ----------------------------------------------------------------------------

  @Test
  void aRankTellsTheFirstWhatItHasMeasured_inEachWindowButThatInWhichItBegan() {
    begin(1, 0, 5_000);
    rounds(11, 50);
    assertThat(told).isEmpty();
    rounds(1, 50);
    Message message = told.get(0);
    assertThat(told).hasSize(1);
    assertThat(message.to()).isZero();
    assertThat(message.round()).isEqualTo(11);
    Rates rates = (Rates) message.body();
    assertThat(rates.gradientsPerSecond()).isCloseTo(20, within(1e-6));
    assertThat(rates.bytesPerSecond()).isEqualTo(5_000);
    assertThat(figure(plan, Figure.PLANNED_BANDWIDTH)).isCloseTo(NEEDED / FIRST, within(1e-3));
    rounds(6, 50);
    assertThat(told).hasSize(2);
  }

  /** Six rounds of 10 ms each take less than a quarter of a second. */
  @Test
  void aWindowTakesAQuarterOfASecondAtLeast() {
    begin(1, 0, 5_000);
    rounds(49, 10);
    assertThat(told).isEmpty();
    rounds(1, 10);
    assertThat(told).hasSize(1);
  }

  @Test
  void nothingIsToldToARankThatIsAway() {
    begin(1, 0, 5_000);
    outbox.markAbsent(0);
    rounds(30, 50);
    assertThat(told).isEmpty();
    assertThat(figure(plan, Figure.GRADIENT_RATE)).isCloseTo(20, within(1e-6));
  }

  @Test
  void aFixedPIsMeasuredWith_andNotDiscussed() {
    begin(1, 5, 0);
    rounds(30, 50);
    assertThat(plan.inForce()).isEqualTo(5);
    assertThat(figure(plan, Figure.GRADIENT_RATE)).isCloseTo(20, within(1e-6));
    assertThat(figure(plan, Figure.PLANNED_BANDWIDTH)).isCloseTo(NEEDED / 5, within(1e-3));
    assertThat(told).isEmpty();
  }

  /** 400 bytes in 50 ms, with messages in flight all the time. */
  @Test
  void bandwidthIsWhatTheNetworkCarriesAway() {
    begin(1, 5, 0);
    rounds(12, 50);
    assertThat(figure(plan, Figure.BANDWIDTH)).isCloseTo(8_000, within(1.0));
  }

  /** A tenth of the time may be spent on messages; 25 ms of 50 are too much. */
  @Test
  void bandwidthIsNoMoreThanTheProcessorCanBear() {
    AkoOptions ako = new AkoOptions(5, true, 0);
    begin(config(1, RANKS, LENGTH, 1, ako));
    for (int i = 0; i < 12; i++) {
      plan.tookNanos(25_000_000);
      rounds(1, 50);
    }
    assertThat(figure(plan, Figure.BANDWIDTH)).isCloseTo(1_600, within(1.0));
  }

  // ---- decisions of the first rank -------------------------------------------------------------

  @Test
  void allAreToldTheNextP_twoRoundsAhead() {
    begin(0, 0, NEEDED / 4);
    othersMeasured(20, NEEDED / 4);
    rounds(12, 50);
    assertThat(told).extracting(Message::to).containsExactly(1, 2);
    assertThat(told).allMatch(message -> message.round() == 11);
    assertThat(told).allMatch(message -> message.body().equals(new Adopt(14, 4)));

    assertThat(plan.inForce()).isEqualTo(FIRST);
    assertThat(plan.due(13)).isEmpty();
    assertThat(plan.due(14)).hasValue(4);
    assertThat(plan.due(15)).hasValue(4);
    plan.putInForce(15);
    assertThat(plan.inForce()).isEqualTo(4);
    assertThat(figure(plan, Figure.PARTITIONS)).isEqualTo(4);
    assertThat(plan.due(16)).isEmpty();
  }

  @Test
  void nothingIsDecidedBeforeAllHaveMeasured() {
    begin(0, 0, NEEDED / 4);
    plan.store(1, 1, new Rates(20, NEEDED / 4));
    rounds(12, 50);
    assertThat(told).isEmpty();
    plan.store(2, 12, new Rates(20, NEEDED / 4));
    assertThat(told).as("not in answer to a message: rank 0 may be held").isEmpty();
    rounds(1, 50);
    assertThat(told).extracting(Message::body).containsExactly(new Adopt(15, 4), new Adopt(15, 4));
  }

  /** In the first round after a change, ranges of both kinds are in flight. */
  @Test
  void whatWasMeasuredBeforeTheLatestChangeDoesNotCount() {
    begin(0, 0, NEEDED / 4);
    plan.store(1, 0, new Rates(20, NEEDED / 4));
    plan.store(2, 1, new Rates(20, NEEDED / 4));
    rounds(12, 50);
    assertThat(told).isEmpty();
  }

  /** 60 gradients/s is the median of 20, 60 and 600. */
  @Test
  void pFollowsFromTheMedianRateAndTheLeastBandwidth() {
    begin(0, 0, NEEDED);
    plan.store(1, 1, new Rates(600, NEEDED / 8));
    plan.store(2, 1, new Rates(60, 100 * NEEDED));
    rounds(12, 50);
    assertThat(told).hasSize(2).allMatch(message -> message.body().equals(new Adopt(14, 24)));
  }

  @ParameterizedTest
  @CsvSource({"17, 17", "16, 0", "15, 0", "14, 14", "64, 64", "65, 64", "500, 64"})
  void pIsChangedWhereItIsTooSmall_orTooLargeByMore_andGrowsByFourTimes(int right, int adopted) {
    begin(0, 0, NEEDED / right * 1.0001);
    othersMeasured(20, NEEDED);
    rounds(12, 50);
    if (adopted == 0) {
      assertThat(told).isEmpty();
    } else {
      assertThat(told)
          .hasSize(2)
          .allMatch(message -> message.body().equals(new Adopt(14, adopted)));
    }
  }

  @Test
  void untilAChangeIsMade_noOtherIsDecided() {
    begin(0, 0, NEEDED / 4);
    othersMeasured(20, NEEDED / 4);
    rounds(12, 50);
    told.clear();
    rounds(12, 50);
    othersMeasured(20, NEEDED / 200);
    rounds(12, 50);
    assertThat(told).isEmpty();
  }

  /** A window that began with the earlier p, and earlier rates, do not count. */
  @Test
  void afterAChangeAllMeasureAnew() {
    begin(0, 0, NEEDED / 4);
    othersMeasured(20, NEEDED / 4);
    rounds(14, 50);
    plan.putInForce(round);
    told.clear();
    othersMeasured(20, NEEDED / 200);
    rounds(9, 50);
    assertThat(told).isEmpty();
    rounds(1, 50);
    assertThat(told).hasSize(2).allMatch(message -> message.body().equals(new Adopt(26, FIRST)));
  }

  @Test
  void whoChangesLateCountsFromThenOn() {
    begin(0, 0, NEEDED / 4);
    othersMeasured(20, NEEDED / 4);
    rounds(14, 50);
    told.clear();
    plan.putInForce(20);
    plan.store(1, 20, new Rates(20, NEEDED / 200));
    plan.store(2, 20, new Rates(20, NEEDED / 200));
    rounds(24, 50);
    assertThat(told).isEmpty();
    plan.store(1, 21, new Rates(20, NEEDED / 200));
    plan.store(2, 21, new Rates(20, NEEDED / 200));
    rounds(1, 50);
    assertThat(told)
        .extracting(Message::body)
        .containsExactly(new Adopt(41, 16), new Adopt(41, 16));
  }

  // ---- state -----------------------------------------------------------------------------------

  @Test
  void aChangeThatIsDueOutlastsACheckpoint() throws IOException {
    begin(1, 0, 5_000);
    plan.schedule(new Adopt(7, 3));
    byte[] state = state();
    begin(1, 0, 5_000);
    plan.read(in(state));
    assertThat(plan.inForce()).isEqualTo(FIRST);
    assertThat(plan.due(6)).isEmpty();
    assertThat(plan.due(7)).hasValue(3);
    plan.putInForce(7);
    state = state();
    begin(1, 0, 5_000);
    plan.read(in(state));
    assertThat(plan.inForce()).isEqualTo(3);
    assertThat(plan.due(100)).isEmpty();
  }

  @Test
  void aFixedPStaysSo_whateverWasSaved() throws IOException {
    begin(1, 0, 5_000);
    plan.schedule(new Adopt(7, 3));
    byte[] state = state();
    begin(1, 5, 0);
    plan.read(in(state));
    assertThat(plan.inForce()).isEqualTo(5);
    assertThat(plan.due(100)).isEmpty();
  }

  @Test
  void aChangeToNoPartitionsIsDamage() throws IOException {
    begin(1, 0, 5_000);
    plan.schedule(new Adopt(7, 0));
    byte[] state = state();
    assertThatThrownBy(() -> plan.read(in(state)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("change to 0 partitions");
  }

  // ----------------------------------------------------------------------------------------------

  private void begin(int rank, int fixed, double bandwidth) {
    begin(config(rank, RANKS, LENGTH, CHUNK, new AkoOptions(fixed, true, bandwidth)));
  }

  private void begin(ExchangeConfig config) {
    outbox = new Outbox(config, port, Gradient::new);
    plan = new PartitionPlan(config, port, outbox);
    round = 0;
  }

  /** Completes rounds: each computes a gradient, and has 400 bytes in flight until the next. */
  private void rounds(int count, long millis) {
    for (int i = 0; i < count; i++) {
      plan.note(true);
      port.now += millis * 1_000_000;
      plan.computed();
      if (outbox.isUnderWay(2)) {
        outbox.arrived(gradientTo(2));
      }
      outbox.tellRound(2, round);
      plan.measureAndDecide(round++);
    }
  }

  private static Message gradientTo(int peer) {
    Payload values = Payload.of(Slice.view(new float[CHUNK], 0, CHUNK));
    return new Message(0, peer, 0, new Gradient(Range.ofLength(CHUNK), 1, values));
  }

  private void othersMeasured(double gradientsPerSecond, double bytesPerSecond) {
    plan.store(1, round + 1, new Rates(gradientsPerSecond, bytesPerSecond));
    plan.store(2, round + 1, new Rates(gradientsPerSecond, bytesPerSecond));
  }

  private byte[] state() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    plan.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static DataInputStream in(byte[] state) {
    return new DataInputStream(new ByteArrayInputStream(state));
  }

  private static ExchangeConfig config(int rank, int ranks, int length, int chunk, AkoOptions ako) {
    return new ExchangeConfig(
        rank, ranks, length, chunk, 0, ExchangeOptions.defaults(ranks).with(ako));
  }
}
