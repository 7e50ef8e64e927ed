package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.collective.SubtreeSum;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Message.Kind;
import dev.braid.exchange.message.Messages;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
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
  private final Message[] waiting;

  public TreeAllreduce(ExchangeConfig config, Port port) {
    super(config, port);
    this.config = config;
    this.port = port;
    this.tree = new BinaryTree(config.ranks());
    this.vector = Range.ofLength(config.length());
    this.subtreeSum = new SubtreeSum(config);
    int chunks = vector.chunks(config.chunkLength());
    this.samples = new long[chunks];
    this.waiting = new Message[chunks];
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
    Messages.forget(waiting);
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
      Slice values = Slice.view(gradient, chunk);
      send(tree.parent(config.rank()), Kind.REDUCE, chunk, local.samples(), values);
    }
  }

  @Override
  void handle(Message message) {
    switch (message.kind()) {
      case REDUCE -> reduce(message);
      case BROADCAST -> broadcast(message);
      default -> throw message.unexpected();
    }
  }

  private void reduce(Message message) {
    int index = message.range().start() / config.chunkLength();
    float[] own = round().local().gradient();
    if (tree.childCount(config.rank()) == 1) {
      subtreeSum.write(round().sum(), own, message);
    } else if (waiting[index] == null) {
      waiting[index] = message;
      return;
    } else {
      subtreeSum.write(round().sum(), own, waiting[index], message);
      samples[index] += waiting[index].samples();
      waiting[index] = null;
    }
    samples[index] += message.samples();
    sendOn(index);
  }

  /** This rank's subtree is in the sum: it goes up, or, at the root, down. */
  private void sendOn(int index) {
    Range chunk = vector.chunk(index, config.chunkLength());
    Slice values = Slice.view(round().sum(), chunk);
    if (config.rank() == BinaryTree.ROOT) {
      round().markFinal(chunk, samples[index]);
      sendDown(chunk, samples[index], values);
    } else {
      send(tree.parent(config.rank()), Kind.REDUCE, chunk, samples[index], values);
    }
  }

  private void broadcast(Message message) {
    Range chunk = message.range();
    Slice values = message.values();
    sendDown(chunk, message.samples(), values);
    System.arraycopy(values.array(), values.offset(), round().sum(), chunk.start(), chunk.length());
    round().markFinal(chunk, message.samples());
    values.release();
  }

  private void sendDown(Range chunk, long samplesInSum, Slice values) {
    for (int i = 0; i < tree.childCount(config.rank()); i++) {
      send(tree.child(config.rank(), i), Kind.BROADCAST, chunk, samplesInSum, values);
    }
  }

  private void send(int to, Kind kind, Range chunk, long samplesInSum, Slice values) {
    port.send(
        new Message(config.rank(), to, kind, round().completed(), chunk, samplesInSum, values));
  }
}
