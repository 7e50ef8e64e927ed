package dev.braid.exchange.message;

/**
 * What ranks of a fault-tolerant tree tell each other besides sums: the metadata on the backup
 * links of its paper (<em>fault-tolerant tree</em>, ch. 6, Algorithms 1 and 2), and what Braid
 * adds.
 */
public sealed interface TreeNotice extends Body {

  /** The sender has sent its subtree's sum to its parent. */
  record ReduceSent() implements TreeNotice {}

  /** The sender has received the sum of this child's subtree. */
  record ReduceReceived(int child) implements TreeNotice {}

  /** The receiver shall send its subtree's sum to the sender, to be passed on. */
  record ReduceRequest() implements TreeNotice {}

  /** The sender has sent the finished sum to this child. */
  record BroadcastSent(int child) implements TreeNotice {}

  /** The sender has received the finished sum. */
  record BroadcastReceived() implements TreeNotice {}

  /** The sender's sums of the message's round come through the receiver, its brother. */
  record ComingThroughYou() implements TreeNotice {}
}
