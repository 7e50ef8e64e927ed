package dev.braid.exchange.message;

/**
 * Messages between the ranks of a fault-tolerant tree that are not sums: the metadata on the backup
 * links in the paper (<em>fault-tolerant tree</em>, ch. 6, Algorithms 1 and 2), and Braid's
 * additions.
 */
public sealed interface TreeNotice extends Body {

  /** Notice that the sender has sent its subtree's sum to its parent. */
  record ReduceSent() implements TreeNotice {
    static final BodyKind KIND = new BodyKind(16, (form, values) -> new ReduceSent());

    @Override
    public BodyForm form() {
      return KIND.form(0, 0);
    }
  }

  /** Notice that the sender has received the sum of this child's subtree. */
  record ReduceReceived(int child) implements TreeNotice {
    static final BodyKind KIND =
        new BodyKind(17, (form, values) -> new ReduceReceived(form.firstInt()));

    @Override
    public BodyForm form() {
      return KIND.form(child, 0);
    }
  }

  /** Request for the receiver's subtree sum, which the sender will forward. */
  record ReduceRequest() implements TreeNotice {
    static final BodyKind KIND = new BodyKind(18, (form, values) -> new ReduceRequest());

    @Override
    public BodyForm form() {
      return KIND.form(0, 0);
    }
  }

  /** Notice that the sender has sent the finished sum to this child. */
  record BroadcastSent(int child) implements TreeNotice {
    static final BodyKind KIND =
        new BodyKind(19, (form, values) -> new BroadcastSent(form.firstInt()));

    @Override
    public BodyForm form() {
      return KIND.form(child, 0);
    }
  }

  /** Notice that the sender has received the finished sum. */
  record BroadcastReceived() implements TreeNotice {
    static final BodyKind KIND = new BodyKind(20, (form, values) -> new BroadcastReceived());

    @Override
    public BodyForm form() {
      return KIND.form(0, 0);
    }
  }

  /**
   * Notice that the sender's sums of the message's round arrive through the receiver, its brother.
   */
  record ComingThroughYou() implements TreeNotice {
    static final BodyKind KIND = new BodyKind(21, (form, values) -> new ComingThroughYou());

    @Override
    public BodyForm form() {
      return KIND.form(0, 0);
    }
  }
}
