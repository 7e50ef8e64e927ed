package dev.braid.exchange.fttree;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.collective.SubtreeSum;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * One rank's sums in a binary tree in which messages may arrive twice, late or early. Each
 * subtree's sum is added once per round, child and chunk, whatever route it took.
 *
 * <p>The order of each sum is own + (left child's + right child's), as in {@code tree}, so faults
 * change no bit.
 *
 * <p>The finished sum of a round is kept until the next round is complete, because a neighbour may
 * still lack it. No neighbour can lack an older sum, because no round completes without that
 * neighbour. For the same reason a child is at most one round ahead, and two slots, by the parity
 * of the round, are enough.
 */
final class TreeReduction {

  private final Range vector;
  private final int chunkLength;
  private final int children;
  private final boolean isRoot;
  private final SubtreeSum adder;

  /** By the parity of the round: sums of the subtree, then of all ranks, {@code float[length]}. */
  private final float[][] sums;

  /** By child and chunk: the first round whose sum has not arrived. */
  private final long[][] nextRoundWanted;

  /** By the parity of the round, child and chunk: the sum that waits to be added; or null. */
  private final Sum[][][] waiting;

  /** By the parity of the round, and chunk: whether the first child's sum is that of both. */
  private final boolean[][] firstHoldsBoth;

  /** By chunk of the current round: whether the subtree's sum is complete. */
  private final boolean[] isSummed;

  /** By chunk of the current round: number of samples in the sum so far. */
  private final long[] samples;

  /** By chunk of the current round: whether this rank has the sum of all ranks. */
  private final boolean[] isFinal;

  /** This rank's own gradient of the current round, {@code float[length]}. */
  private float[] gradient = {};

  private long round;
  private boolean underWay;

  /** Number of chunks of the current round that are final. */
  private int finalChunks;

  /** Number of samples in the sum of the previous round, if that sum is kept. */
  private long samplesBefore;

  /** Whether the finished sum of the previous round is kept. */
  private boolean hasBefore;

  TreeReduction(ExchangeConfig config) {
    BinaryTree tree = new BinaryTree(config.ranks());
    this.vector = Range.ofLength(config.length());
    this.chunkLength = config.chunkLength();
    this.children = tree.childCount(config.rank());
    this.isRoot = config.rank() == BinaryTree.ROOT;
    this.round = config.completedRounds();
    int chunks = vector.chunks(chunkLength);
    this.sums = new float[2][config.length()];
    this.nextRoundWanted = new long[children][chunks];
    this.waiting = new Sum[2][children][chunks];
    this.firstHoldsBoth = new boolean[2][chunks];
    this.isSummed = new boolean[chunks];
    this.samples = new long[chunks];
    this.isFinal = new boolean[chunks];
    this.adder = new SubtreeSum(Math.min(config.chunkLength(), config.length()));
    for (long[] ofChild : nextRoundWanted) {
      Arrays.fill(ofChild, round);
    }
  }

  int chunks() {
    return isSummed.length;
  }

  Range chunk(int index) {
    return vector.chunk(index, chunkLength);
  }

  /**
   * Returns the index of a sum's chunk.
   *
   * @throws IllegalArgumentException if the sum's range is not a chunk
   */
  int chunkOf(Sum sum) {
    int index = sum.range().start() / chunkLength;
    if (!sum.range().equals(chunk(index))) {
      throw new IllegalArgumentException(
          sum.range() + ": must be a chunk of " + chunkLength + " elements");
    }
    return index;
  }

  /** Returns the current round, or the next one between rounds. */
  long round() {
    return round;
  }

  boolean underWay() {
    return underWay;
  }

  void begin(Contribution local) {
    if (underWay || local.round() != round) {
      throw new IllegalStateException(
          "contribution to round %d while round %d is %s"
              .formatted(local.round(), round, underWay ? "under way" : "next"));
    }
    gradient = local.gradient();
    underWay = true;
    finalChunks = 0;
    for (int i = 0; i < isSummed.length; i++) {
      // The subtree's sum of a rank without children is its own gradient.
      isSummed[i] = children == 0;
      samples[i] = local.samples();
      isFinal[i] = false;
    }
  }

  /** Takes a child's sum; returns false and releases a duplicate or one over a round ahead. */
  boolean offer(int child, long ofRound, Sum sum) {
    int chunk = chunkOf(sum);
    if (ofRound < nextRoundWanted[child][chunk] || ofRound > round + 1) {
      sum.payload().release();
      return false;
    }
    nextRoundWanted[child][chunk] = ofRound + 1;
    waiting[parity(ofRound)][child][chunk] = sum;
    return true;
  }

  /** Takes the sum of both children; returns false and releases it if either arrived before. */
  boolean offerOfBoth(long ofRound, Sum sum) {
    int chunk = chunkOf(sum);
    if (ofRound < nextRoundWanted[1][chunk]) {
      sum.payload().release();
      return false;
    }
    if (!offer(0, ofRound, sum)) {
      return false;
    }
    nextRoundWanted[1][chunk] = ofRound + 1;
    firstHoldsBoth[parity(ofRound)][chunk] = true;
    return true;
  }

