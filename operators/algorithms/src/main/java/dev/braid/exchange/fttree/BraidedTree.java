package dev.braid.exchange.fttree;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.membership.ElasticExchange;
import dev.braid.exchange.membership.RoundsOfView;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.TreeNotice.ComingThroughYou;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import dev.braid.topology.BackupTree;
import dev.braid.vector.FloatPool;
import java.util.Optional;

/**
 * The improved fault-tolerant tree: the reduction of {@code tree} over the links of {@link
 * BackupTree}, on a transport that itself finds routes around failed links.
 *
 * <p>Improvements over the paper's algorithm ({@link FaultTolerantTree}): time-outs follow measured
 * round trips, the ends of a link detect a failure themselves, the tree survives any number of
 * failures while a route is left, and the route that was found is kept for later rounds. As long as
 * every acknowledgement arrives in time, backup links carry no messages.
 *
 * <p>The order of summation is that of the other trees, so the bits are the same while all ranks
 * are in the view. If a rank's link to its parent stays down, its sum goes to the brother, which
 * sends one sum for both ({@link UpwardSums}).
 *
 * <p>{@link ElasticExchange} decides who takes part and handles excluded ranks. The tree is that of
 * a view's members, in their order.
 */
public final class BraidedTree extends ElasticExchange {

  public BraidedTree(ExchangeConfig config, Port port) {
    this(config, port, false);
  }

  private BraidedTree(ExchangeConfig config, Port port, boolean areRoundsRare) {
    super(
        config,
        port,
        new BackupTree(config.ranks()).neighbours(config.rank()),
        Window.ofExchange(config),
        algorithm(config, port),
        areRoundsRare);
  }

  /** Creates a tree for rounds between which seconds may pass. */
  public static BraidedTree ofRareRounds(ExchangeConfig config, Port port) {
    return new BraidedTree(config, port, true);
  }

  private static Algorithm algorithm(ExchangeConfig config, Port port) {
    // The pool lends memory for chunks of the sum of two brothers.
    FloatPool pool = new FloatPool(config.chunkLength(), Window.CHUNKS);
    return (view, transport) ->
        new ViewRounds(config, new ViewTree(view, config.rank()), port, transport, pool);
  }

  /**
   * One rank's rounds in one view. A chunk's sum goes up the view's tree as soon as all sums of the
   * subtree have arrived ({@code PARTIAL}), and the finished sum goes down on arrival ({@code
   * FINISHED}). The transport chooses the routes of messages, except for the sums of a rank whose
   * link to its parent is down ({@link UpwardSums}).
   *
   * <p>An excluded rank takes part in no round of the view.
   */
  private static final class ViewRounds implements RoundsOfView {

    private final int rank;
    private final Port port;
    private final Transport transport;
    private final ViewTree tree;

    /** This rank's neighbours in the tree of all ranks. */
    private final int[] neighbours;

    /** Sums of this rank's and its children's values. */
    private final TreeReduction reduction;

    /** Path of these sums to the parent. */
    private final UpwardSums upwards;

    /**
     * Creates the rounds of a view that begins.
     *
     * @param config the rank's configuration among all ranks
     * @param port receiver of finished sums
     * @param pool lender of memory for the sum of two brothers
     */
    ViewRounds(
        ExchangeConfig config, ViewTree tree, Port port, Transport transport, FloatPool pool) {
      this.rank = config.rank();
      this.port = port;
      this.transport = transport;
      this.tree = tree;
      this.neighbours = new BackupTree(config.ranks()).neighbours(rank);
      this.reduction = new TreeReduction(tree.configByPosition(config));
      this.upwards = new UpwardSums(tree, rank, transport, reduction, pool);
    }

    @Override
    public long round() {
      return reduction.round();
    }

    @Override
    public boolean underWay() {
      return reduction.underWay();
    }

