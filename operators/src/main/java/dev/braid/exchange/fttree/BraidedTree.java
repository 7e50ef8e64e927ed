package dev.braid.exchange.fttree;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.membership.Lookout;
import dev.braid.exchange.membership.ReplicaCopy;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.ReplicaCopyBody;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.TreeNotice.BrotherNext;
import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Call;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.participation.ViewMessage.Here;
import dev.braid.exchange.participation.ViewMessage.Listen;
import dev.braid.exchange.participation.ViewMessage.Silent;
import dev.braid.exchange.participation.ViewMessage.Stop;
import dev.braid.exchange.participation.ViewMessage.Stopped;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Deadlines.Deadline;
import dev.braid.exchange.transport.SharedValues;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import dev.braid.topology.BackupTree;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.FloatPool;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The fault-tolerant tree, improved: the reduction of {@code tree} over the links of {@link
 * BackupTree}, on a {@link Transport} that finds ways around failed links by itself.
 *
 * <p>What the paper's algorithm ({@link FaultTolerantTree}) has not: time-outs follow measured
 * round trips, the ends of a link notice a failure themselves, any number of failures is survived
 * while a way is left, and the way that was found is kept for later rounds. Without failures backup
 * links carry nothing at all.
 *
 * <p>Sums are in the same order as in the other trees, so the bits are the same. A rank whose link
 * to its parent stays down comes through its brother, as one sum with his ({@link UpwardSums}).
 *
 * <p>A rank to which no way is left is left out: the tree is that of a {@link View}'s members, in
 * their order. Back in a view, it first gets a copy of a member's replica ({@link ReplicaCopy}).
 */
public final class BraidedTree implements Synchronous, Elastic {

  /** Any way of two links is cheaper than one of three. */
  private static final int DOWN_COST = 9;

  private static final int BACKUP_COST = 10;
  private static final int UP_COST = 11;

  private final ExchangeConfig config;
  private final int rank;
  private final int[] neighbours;
  private final Port port;
  private final Transport transport;
  private final Lookout lookout;
  private final ReplicaCopy copy;
  private final FloatPool pool;
  private final Deadlines deadlines;
  private final Deadline lookoutDeadline;
  private final Deadline transportDeadline;

  private View view;
  private BinaryTree tree;

  /** This rank's place in the tree, if it is in the view. */
  private int position;

  private TreeReduction reduction;
  private UpwardSums upwards;

  /** Whether the model is the view's; if not, so many rounds are complete in it. */
  private boolean isCurrent = true;

  private long roundsWhenLeft;

  /** Whether the arbiter has said stop, and not yet in which view to go on. */
  private boolean stopped;

  public BraidedTree(ExchangeConfig config, Port port) {
    this.config = config;
    this.rank = config.rank();
    this.port = port;
    this.neighbours = new BackupTree(config.ranks()).neighbours(rank);
    this.view = View.all(config.ranks(), config.completedRounds());
    this.tree = new BinaryTree(view.size());
    this.position = rank;
    this.reduction = new TreeReduction(config);
    this.deadlines = new Deadlines(port);
    this.lookoutDeadline = deadlines.of(this::lookoutIsDue);
    this.transportDeadline = deadlines.of(this::transportIsDue);
    this.transport =
        new Transport(
            rank,
            new TransportPort(port),
            neighbours,
            this::cost,
            Window.ofExchange(config),
            new FinishedSums(),
            new TransportClient());
    this.pool = new FloatPool(config.chunkLength(), Window.CHUNKS);
    this.upwards = new UpwardSums(view, rank, position, transport, reduction, pool);
    this.lookout = new Lookout(rank, neighbours, view, port, this::completedRounds);
    this.copy = new ReplicaCopy(config, port, transport);
  }

