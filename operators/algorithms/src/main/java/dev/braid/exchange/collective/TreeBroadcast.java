package dev.braid.exchange.collective;

import dev.braid.exchange.message.Sum;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.Range;

/**
 * Broadcast by binary tree: all members end with the values of the member at position 0. The tree
 * is defined by the positions. Each chunk is passed down as soon as it arrives.
 */
public final class TreeBroadcast implements Collective {

  private final Communicator among;
  private final BinaryTree tree;
  private final float[] values;
  private final Completion completion;

  /**
   * Creates one member's part.
   *
   * @param values the vector: contains the values at the root and receives them at other members; a
   *     member overwrites a chunk only after all members below it have received it
   * @param completion called for each chunk, at all members except the root
   */
  public TreeBroadcast(Communicator among, float[] values, Completion completion) {
    this.among = among;
    this.tree = new BinaryTree(among.size());
    this.values = values;
    this.completion = completion;
  }

  /** Sends a finished chunk down the tree; called at the root. */
  public void publish(Range chunk, long samples) {
    sendDown(chunk, samples);
  }

  @Override
  public void receive(int from, Sum sum) {
    Range chunk = sum.range();
    sum.payload().copyTo(values, chunk.start());
    sendDown(chunk, sum.samples());
    completion.complete(chunk, sum.samples());
    sum.payload().release();
  }

  private void sendDown(Range chunk, long samples) {
    int position = among.position();
    for (int i = 0; i < tree.childCount(position); i++) {
      among.handFinished(tree.child(position, i), chunk, samples, values);
    }
  }
}