  /** Returns whether all chunks of a child's sum for a round have arrived. */
  boolean hasAll(int child, long ofRound) {
    for (long next : nextRoundWanted[child]) {
      if (next <= ofRound) {
        return false;
      }
    }
    return true;
  }

  /** Adds up a chunk if all children's sums are present; returns whether this completed it. */
  boolean add(int chunk) {
    if (!underWay || isSummed[chunk] || !allChildrenAreHere(chunk)) {
      return false;
    }
    isSummed[chunk] = true;
    float[] sum = sums[parity(round)];
    Sum left = take(0, chunk);
    samples[chunk] += left.samples();
    if (comesAsOneSum(chunk)) {
      firstHoldsBoth[parity(round)][chunk] = false;
      adder.write(sum, gradient, left);
    } else {
      Sum right = take(1, chunk);
      samples[chunk] += right.samples();
      adder.write(sum, gradient, left, right);
    }
    if (isRoot) {
      markFinal(chunk);
    }
    return true;
  }

  private boolean allChildrenAreHere(int chunk) {
    Sum[][] slots = waiting[parity(round)];
    return slots[0][chunk] != null && (comesAsOneSum(chunk) || slots[1][chunk] != null);
  }

  /** Returns whether the children's values for a chunk arrive as one sum. */
  private boolean comesAsOneSum(int chunk) {
    return children == 1 || firstHoldsBoth[parity(round)][chunk];
  }

  private Sum take(int child, int chunk) {
    Sum taken = waiting[parity(round)][child][chunk];
    waiting[parity(round)][child][chunk] = null;
    return taken;
  }

  /** Completes the round of a rank that is alone: its own gradient is the finished sum. */
  void finishAlone() {
    System.arraycopy(gradient, 0, sums[parity(round)], 0, gradient.length);
    for (int i = 0; i < isSummed.length; i++) {
      markFinal(i);
    }
  }

  /** Returns whether the subtree's sum of a chunk is complete and the parent may still lack it. */
  boolean mayBeSentUp(int chunk) {
    return underWay && isSummed[chunk] && !isFinal[chunk];
  }

  /** Returns the subtree's sum of a chunk, while it {@linkplain #mayBeSentUp may be sent up}. */
  Sum subtreeSum(int chunk) {
    float[] values = children == 0 ? gradient : sums[parity(round)];
    return Sum.partial(chunk(chunk), samples[chunk], Payload.view(values, chunk(chunk)));
  }

  /** Takes a chunk's finished sum; returns false if it is known or not of the current round. */
  boolean finish(long ofRound, Sum sum) {
    int chunk = chunkOf(sum);
    if (!underWay || ofRound != round || isFinal[chunk]) {
      return false;
    }
    sum.payload().copyTo(sums[parity(round)], sum.range().start());
    samples[chunk] = sum.samples();
    markFinal(chunk);
    return true;
  }

  private void markFinal(int chunk) {
    isFinal[chunk] = true;
    finalChunks++;
    if (samples[chunk] != samples[firstFinal()]) {
      throw new IllegalStateException(
          "round %d has a sum of %d samples over chunk %d, but of %d samples over another chunk"
              .formatted(round, samples[chunk], chunk, samples[firstFinal()]));
    }
  }

  private int firstFinal() {
    int first = 0;
    while (!isFinal[first]) {
      first++;
    }
    return first;
  }

  /** Returns whether this rank has the finished sum of a chunk of a round. */
  boolean hasFinal(long ofRound, int chunk) {
    return ofRound == round ? underWay && isFinal[chunk] : hasBefore && ofRound == round - 1;
  }

  /** Returns the finished sum of a chunk of the current or the previous round. */
  Sum finalSum(long ofRound, int chunk) {
    long inSum = ofRound == round ? samples[chunk] : samplesBefore;
    Range range = chunk(chunk);
    return Sum.finished(range, inSum, Payload.view(sums[parity(ofRound)], range));
  }

  /** Returns whether this rank has all chunks of the finished sum. */
  boolean isComplete() {
    return underWay && finalChunks == isSummed.length;
  }

  /** Completes the round, and passes its sum to the port. */
  void complete(Port port) {
    underWay = false;
    samplesBefore = samples[0];
    hasBefore = true;
    round++;
    // A round in which no rank had a sample left changes nothing.
    if (samplesBefore > 0) {
      port.update(
          new Update.GradientSum(
              vector, Slice.view(sums[parity(round - 1)], vector), samplesBefore));
    }
  }

  /** Discards the data of incomplete rounds; keeps the sum of the last complete round. */
  void rollBack() {
    underWay = false;
    for (boolean[] ofRound : firstHoldsBoth) {
      Arrays.fill(ofRound, false);
    }
    for (int child = 0; child < children; child++) {
      for (int chunk = 0; chunk < isSummed.length; chunk++) {
        nextRoundWanted[child][chunk] = Math.min(nextRoundWanted[child][chunk], round);
      }
      Body.OverRange.forget(waiting[0][child]);
      Body.OverRange.forget(waiting[1][child]);
    }
  }

  /** Returns the slot of a round, 0 or 1; two consecutive rounds have different slots. */
  static int parity(long ofRound) {
    return (int) (ofRound & 1);
  }
}
