package dev.braid.exchange.fttree;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.TreeNotice.BrotherNext;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.transport.Transport;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * A rank's subtree's sums on their way up: straight to the parent; or, where the link there is down
 * and that to the brother is not, to the brother, who adds them to his own. So the parent gets one
 * vector from the two, and nobody sends more than with all links whole. Only the parent's own
 * gradient is still to be added: {@code own + (left + right)} is the order of every sum anyway.
 *
 * <p>A rank says one round before that it will come through the brother, so that he waits for each
 * of its chunks and does not send his own without it. He may hear of it too late, or come through
 * the rank himself, as his link is down as well: then he passes chunks on as they are. In each case
 * a chunk of a rank goes one way only, and the parent gets it once.
 *
 * <p>In the round in which a link fails and in the next, and where the brother is out of reach,
 * too, the {@link Transport} finds other ways:
 *
 * <pre>
 *   round r      the link to the parent fails: chunks go through the uncle
 *   round r + 1  as it begins the rank tells its brother; chunks go through the uncle still
 *   round r + 2  chunks go to the brother, who sends one sum for both
 * </pre>
 */
final class UpwardSums {

  private static final int NOBODY = -1;
  private static final long NEVER = -1;

  private final int rank;
  private final int parent;
  private final int brother;

  /** Whether the brother goes first, where each of the two would come through the other. */
  private final boolean yields;

  private final Transport transport;
  private final TreeReduction reduction;
  private final FloatPool pool;

  /** The round that this rank has contributed to last. */
  private long begun = NEVER;

  /** Whether this rank's sums of that round go through the brother. */
  private boolean throughBrother;

  /** The last round for which it has told him so. */
  private long told = NEVER;

  /** By the parity of the round: the last one for which the brother has said so. */
  private final long[] brotherComes = {NEVER, NEVER};

  /**
   * By the parity of the round, and chunk: the brother's sums that wait for this rank's; or null.
   */
  private final Sum[][] waiting;

  /** By the parity of the round: how many of the brother's chunks have come. */
  private final int[] come = new int[2];

  /** By chunk, of the round begun: whether this rank's sum has been sent. */
  private final boolean[] sent;

  /**
   * Of a rank in a view, or of one that is left out and has none to send to.
   *
   * @param position the rank's in the view's tree
   * @param pool for chunks that are added up
   */
  UpwardSums(
      View view,
      int rank,
      int position,
      Transport transport,
      TreeReduction reduction,
      FloatPool pool) {
    BinaryTree tree = new BinaryTree(view.size());
    boolean isChild = position > BinaryTree.ROOT;
    int parentPosition = isChild ? tree.parent(position) : NOBODY;
    boolean hasBrother = isChild && tree.childCount(parentPosition) == 2;
    int index = isChild ? tree.indexAtParent(position) : 0;
    this.rank = rank;
    this.parent = isChild ? view.rank(parentPosition) : NOBODY;
    this.brother = hasBrother ? view.rank(tree.child(parentPosition, 1 - index)) : NOBODY;
    this.yields = index == 1;
    this.transport = transport;
    this.reduction = reduction;
    this.pool = pool;
    this.waiting = new Sum[2][reduction.chunks()];
    this.sent = new boolean[reduction.chunks()];
  }

  /** This rank has contributed to the round under way. */
  void begin() {
    begun = reduction.round();
    throughBrother = told == begun;
    Arrays.fill(sent, false);
    if (throughBrother) {
      for (int chunk = 0; chunk < sent.length; chunk++) {
        passOnIfThere(chunk);
      }
    }
    if (brother != NOBODY && shallComeThroughBrother()) {
      told = begun + 1;
      transport.send(new Message(rank, brother, told, new BrotherNext()));
    }
  }

  private boolean shallComeThroughBrother() {
    boolean brotherGoesFirst =
        yields && Math.max(brotherComes[0], brotherComes[1]) >= reduction.round();
    return !transport.isDirect(parent) && transport.isDirect(brother) && !brotherGoesFirst;
  }

  /** The subtree's sum of a chunk is complete. */
  void send(int chunk) {
    if (throughBrother) {
      sendOwn(brother, Sum.Kind.OF_BROTHER, chunk);
    } else if (waiting[TreeReduction.parity(begun)][chunk] != null) {
      sendJoint(chunk);
    } else if (brotherComes[TreeReduction.parity(begun)] != begun) {
      sendOwn(parent, Sum.Kind.PARTIAL, chunk);
    }
  }

  private void sendOwn(int to, Sum.Kind kind, int chunk) {
    sent[chunk] = true;
    transport.send(new Message(rank, to, begun, reduction.partial(chunk).as(kind)));
  }

  /** The brother comes through this rank in the message's round. */
  void brotherComes(long round) {
    brotherComes[TreeReduction.parity(round)] = round;
  }

  /** A chunk of the brother's sum, which he cannot send himself. */
  void receive(long round, Sum sum) {
    int chunk = reduction.chunkOf(sum);
    int parity = TreeReduction.parity(round);
    waiting[parity][chunk] = sum;
    come[parity]++;
    if (come[parity] == reduction.chunks()) {
      come[parity] = 0;
      // No data goes back to him that would take the acknowledgement along.
      transport.acknowledge(brother);
    }
    if (round != begun) {
      return;
    }
    if (throughBrother || sent[chunk]) {
      passOnIfThere(chunk);
    } else if (reduction.isPartial(chunk)) {
      sendJoint(chunk);
    }
  }

  private void sendJoint(int chunk) {
    Sum his = take(chunk);
    Sum own = reduction.partial(chunk);
    Slice joint = pool.lend(his.range().length());
    own.payload().copyTo(joint.array(), joint.offset());
    his.payload().addTo(joint.array(), joint.offset());
    his.payload().release();
    sent[chunk] = true;
    long samples = own.samples() + his.samples();
    Sum both = new Sum(Sum.Kind.JOINT, his.range(), samples, Payload.of(joint));
    transport.send(new Message(rank, parent, begun, both));
  }

  private void passOnIfThere(int chunk) {
    if (waiting[TreeReduction.parity(begun)][chunk] != null) {
      transport.send(new Message(rank, parent, begun, take(chunk)));
    }
  }

  private Sum take(int chunk) {
    Sum his = waiting[TreeReduction.parity(begun)][chunk];
    waiting[TreeReduction.parity(begun)][chunk] = null;
    return his;
  }

  /** The round is complete, and its finished sum here. */
  void complete() {
    if (throughBrother) {
      // No data goes up that would take the acknowledgement along.
      transport.acknowledge(parent);
    }
  }

  /** Nothing that was said or sent counts any longer. */
  void rollBack() {
    Sum.forget(waiting[0]);
    Sum.forget(waiting[1]);
    begun = NEVER;
    told = NEVER;
    throughBrother = false;
    Arrays.fill(come, 0);
    Arrays.fill(brotherComes, NEVER);
  }
}
