package dev.braid.exchange;

import dev.braid.topology.BinaryTree;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.util.Arrays;

/**
 * One rank's sums in a binary tree of which messages may come twice, late or early: every subtree's
 * sum is added once, by round, child and chunk, whatever way it took.
 *
 * <p>The order of each sum is own + left child's + right child's, as in {@link TreeAllreduce}, so
 * that faults change no bit.
 *
 * <p>The finished sum of the round before is kept until the next round is complete: a neighbour may
 * still lack it. No neighbour can lack an older one, as no round completes without it.
 */
final class TreeReduction {

  private final Range vector;
  private final int chunkLength;
  private final int children;
  private final boolean isRoot;

  /** By the parity of the round. */
  private final float[][] sums;

  /** By child and chunk: from which round on its sum is not yet here. */
  private final long[][] wanted;

  /** By the parity of the round, child and chunk: sums that wait to be added; or null. */
  private final Message[][][] waiting;

  /** By chunk, of the round under way: how many children's sums are added. */
  private final int[] added;

  private final long[] samples;
  private final boolean[] isFinal;

  private float[] gradient = {};
  private long round;
  private boolean underWay;
  private int finals;
  private long samplesBefore;
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
    this.wanted = new long[children][chunks];
    this.waiting = new Message[2][children][chunks];
    this.added = new int[chunks];
    this.samples = new long[chunks];
    this.isFinal = new boolean[chunks];
    for (long[] ofChild : wanted) {
      Arrays.fill(ofChild, round);
    }
  }

  int chunks() {
    return added.length;
  }

  Range chunk(int index) {
    return vector.chunk(index, chunkLength);
  }

  /** The chunk that a message is about. */
  int chunkOf(Message message) {
    int index = message.range().start() / chunkLength;
    if (!message.range().equals(chunk(index))) {
      throw new IllegalArgumentException(
          message.range() + " from rank " + message.from() + " is no chunk of " + chunkLength);
    }
    return index;
  }

  /** The round under way, or next. */
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
    finals = 0;
    for (int i = 0; i < added.length; i++) {
      added[i] = 0;
      samples[i] = local.samples();
      isFinal[i] = false;
    }
  }

  /** Takes a child's sum in; false, and it is released, if it has been here before. */
  boolean offer(int child, Message message) {
    int chunk = chunkOf(message);
    if (message.round() < wanted[child][chunk] || message.round() > round + 1) {
      message.values().release();
      return false;
    }
    wanted[child][chunk] = message.round() + 1;
    waiting[parity(message.round())][child][chunk] = message;
    return true;
  }

  /** Whether all of a child's sum for a round has come. */
  boolean hasAll(int child, long ofRound) {
    for (long next : wanted[child]) {
      if (next <= ofRound) {
        return false;
      }
    }
    return true;
  }

  /** Adds what is there in order; true if the subtree's sum of this chunk is now complete. */
  boolean add(int chunk) {
    if (!underWay || added[chunk] == children) {
      return false;
    }
    Message[][] slots = waiting[parity(round)];
    while (added[chunk] < children && slots[added[chunk]][chunk] != null) {
      int child = added[chunk];
      add(chunk, slots[child][chunk]);
      slots[child][chunk] = null;
    }
    if (added[chunk] < children) {
      return false;
    }
    if (isRoot) {
      markFinal(chunk);
    }
    return true;
  }

  private void add(int chunk, Message message) {
    Slice partial = message.values();
    float[] sum = sums[parity(round)];
    int start = message.range().start();
    float[] before = added[chunk] == 0 ? gradient : sum;
    Vectors.sum(
        sum, start, before, start, partial.array(), partial.offset(), message.range().length());
    added[chunk]++;
    samples[chunk] += message.samples();
    partial.release();
  }

  /** A rank without children has its own gradient as its subtree's sum. */
  void finishAlone() {
    System.arraycopy(gradient, 0, sums[parity(round)], 0, gradient.length);
    for (int i = 0; i < added.length; i++) {
      markFinal(i);
    }
  }

  /** Whether the subtree's sum is complete and its parent may still want it. */
  boolean isPartial(int chunk) {
    return underWay && added[chunk] == children && !isFinal[chunk];
  }

  /** The subtree's sum: valid as long as {@link #isPartial}. */
  Slice partial(int chunk) {
    return Slice.view(children == 0 ? gradient : sums[parity(round)], chunk(chunk));
  }

  /** Samples in the sum of a chunk of the round under way, as far as it is known. */
  long samples(int chunk) {
    return samples[chunk];
  }

  /** Takes in the finished sum of a chunk of the round under way; false if it is known. */
  boolean finish(Message message) {
    int chunk = chunkOf(message);
    if (!underWay || message.round() != round || isFinal[chunk]) {
      return false;
    }
    Slice values = message.values();
    System.arraycopy(
        values.array(),
        values.offset(),
        sums[parity(round)],
        message.range().start(),
        values.length());
    samples[chunk] = message.samples();
    markFinal(chunk);
    return true;
  }

  private void markFinal(int chunk) {
    isFinal[chunk] = true;
    finals++;
    if (samples[chunk] != samples[firstFinal()]) {
      throw new IllegalStateException(
          "round %d sums %d samples over chunk %d, but %d before"
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

  /** Whether the finished sum of this chunk of this round is here. */
  boolean hasFinal(long ofRound, int chunk) {
    return ofRound == round ? underWay && isFinal[chunk] : hasBefore && ofRound == round - 1;
  }

  /** The finished sum of a chunk of the round under way or the one before. */
  Slice finalSum(long ofRound, int chunk) {
    return Slice.view(sums[parity(ofRound)], chunk(chunk));
  }

  /** Samples in the finished sum of the round under way or the one before. */
  long finalSamples(long ofRound, int chunk) {
    return ofRound == round ? samples[chunk] : samplesBefore;
  }

  /** Whether the finished sum is here as a whole. */
  boolean isComplete() {
    return underWay && finals == added.length;
  }

  /** Ends the round and hands its sum over. */
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

  /** Forgets what has come of rounds that are not complete; keeps the sum of the last that is. */
  void rollBack() {
    underWay = false;
    for (int child = 0; child < children; child++) {
      for (int chunk = 0; chunk < added.length; chunk++) {
        wanted[child][chunk] = Math.min(wanted[child][chunk], round);
        forget(waiting[0][child], chunk);
        forget(waiting[1][child], chunk);
      }
    }
  }

  private static void forget(Message[] slots, int chunk) {
    if (slots[chunk] != null) {
      slots[chunk].values().release();
      slots[chunk] = null;
    }
  }

  private static int parity(long ofRound) {
    return (int) (ofRound & 1);
  }
}
