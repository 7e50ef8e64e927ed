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
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.TreeNotice.ComingThroughYou;
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
import dev.braid.vector.FloatPool;
import java.util.Optional;

/**
 * The fault-tolerant tree, improved: the reduction of {@code tree} over the links of {@link
 * BackupTree}, on a {@link Transport} that finds ways around failed links by itself.
 *
 * <p>What the paper's algorithm ({@link FaultTolerantTree}) has not: time-outs follow measured
 * round trips, the ends of a link notice a failure themselves, any number of failures is survived
 * while a way is left, and the way that was found is kept for later rounds. As long as every
 * acknowledgement comes in time, backup links carry nothing at all.
 *
 * <p>Sums are in the same order as in the other trees, so the bits are the same while all ranks are
 * in the view. A rank whose link to its parent stays down comes through its brother, as one sum
 * with his ({@link UpwardSums}).
 *
 * <p>Of the parts within which ranks are connected both ways, the largest that has a rank with the
 * model of the view before goes on, and of equal ones that with the lowest rank; all other ranks
 * are left out: the tree is that of a {@link View}'s members, in their order. A rank that is back
 * in a view first gets a copy of a member's replica ({@link ReplicaCopy}).
 *
 * <p>What a checkpoint asks of it, in which order, is told at {@link Synchronous}. Rolled back, it
 * still acknowledges what comes, passes on what is for others, and sends again what they lack of
 * the round that they bring to its end; of what comes for itself it takes parts of a replica,
 * serves requests for one, and answers who is heard; it drops the rest.
 */
public final class BraidedTree implements Synchronous, Elastic {

  private final ExchangeConfig config;
  private final int rank;

  /** The ranks to which this one has a link in the tree of all ranks, ascending. */
  private final int[] neighbours;

  private final Port port;

  /** What sums and copies go through; the lookout's messages do not. */
  private final Transport transport;

  /** Finds out for the arbiter who is heard. */
  private final Lookout lookout;

  /** Of another rank's replica for this one, or of this one's for another. */
  private final ReplicaCopy copy;

  /** For chunks of a sum of two brothers. */
  private final FloatPool pool;

  private final Deadlines deadlines;
  private final Deadline lookoutDeadline;
  private final Deadline transportDeadline;

  /** Who takes part, by rank, and from which round on. */
  private View view;

  /** Who is whose child in this view. */
  private ViewTree tree;

  /** The rounds of this view. */
  private ViewRounds rounds;

  /** Whether the model is the view's: if not, the rank is left out, or waits for its copy. */
  private boolean isCurrent = true;

  /* How many rounds are complete for this rank, where its model is not the view's: as many as the
   * first view without its model began with. That is one more than its model has where its gradient
   * is in the sum that the members have, and one less where no member has completed its last round.
   */
  private long roundsWhenLeft;

  /** Whether the arbiter has said stop, and not yet in which view to go on. */
  private boolean stopped;

  public BraidedTree(ExchangeConfig config, Port port) {
    this.config = config;
    this.rank = config.rank();
    this.port = port;
    this.neighbours = new BackupTree(config.ranks()).neighbours(rank);
    this.view = View.all(config.ranks(), config.completedRounds());
    this.tree = new ViewTree(view, rank);
    this.deadlines = new Deadlines(port);
    this.lookoutDeadline = deadlines.of(this::lookoutIsDue);
    this.transportDeadline = deadlines.of(this::transportIsDue);
    this.transport =
        new Transport(
            rank,
            new TransportPort(port),
            neighbours,
            route -> tree.cost(route),
            Window.ofExchange(config),
            new RoundsValues(),
            new TransportClient());
    this.pool = new FloatPool(config.chunkLength(), Window.CHUNKS);
    this.rounds = new ViewRounds(config, tree, port, transport, pool);
    this.lookout = new Lookout(rank, neighbours, view, port, this::completedRounds);
    this.copy = new ReplicaCopy(config, port, transport);
  }

  // ---- rounds ----------------------------------------------------------------------------------

  @Override
  public boolean mayCompute() {
    return isCurrent && !stopped && !rounds.underWay();
  }

  @Override
  public long completedRounds() {
    return isCurrent ? rounds.round() : roundsWhenLeft;
  }

  @Override
  public void contribute(Contribution local) {
    if (!mayCompute()) {
      throw new IllegalStateException(
          "rank %d contributes to round %d, and may not: %s"
              .formatted(rank, local.round(), whyNotToCompute()));
    }
    transport.goOn();
    rounds.contribute(local);
    transport.arm();
  }

  private String whyNotToCompute() {
    if (stopped) {
      return "it is stopped until it enters the view after " + view.number();
    } else if (isCurrent) {
      return "round " + rounds.round() + " is under way";
    }
    return tree.isMember()
        ? "it waits for its copy of the model of view " + view.number()
        : "view " + view.number() + " is without it";
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
    rounds.rollBack();
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
      rounds.receive(message, sum);
    } else if (message.body() instanceof ComingThroughYou) {
      rounds.brotherComes(message.round());
    } else if (message.body() instanceof ReplicaCopyBody.Request) {
      copy.serve(message);
    } else if (message.body() instanceof ReplicaCopyBody part) {
      takeCopy(part);
    } else {
      throw message.unexpected();
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
      // One that is not current has the model of some view before.
      long modelView = isCurrent ? view.number() : view.number() - 1;
      port.views().tell(new Stopped(stop.poll(), modelView, completedRounds()));
    } else if (message instanceof Enter enter) {
      enter(enter.view());
    }
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  private void enter(View next) {
    // With the model of the view before, this rank is at most one round from where the next begins.
    // One round behind: its gradient is in the sum that the current members have. One round ahead,
    // which only a rank that is left out can be: no member has that sum, and they do the round
    // again.
    roundsWhenLeft = isCurrent ? next.round() : roundsWhenLeft;
    stopped = false;
    view = next;
    isCurrent = view.current().contains(rank);
    tree = new ViewTree(view, rank);
    rounds.rollBack();
    rounds = new ViewRounds(config, tree, port, transport, pool);
    transport.enter(view.number(), tree.neighbours(neighbours));
    lookout.enter(view);
    copy.cancel();
    if (tree.isMember() && !isCurrent) {
      copy.request(view.source(rank, neighbours), view.round());
    }
  }

  private void takeCopy(ReplicaCopyBody part) {
    if (copy.take(part)) {
      isCurrent = true;
      port.views().caughtUp(view.round(), copy.steps());
    }
  }

  /** Of the view that the rank is in. */
  private final class RoundsValues implements SharedValues {
    @Override
    public boolean areFor(int other, Message message) {
      return rounds.areFor(other, message);
    }

    @Override
    public Optional<Payload> of(Message message) {
      return rounds.of(message);
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
