package dev.braid.exchange.fttree;

import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.TreeNotice.ComingThroughYou;
import dev.braid.exchange.transport.Transport;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * The path of a subtree's sums up the tree. A rank sends them directly to its parent. If that link
 * is down and the link to the brother is up, it sends them to the brother, which adds them to its
 * own sums. The parent then gets one vector from the two. On the way up no rank sends more than
 * with all links intact, unless the brother's link to the parent is down as well. The parent only
 * adds its own gradient: every sum is {@code own + (left + right)} anyway, and the sum of two
 * floats does not depend on their order.
 *
 * <p>A rank announces one round in advance that its sums will go through the brother, so that the
 * brother waits for each of its chunks and does not send its own without it. The brother may get
 * the announcement too late, or send through this rank itself because its link is down as well. It
 * then passes chunks on unchanged. In each case a rank's chunk takes one path only, and the parent
 * gets it once.
 *
 * <p>In the round in which a link fails, in the next round, and while the brother is unreachable as
 * well, the {@link Transport} finds other routes:
 *
 * <pre>
 *   round r      the link to the parent fails: chunks go through the uncle, if there is one
 *   round r + 1  when it begins, the rank notifies its brother; chunks still go through the uncle
 *   round r + 2  chunks go to the brother, which sends one sum for both
 * </pre>
 */
final class UpwardSums {

  private static final int NOBODY = -1;
  private static final long NEVER = -1;

  private final int rank;
  private final int parent;
  private final int brother;

  /** Whether this rank yields to its brother if each of the two would send through the other. */
  private final boolean isSecondChild;

  private final Transport transport;
  private final TreeReduction reduction;
  private final FloatPool pool;

  /** The last round to which this rank has contributed. */
  private long roundBegun = NEVER;

  /** Whether this rank's sums of that round go through the brother. */
  private boolean throughBrother;

  /** The last round for which this rank has announced sums through the brother. */
  private long told = NEVER;

  /** By the parity of the round: the last round announced by the brother. */
  private final long[] brotherComes = {NEVER, NEVER};

  /**
   * By the parity of the round, and chunk: the brother's sum that waits for this rank's; or null.
   */
  private final Sum[][] waiting;

  /** By the parity of the round: number of the brother's chunks that have arrived. */
  private final int[] brotherChunksCome = new int[2];

  /** By chunk of {@link #roundBegun}: whether this rank's sum has been sent. */
  private final boolean[] sent;

  /**
   * Creates the path of a rank in a view, or of an excluded rank, which sends to no rank.
   *
   * @param tree tree of the view
   * @param pool lender of memory for the sum of two brothers
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

  /** Begins the round to which this rank has just contributed. */
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
      transport.handOver(new Message(rank, brother, told, new ComingThroughYou()));
    }
  }

  private boolean shallComeThroughBrother() {
    boolean brotherGoesFirst =
        isSecondChild && Math.max(brotherComes[0], brotherComes[1]) >= reduction.round();
    return !transport.isDirect(parent) && transport.isDirect(brother) && !brotherGoesFirst;
  }

  /** Sends the complete sum of the subtree for a chunk, unless the brother's sum is awaited. */
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
    transport.handOver(new Message(rank, to, roundBegun, reduction.subtreeSum(chunk).as(kind)));
  }

  /** Records that the brother's sums of a round will come through this rank. */
  void brotherComes(long round) {
    brotherComes[TreeReduction.parity(round)] = round;
  }

  /** Handles a chunk of the brother's sum, which the brother cannot send to the parent itself. */
  void receive(long round, Sum sum) {
    int chunk = reduction.chunkOf(sum);
    int parity = TreeReduction.parity(round);
    waiting[parity][chunk] = sum;
    brotherChunksCome[parity]++;
    if (brotherChunksCome[parity] == reduction.chunks()) {
      brotherChunksCome[parity] = 0;
      // No data goes back to the brother that could carry the acknowledgement.
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
    transport.handOver(new Message(rank, parent, roundBegun, both));
  }

  private void passOnIfThere(int chunk) {
    if (waiting[TreeReduction.parity(roundBegun)][chunk] != null) {
      transport.handOver(new Message(rank, parent, roundBegun, take(chunk)));
    }
  }

  private Sum take(int chunk) {
    Sum his = waiting[TreeReduction.parity(roundBegun)][chunk];
    waiting[TreeReduction.parity(roundBegun)][chunk] = null;
    return his;
  }

  /** Handles the completion of the round, whose finished sum this rank has. */
  void complete() {
    if (throughBrother) {
      // No data goes up that could carry the acknowledgement.
      transport.acknowledge(parent);
    }
  }

  /** Discards all announcements and all sums of incomplete rounds. */
  void rollBack() {
    Body.OverRange.forget(waiting[0]);
    Body.OverRange.forget(waiting[1]);
    roundBegun = NEVER;
    told = NEVER;
    throughBrother = false;
    Arrays.fill(brotherChunksCome, 0);
    Arrays.fill(brotherComes, NEVER);
  }
}