  /**
   * Primary links are busy with data of their own, so of two ways up the one over backups is
   * better: through the uncle. On the way down, through the brother: he gets the same sum, so it
   * costs one message without values more, and no vector.
   */
  private int cost(Route route) {
    int cost = 0;
    for (int i = 1; i < route.size(); i++) {
      cost += cost(view.position(route.rank(i - 1)), view.position(route.rank(i)));
    }
    return cost;
  }

  private int cost(int from, int to) {
    if (isChild(to, from)) {
      return DOWN_COST;
    }
    return isChild(from, to) ? UP_COST : BACKUP_COST;
  }

  /** Of two positions in the tree, either of which may be that of a rank that is left out. */
  private boolean isChild(int child, int parent) {
    return child > BinaryTree.ROOT && tree.parent(child) == parent;
  }

  // ---- rounds ----------------------------------------------------------------------------------

  @Override
  public boolean mayCompute() {
    return isCurrent && !stopped && !reduction.underWay();
  }

  @Override
  public long completedRounds() {
    return isCurrent ? reduction.round() : roundsWhenLeft;
  }

  @Override
  public void contribute(Contribution local) {
    transport.goOn();
    reduction.begin(local);
    upwards.begin();
    if (view.size() == 1) {
      reduction.finishAlone();
    }
    for (int chunk = 0; chunk < reduction.chunks(); chunk++) {
      if (tree.childCount(position) > 0) {
        addUp(chunk);
      } else if (view.size() > 1) {
        upwards.send(chunk);
      }
    }
    completeIfDone();
    transport.arm();
  }

