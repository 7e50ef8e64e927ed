package dev.braid.exchange.collective;

import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Sum;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.Range;

/**
 * Reduce by binary tree: the member at position 0 ends with the sum of all members' vectors. The
 * tree is defined by the positions.
 *
 * <p>Each chunk is passed up as soon as it has arrived from all children, so that all levels work
 * at the same time. Each sum is own + (left child's + right child's), independent of arrival.
 */
public final class TreeReduce implements Collective {

  private final Communicator among;
  private final BinaryTree tree;
  private final Range range;
  private final float[] sums;
  private final Completion completion;
  private final SubtreeSum subtreeSum;

  /** Per chunk: one child's partial sum that waits for the other child's; or null. */
  private final Sum[] waiting;

  private float[] own = {};
  private long ownSamples;

  /**
   * Creates one member's part.
   *
   * @param range the reduced range, the same at all members
   * @param sums output: receives the sum at the root, and the sum of the member's subtree elsewhere
   * @param completion called for each chunk, at the root
   */
  public TreeReduce(Communicator among, Range range, float[] sums, Completion completion) {
    this.among = among;
    this.tree = new BinaryTree(among.size());
    this.range = range;
    this.sums = sums;
    this.completion = completion;
    this.subtreeSum = new SubtreeSum(Math.min(among.chunkLength(), range.length()));
    this.waiting = new Sum[range.chunks(among.chunkLength())];
  }

  /**
   * Begins with this member's values. They must not change until the operation is complete at this
   * member's parent; a member that has the whole sum knows that it is. From then on the sums of
   * subtrees may be overwritten, too.
   */
  public void begin(float[] values, long samples) {
    own = values;
    ownSamples = samples;
    if (tree.childCount(position()) == 0) {
      for (int i = 0; i < waiting.length; i++) {
        sendOn(range.chunk(i, among.chunkLength()), samples, own);
      }
    }
  }

  @Override
  public void receive(int from, Sum sum) {
    int index = (sum.range().start() - range.start()) / among.chunkLength();
    long samples = ownSamples + sum.samples();
    if (tree.childCount(position()) == 1) {
      subtreeSum.write(sums, own, sum);
    } else if (waiting[index] == null) {
      waiting[index] = sum;
      return;
    } else {
      samples += waiting[index].samples();
      subtreeSum.write(sums, own, waiting[index], sum);
      waiting[index] = null;
    }
    sendOn(sum.range(), samples, sums);
  }

  /**
   * Passes a chunk's sum over this member's subtree to the parent, or completes the chunk at the
   * root. The subtree's sum of a member without children is its own values, which need no addition,
   * and no copy except at a root.
   */
  private void sendOn(Range chunk, long samples, float[] subtree) {
    if (position() != BinaryTree.ROOT) {
      int parent = tree.parent(position());
      among.handPartial(parent, chunk, samples, subtree);
      return;
    }
    if (subtree != sums) {
      System.arraycopy(subtree, chunk.start(), sums, chunk.start(), chunk.length());
    }
    completion.complete(chunk, samples);
  }

  private int position() {
    return among.position();
  }

  @Override
  public void rollBack() {
    Body.OverRange.forget(waiting);
  }
}
