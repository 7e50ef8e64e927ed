package dev.braid.exchange.collective;

import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.Range;

/**
 * Broadcast by binary tree: what the member at position 0 has, all have in the end. The tree is
 * that of the positions; a chunk goes down as it comes.
 */
public final class TreeBroadcast implements Collective {

  private final Communicator among;
  private final BinaryTree tree;
  private final float[] values;
  private final Completion completion;

  /**
   * @param values where the root has them, and the others' are written; a member writes a chunk
   *     again only after all below it have had it
   * @param completion told of each chunk, at all members but the root
   */
  public TreeBroadcast(Communicator among, float[] values, Completion completion) {
    this.among = among;
    this.tree = new BinaryTree(among.group().size());
    this.values = values;
    this.completion = completion;
  }

  /** A chunk is ready; called at the root. */
  public void publish(Range chunk, long samples) {
    sendDown(chunk, samples, Payload.view(values, chunk));
  }

  @Override
  public void receive(int from, Sum sum) {
    Range chunk = sum.range();
    sum.payload().copyTo(values, chunk.start());
    sendDown(chunk, sum.samples(), Payload.view(values, chunk));
    completion.complete(chunk, sum.samples());
    sum.payload().release();
  }

  private void sendDown(Range chunk, long samples, Payload payload) {
    int position = among.group().position();
    for (int i = 0; i < tree.childCount(position); i++) {
      among.handFinished(tree.child(position, i), chunk, samples, payload);
    }
  }
}
