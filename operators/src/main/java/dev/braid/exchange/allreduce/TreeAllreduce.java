package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.collective.SubtreeSum;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.Range;
import java.util.Arrays;

/**
 * Pipelined binary tree allreduce: partial sums go up to the root, the sum comes down.
 *
 * <p>The vector travels in chunks, each on its own: a chunk goes up as soon as it has come from all
 * children, so that all levels work at once, and comes down while later chunks still go up.
 *
 * <p>The order of each sum is own + (left child's + right child's), whichever comes first: one loop
 * over all three, and what two brothers can add up before it comes to their parent ({@link
 * UpwardSums}).
 *
 * <p>Latency grows with log n, but inner ranks send up to three vectors a round where a ring's send
 * less than two: a tree suits small vectors and many ranks.
 */
public final class TreeAllreduce extends Allreduce {

  private final ExchangeConfig config;
  private final Port port;
  private final BinaryTree tree;
  private final Range vector;
  private final SubtreeSum subtreeSum;

  /** Per chunk: samples in the sum. */
  private final long[] samples;

  /** Per chunk: one child's partial sum that waits for the other's; or null. */
  private final Sum[] waiting;

  public TreeAllreduce(ExchangeConfig config, Port port) {
    super(config, port);
    this.config = config;
    this.port = port;
    this.tree = new BinaryTree(config.ranks());
    this.vector = Range.ofLength(config.length());
    this.subtreeSum = new SubtreeSum(config);
    int chunks = vector.chunks(config.chunkLength());
    this.samples = new long[chunks];
    this.waiting = new Sum[chunks];
  }

  @Override
  void begin(Contribution local) {
    Arrays.fill(samples, local.samples());
    if (tree.childCount(config.rank()) == 0) {
      contributeLeaf(local);
    }
  }

  @Override
  public void rollBack() {
    Sum.forget(waiting);
    super.rollBack();
  }

  /** A rank without children has its gradient as its subtree's sum: nothing to add, no copy. */
  private void contributeLeaf(Contribution local) {
    float[] gradient = local.gradient();
    if (config.rank() == BinaryTree.ROOT) {
      System.arraycopy(gradient, 0, round().sum(), 0, gradient.length);
      round().markFinal(vector, local.samples());
      return;
    }
    for (int i = 0; i < samples.length; i++) {
      Range chunk = vector.chunk(i, config.chunkLength());
      Payload values = Payload.view(gradient, chunk);
      send(tree.parent(config.rank()), Sum.partial(chunk, local.samples(), values));
    }
  }

  @Override
  void handle(Sum sum) {
    switch (sum.kind()) {
      case PARTIAL -> reduce(sum);
      case FINISHED -> broadcast(sum);
      case TO_RELAY, OF_BROTHER, JOINT -> throw new IllegalArgumentException(sum + " in a tree");
    }
  }

  private void reduce(Sum sum) {
    int index = sum.range().start() / config.chunkLength();
    float[] own = round().local().gradient();
    if (tree.childCount(config.rank()) == 1) {
      subtreeSum.write(round().sum(), own, sum);
    } else if (waiting[index] == null) {
      waiting[index] = sum;
      return;
    } else {
      subtreeSum.write(round().sum(), own, waiting[index], sum);
      samples[index] += waiting[index].samples();
      waiting[index] = null;
    }
    samples[index] += sum.samples();
    sendOn(index);
  }

  /** This rank's subtree is in the sum: it goes up, or, at the root, down. */
  private void sendOn(int index) {
    Range chunk = vector.chunk(index, config.chunkLength());
    Payload values = Payload.view(round().sum(), chunk);
    if (config.rank() == BinaryTree.ROOT) {
      round().markFinal(chunk, samples[index]);
      sendDown(Sum.finished(chunk, samples[index], values));
    } else {
      send(tree.parent(config.rank()), Sum.partial(chunk, samples[index], values));
    }
  }

  private void broadcast(Sum sum) {
    sendDown(sum);
    sum.payload().copyTo(round().sum(), sum.range().start());
    round().markFinal(sum.range(), sum.samples());
    sum.payload().release();
  }

  private void sendDown(Sum sum) {
    for (int i = 0; i < tree.childCount(config.rank()); i++) {
      send(tree.child(config.rank(), i), sum);
    }
  }

  private void send(int to, Sum sum) {
    port.send(new Message(config.rank(), to, round().completed(), sum));
  }
}
