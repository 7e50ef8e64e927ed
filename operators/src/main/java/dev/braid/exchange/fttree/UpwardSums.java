package dev.braid.exchange.fttree;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.TreeNotice.ComingThroughYou;
import dev.braid.exchange.transport.Transport;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * A rank's subtree's sums on their way up: straight to the parent; or, where the link there is down
 * and that to the brother is not, to the brother, who adds them to his own. So the parent gets one
 * vector from the two, and on the way up nobody sends more than with all links whole, unless the
 * brother's link to the parent is down as well. Only the parent's own gradient is still to be
 * added: {@code own + (left + right)} is the order of every sum anyway, and two floats give the
 * same sum in either order.
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
 *   round r      the link to the parent fails: chunks go through the uncle, if there is one
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

  /** The first child goes first, where each of the two would come through the other. */
  private final boolean isSecondChild;

  private final Transport transport;
  private final TreeReduction reduction;
  private final FloatPool pool;

  /** The round that this rank has contributed to last. */
  private long roundBegun = NEVER;

  /** Whether this rank's sums of that round go through the brother. */
  private boolean throughBrother;

  /** The last round for which it has told the brother that it comes through him. */
  private long told = NEVER;

  /** By the parity of the round: the last one for which the brother has said so. */
  private final long[] brotherComes = {NEVER, NEVER};

  /**
   * By the parity of the round, and chunk: the brother's sums that wait for this rank's; or null.
   */
  private final Sum[][] waiting;

  /** By the parity of the round: how many of the brother's chunks have come. */
  private final int[] brotherChunksCome = new int[2];

  /** By chunk, of that round: whether this rank's sum has been sent. */
  private final boolean[] sent;

  /**
   * Makes the way up of a rank in a view; or of one that is left out, which has nobody to send to.
   *
   * @param tree the view's
   * @param pool for chunks that are added up
   */
  UpwardSums(
      ViewTree tree, int rank, Transport transport, TreeReduction reduction, FloatPool pool) {
    this.rank = rank;
    this.parent = tree.parent().orElse(NOBODY);
    this.brother = tree.brother().orElse(NOBODY);
    this.isSecondChild = tree.isSecondChild();
    this.transport = transport;
    this.reduction = reduction;
    this.pool = pool;
    this.waiting = new Sum[2][reduction.chunks()];
    this.sent = new boolean[reduction.chunks()];
  }

  /** This rank has contributed to the round under way. */
  void begin() {
    roundBegun = reduction.round();
    throughBrother = told == roundBegun;
    Arrays.fill(sent, false);
    if (throughBrother) {
      for (int chunk = 0; chunk < sent.length; chunk++) {
        passOnIfThere(chunk);
      }
    }
    if (brother != NOBODY && shallComeThroughBrother()) {
      told = roundBegun + 1;
      transport.send(new Message(rank, brother, told, new ComingThroughYou()));
    }
  }

  private boolean shallComeThroughBrother() {
    boolean brotherGoesFirst =
        isSecondChild && Math.max(brotherComes[0], brotherComes[1]) >= reduction.round();
    return !transport.isDirect(parent) && transport.isDirect(brother) && !brotherGoesFirst;
  }

  /** The subtree's sum of a chunk is complete. */
  void send(int chunk) {
    if (throughBrother) {
      sendOwn(brother, Sum.Kind.OF_BROTHER, chunk);
    } else if (waiting[TreeReduction.parity(roundBegun)][chunk] != null) {
      sendOfBoth(chunk);
    } else if (brotherComes[TreeReduction.parity(roundBegun)] != roundBegun) {
      sendOwn(parent, Sum.Kind.PARTIAL, chunk);
    }
  }

  private void sendOwn(int to, Sum.Kind kind, int chunk) {
    sent[chunk] = true;
    transport.send(new Message(rank, to, roundBegun, reduction.subtreeSum(chunk).as(kind)));
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
    brotherChunksCome[parity]++;
    if (brotherChunksCome[parity] == reduction.chunks()) {
      brotherChunksCome[parity] = 0;
      // No data goes back to him that would take the acknowledgement along.
      transport.acknowledge(brother);
    }
    if (round != roundBegun) {
      return;
    }
    if (throughBrother || sent[chunk]) {
      passOnIfThere(chunk);
    } else if (reduction.mayBeSentUp(chunk)) {
      sendOfBoth(chunk);
    }
  }

  private void sendOfBoth(int chunk) {
    Sum his = take(chunk);
    Sum own = reduction.subtreeSum(chunk);
    Slice sum = pool.lend(his.range().length());
    own.payload().copyTo(sum.array(), sum.offset());
    his.payload().addTo(sum.array(), sum.offset());
    his.payload().release();
    sent[chunk] = true;
    long samples = own.samples() + his.samples();
    Sum both = new Sum(Sum.Kind.OF_BOTH, his.range(), samples, Payload.of(sum));
    transport.send(new Message(rank, parent, roundBegun, both));
  }

  private void passOnIfThere(int chunk) {
    if (waiting[TreeReduction.parity(roundBegun)][chunk] != null) {
      transport.send(new Message(rank, parent, roundBegun, take(chunk)));
    }
  }

  private Sum take(int chunk) {
    Sum his = waiting[TreeReduction.parity(roundBegun)][chunk];
    waiting[TreeReduction.parity(roundBegun)][chunk] = null;
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
    roundBegun = NEVER;
    told = NEVER;
    throughBrother = false;
    Arrays.fill(brotherChunksCome, 0);
    Arrays.fill(brotherComes, NEVER);
  }
}