  @Override
  public void receive(Message message) {
    if (!lookout.receive(message)) {
      transport.receive(message);
      copy.askAgainIfLost();
    }
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  @Override
  public void deadline() {
    deadlines.deadline();
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  private void lookoutIsDue() {
    lookout.deadline(port.nowNanos());
  }

  private void transportIsDue() {
    transport.deadline();
  }

  @Override
  public boolean servesWhileHeld() {
    return true;
  }

  @Override
  public void rollBack() {
    reduction.rollBack();
    upwards.rollBack();
    transport.rollBack();
    deadlines.askAgain();
  }

  @Override
  public void goOn() {
    transport.goOn();
    copy.askAgainIfLost();
  }

  private void deliver(Message message) {
    if (stopped) {
      // The next view begins without it.
      message.release();
    } else if (message.body() instanceof Sum sum) {
      deliver(message, sum);
    } else if (message.body() instanceof BrotherNext) {
      upwards.brotherComes(message.round());
    } else if (message.body() instanceof ReplicaCopyBody.Request) {
      copy.serve(message);
    } else if (message.body() instanceof ReplicaCopyBody part) {
      takeCopy(part);
    } else {
      throw message.unexpected();
    }
  }

  private void deliver(Message message, Sum sum) {
    long round = message.round();
    switch (sum.kind()) {
      case PARTIAL -> reduce(round, sum, reduction.offer(child(message), round, sum));
      case JOINT -> reduce(round, sum, reduction.offerJoint(round, sum));
      case OF_BROTHER -> brotherSum(message, sum);
      case FINISHED -> broadcast(round, sum);
      case TO_RELAY -> throw message.unexpected();
    }
  }

  private int child(Message message) {
    return tree.indexAtParent(view.position(message.origin()));
  }

  /** Of this rank's brother; or of a child's brother, passed on by the child. */
  private void brotherSum(Message message, Sum sum) {
    long round = message.round();
    if (isChild(view.position(message.origin()), position)) {
      reduce(round, sum, reduction.offer(1 - child(message), round, sum));
    } else {
      upwards.receive(round, sum);
    }
  }

  private void reduce(long round, Sum sum, boolean isNew) {
    if (isNew && round == reduction.round()) {
      addUp(reduction.chunkOf(sum));
      completeIfDone();
    }
  }

  private void addUp(int chunk) {
    if (!reduction.add(chunk)) {
      return;
    }
    if (position == BinaryTree.ROOT) {
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
    int children = tree.childCount(position);
    // A brother on the way to another child comes first: he puts the values in.
    for (int i = 0; i < children; i++) {
      sendDown(chunk, tree.child(position, i), true);
    }
    for (int i = 0; i < children; i++) {
      sendDown(chunk, tree.child(position, i), false);
    }
  }

  private void sendDown(int chunk, int child, boolean directly) {
    if (transport.isDirect(view.rank(child)) == directly) {
      long round = reduction.round();
      transport.send(new Message(rank, view.rank(child), round, reduction.finalSum(round, chunk)));
    }
  }

  private void completeIfDone() {
    if (reduction.isComplete()) {
      upwards.complete();
      reduction.complete(port);
    }
  }

  // ---- views -----------------------------------------------------------------------------------

  @Override
  public Participation participation() {
    return new Participation.InViews(this);
  }

  @Override
  public View view() {
    return view;
  }

  @Override
  public boolean isCurrent() {
    return isCurrent;
  }

  @Override
  public void handle(ToRank message) {
    if (message instanceof Call call) {
      port.views().tell(new Here(call.poll()));
    } else if (message instanceof Listen listen) {
      lookout.listen(listen, transport.slowestTimeoutNanos());
    } else if (message instanceof Stop stop) {
      stopped = true;
      long valid = isCurrent ? view.number() : view.number() - 1;
      port.views().tell(new Stopped(stop.poll(), valid, completedRounds()));
    } else if (message instanceof Enter enter) {
      enter(enter.view());
    }
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  private void enter(View next) {
    // With the model of the view before, this rank is at most one round from where the next begins.
    // One round behind, its gradient is in the sum that others have; one round ahead, nobody else
    // has its sum, and the round is done again.
    roundsWhenLeft = isCurrent ? next.round() : roundsWhenLeft;
    stopped = false;
    view = next;
    isCurrent = view.current().contains(rank);
    tree = new BinaryTree(view.size());
    position = view.position(rank);
    reduction.rollBack();
    upwards.rollBack();
    reduction = new TreeReduction(placed());
    upwards = new UpwardSums(view, rank, position, transport, reduction, pool);
    transport.enter(view.number(), neighboursInView());
    lookout.enter(view);
    copy.cancel();
    if (view.contains(rank) && !isCurrent) {
      copy.request(view.source(rank, neighbours), view.round());
    }
  }

  /** A rank that is left out has a tree of its own, in which nothing happens. */
  private ExchangeConfig placed() {
    boolean isIn = position >= 0;
    return new ExchangeConfig(
        isIn ? position : 0,
        isIn ? view.size() : 1,
        config.length(),
        config.chunkLength(),
        view.round(),
        config.options());
  }

  /** The links of all ranks' tree, whether they are members or not, and those of the members'. */
  private int[] neighboursInView() {
    if (position < 0) {
      return neighbours;
    }
    int[] inTree = new BackupTree(view.size()).neighbours(position);
    return IntStream.concat(Arrays.stream(neighbours), Arrays.stream(inTree).map(view::rank))
        .distinct()
        .sorted()
        .toArray();
  }

  private void takeCopy(ReplicaCopyBody part) {
    if (copy.take(part)) {
      isCurrent = true;
      port.views().caughtUp(view.round(), copy.steps());
    }
  }

  /** The sum that comes down is for all. */
  private final class FinishedSums implements SharedValues {
    @Override
    public boolean areFor(int other, Message message) {
      return isFinished(message) && isChild(view.position(other), position);
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

  private final class TransportClient implements Transport.Client {
    @Override
    public void deliver(Message message) {
      BraidedTree.this.deliver(message);
    }

    @Override
    public void silent(int other) {
      port.views().tell(new Silent(other));
    }
  }

  /** What the transport does to the world; its deadlines are not the only ones. */
  private final class TransportPort extends ForwardingPort {
    TransportPort(Port port) {
      super(port);
    }

    @Override
    public void wakeAt(long nanos) {
      transportDeadline.at(nanos);
    }
  }
}