    @Override
    public void contribute(Contribution local) {
      reduction.begin(local);
      upwards.begin();
      if (tree.isAlone()) {
        reduction.finishAlone();
      }
      for (int chunk = 0; chunk < reduction.chunks(); chunk++) {
        if (tree.childCount() > 0) {
          addUp(chunk);
        } else if (!tree.isAlone()) {
          upwards.send(chunk);
        }
      }
      completeIfDone();
    }

    /** Discards incomplete rounds, and announcements of sums through a brother. */
    @Override
    public void rollBack() {
      reduction.rollBack();
      upwards.rollBack();
    }

    @Override
    public void receive(Message message) {
      if (message.body() instanceof Sum sum) {
        receive(message, sum);
      } else if (message.body() instanceof ComingThroughYou) {
        upwards.brotherComes(message.round());
      } else {
        throw message.unexpected();
      }
    }

    private void receive(Message message, Sum sum) {
      long round = message.round();
      switch (sum.kind()) {
        case PARTIAL -> reduce(tree.indexAtParent(message.origin()), round, sum);
        case OF_BOTH -> reduceOfBoth(round, sum);
        case OF_BROTHER -> receiveBrothers(message.origin(), round, sum);
        case FINISHED -> broadcast(round, sum);
        case TO_RELAY -> throw message.unexpected();
      }
    }

    /** Handles a sum of this rank's brother, or of a child's brother, passed on by the child. */
    private void receiveBrothers(int from, long round, Sum sum) {
      if (tree.isChild(from)) {
        reduce(1 - tree.indexAtParent(from), round, sum);
      } else {
        upwards.receive(round, sum);
      }
    }

    private void reduce(int child, long round, Sum sum) {
      if (reduction.offer(child, round, sum)) {
        addUpIfUnderWay(round, sum);
      }
    }

    private void reduceOfBoth(long round, Sum sum) {
      if (reduction.offerOfBoth(round, sum)) {
        addUpIfUnderWay(round, sum);
      }
    }

    private void addUpIfUnderWay(long round, Sum sum) {
      if (round == reduction.round()) {
        addUp(reduction.chunkOf(sum));
        completeIfDone();
      }
    }

    private void addUp(int chunk) {
      if (!reduction.add(chunk)) {
        return;
      }
      if (tree.isRoot()) {
        sendDown(chunk);
      } else {
        upwards.send(chunk);
      }
    }

    private void broadcast(long round, Sum sum) {
      if (reduction.finish(round, sum)) {
        sendDown(reduction.chunkOf(sum));
        completeIfDone();
      }
      sum.payload().release();
    }

    private void sendDown(int chunk) {
      // Children with a direct link come first: a child on the route to its brother inserts the
      // values into the brother's message.
      sendDownTo(chunk, true);
      sendDownTo(chunk, false);
    }

    /** Sends a chunk to the children that are reached directly, or to those that are not. */
    private void sendDownTo(int chunk, boolean direct) {
      long round = reduction.round();
      for (int i = 0; i < tree.childCount(); i++) {
        int child = tree.child(i);
        if (transport.isDirect(child) == direct) {
          transport.handOver(new Message(rank, child, round, reduction.finalSum(round, chunk)));
        }
      }
    }

    private void completeIfDone() {
      if (reduction.isComplete()) {
        upwards.complete();
        reduction.complete(port);
      }
    }

    @Override
    public int[] neighbours() {
      return tree.neighbours(neighbours);
    }

    @Override
    public int cost(Route route) {
      return tree.cost(route);
    }

    // ---- the finished sum is the same for all children -----------------------------------------

    @Override
    public boolean areFor(int other, Message message) {
      return isFinished(message) && tree.isChild(other);
    }

    @Override
    public Optional<Payload> of(Message message) {
      if (message.body() instanceof Sum sum) {
        int chunk = reduction.chunkOf(sum);
        return reduction.hasFinal(message.round(), chunk)
            ? Optional.of(reduction.finalSum(message.round(), chunk).payload())
            : Optional.empty();
      }
      return Optional.empty();
    }

    private static boolean isFinished(Message message) {
      return message.body() instanceof Sum sum && sum.kind() == Sum.Kind.FINISHED;
    }
  }
}
