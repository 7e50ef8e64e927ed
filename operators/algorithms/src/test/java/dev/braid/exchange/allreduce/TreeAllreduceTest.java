package dev.braid.exchange.allreduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeAllreduceTest {

  private static final Range ONE = Range.ofLength(1);

  /** 2^24: adding 1 does not change this float, so the order of a sum shows. */
  private static final float BIG = 1 << 24;

  private final RecordingPort port = new RecordingPort();
  private final List<float[]> released = new ArrayList<>();

  @Test
  void rightChildFirst_sumOrderUnchanged() {
    TreeAllreduce root = tree(0, 3, 1, 1);
    root.contribute(new Contribution(0, new float[] {BIG}, 1));
    root.receive(reduce(2, 0, ONE, 1, 1));
    assertThat(port.takeSums()).isEmpty();
    root.receive(reduce(1, 0, ONE, 1, 1));

    // 2^24 + (1 + 1) is 2 more, while (2^24 + 1) + 1 is 2^24.
    assertThat(port.takeSums())
        .singleElement()
        .satisfies(
            sum -> {
              assertThat(sum.values().toArray()).containsExactly(BIG + 2);
              assertThat(sum.samples()).isEqualTo(3);
            });
    assertThat(released).hasSize(2);
  }

  @Test
  void childrenBeforeTheOwnGradient_sumOrderUnchanged() {
    TreeAllreduce root = tree(0, 3, 1, 1);
    root.receive(reduce(2, 0, ONE, 1, 1));
    root.receive(reduce(1, 0, ONE, 1, 1));
    root.contribute(new Contribution(0, new float[] {BIG}, 1));
    assertThat(port.takeSums().get(0).values().toArray()).containsExactly(BIG + 2);
  }

  @Test
  void chunkThatIsComplete_goesUpBeforeTheNextHasCome() {
    TreeAllreduce inner = tree(1, 4, 5, 2);
    inner.contribute(new Contribution(0, new float[] {1, 2, 3, 4, 5}, 2));
    assertThat(port.takeSent()).isEmpty();
    inner.receive(reduce(3, 0, new Range(4, 5), 1, 10));

    assertThat(port.takeSent())
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.to()).isZero();
              assertThat(message.range()).isEqualTo(new Range(4, 5));
              assertThat(((Sum) message.body()).samples()).isEqualTo(3);
              assertThat(message.payload().dense().toArray()).containsExactly(15);
            });
  }

  @Test
  void leaf_sendsItsGradientInChunksAndWaitsForTheSum() {
    TreeAllreduce leaf = tree(2, 3, 5, 2);
    leaf.contribute(new Contribution(0, new float[] {1, 2, 3, 4, 5}, 2));
    assertThat(port.takeSent())
        .extracting(Message::range)
        .containsExactly(new Range(0, 2), new Range(2, 4), new Range(4, 5));
    assertThat(leaf.mayCompute()).isFalse();
    assertThat(leaf.completedRounds()).isZero();
  }

  @Test
  void singleRank_completesAtOnce_whateverTheChunks() {
    TreeAllreduce only = tree(0, 1, 5, 2);
    float[] gradient = {1, 2, 3, 4, 5};
    only.contribute(new Contribution(0, gradient, 2));
    assertThat(port.takeSums())
        .singleElement()
        .satisfies(sum -> assertThat(sum.values().toArray()).containsExactly(gradient));
    assertThat(port.takeSent()).isEmpty();
    assertThat(only.mayCompute()).isTrue();
    assertThat(only.completedRounds()).isEqualTo(1);
  }

  @Test
  void rollBackWithOneChildIn_secondAttemptCountsItOnce() {
    TreeAllreduce root = tree(0, 3, 1, 1);
    Contribution local = new Contribution(0, new float[] {1}, 1);
    root.contribute(local);
    root.receive(reduce(1, 0, ONE, 1, 10));
    root.rollBack();

    root.contribute(local);
    root.receive(reduce(1, 0, ONE, 1, 10));
    root.receive(reduce(2, 0, ONE, 1, 100));
    assertThat(port.takeSums())
        .singleElement()
        .satisfies(
            sum -> {
              assertThat(sum.values().toArray()).containsExactly(111);
              assertThat(sum.samples()).isEqualTo(3);
            });
  }

  @Test
  void rollBackWhileTheRightChildWaits_forgetsAndReleasesIt() {
    TreeAllreduce root = tree(0, 3, 1, 1);
    Contribution local = new Contribution(0, new float[] {1}, 1);
    root.contribute(local);
    root.receive(reduce(2, 0, ONE, 1, 100));
    root.rollBack();
    assertThat(released).hasSize(1);

    root.contribute(local);
    root.receive(reduce(1, 0, ONE, 1, 10));
    assertThat(port.takeSums()).isEmpty();
    root.receive(reduce(2, 0, ONE, 1, 100));
    assertThat(port.takeSums().get(0).values().toArray()).containsExactly(111);
  }

  private TreeAllreduce tree(int rank, int ranks, int length, int chunkLength) {
    return new TreeAllreduce(new ExchangeConfig(rank, ranks, length, chunkLength, 0), port);
  }

  private Message reduce(int from, int to, Range range, long samples, float... values) {
    Slice slice = Slice.lent(values, 0, values.length, released::add);
    return new Message(from, to, 0, Sum.partial(range, samples, Payload.of(slice)));
  }
}
