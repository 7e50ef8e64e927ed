package dev.braid.exchange.message;

/**
 * Messages between the ranks of a fault-tolerant tree that are not sums: the metadata on the backup
 * links in the paper (<em>fault-tolerant tree</em>, ch. 6, Algorithms 1 and 2), and Braid's
 * additions.
 */
public sealed interface TreeNotice extends Body {

  /** Notice that the sender has sent its subtree's sum to its parent. */
  record ReduceSent() implements TreeNotice {}

  /** Notice that the sender has received the sum of this child's subtree. */
  record ReduceReceived(int child) implements TreeNotice {}

  /** Request for the receiver's subtree sum, which the sender will forward. */
  record ReduceRequest() implements TreeNotice {}

  /** Notice that the sender has sent the finished sum to this child. */
  record BroadcastSent(int child) implements TreeNotice {}

  /** Notice that the sender has received the finished sum. */
  record BroadcastReceived() implements TreeNotice {}

  /**
   * Notice that the sender's sums of the message's round arrive through the receiver, its brother.
   */
  record ComingThroughYou() implements TreeNotice {}
}
