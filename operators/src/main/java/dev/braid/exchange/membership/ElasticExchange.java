package dev.braid.exchange.membership;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.ReplicaCopyBody;
import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.participation.ViewMessage.Silent;
import dev.braid.exchange.participation.ViewMessage.Stop;
import dev.braid.exchange.participation.ViewMessage.Stopped;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Deadlines.Deadline;
import dev.braid.exchange.transport.SharedValues;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A synchronous exchange that can leave out ranks, in {@linkplain View views}. Its {@link
 * Transport} finds routes around failed links. The algorithm defines what a round among the members
 * of a view is; for each view it makes a new {@link RoundsOfView}.
 *
 * <p>Ranks form parts within which they are connected in both directions. Of the parts in which a
 * rank has the previous view's model, the largest continues, or of equally large parts the one with
 * the lowest rank. All other ranks are left out. A rank that rejoins first gets a copy of a
 * member's replica ({@link ReplicaCopy}).
 *
 * <p>{@link Synchronous} defines what a checkpoint asks of this exchange, and in which order. After
 * a rollback, a rank still acknowledges messages, forwards those for other ranks, and resends what
 * they lack of the round that they are completing. Of the messages for itself it takes parts of a
 * replica, serves requests for its replica and answers whether it is heard. It drops all others.
 */
public class ElasticExchange implements Synchronous, Elastic, Measured {

  /** Factory of the rounds of a view. */
  @FunctionalInterface
  public interface Algorithm {

    /** Returns the rounds of a view that begins; their messages go through the transport. */
    RoundsOfView view(View view, Transport transport);
  }

  private final int rank;

  /** Ranks to which this one has a link in the view of all ranks, ascending. */
  private final int[] neighbours;

  private final Port port;

  /** Transport of sums and copies, but not of the lookout's messages. */
  private final Transport transport;

  /** Finds out for the arbiter which neighbours are heard. */
  private final Lookout lookout;

  /** Copies another rank's replica to this rank, or this rank's replica to another. */
  private final ReplicaCopy copy;

  private final Algorithm roundsOf;
  private final Deadlines deadlines;
  private final Deadline lookoutDeadline;

  /** The current view. */
  private View view;

  /** The rounds of the current view. */
  private RoundsOfView rounds;

  /**
   * Whether this rank's model is that of the view. If not, the rank is left out or waits for its
   * copy.
   */
  private boolean isCurrent = true;

  /**
   * Number of complete rounds while this rank's model is not that of the view: the rounds that were
   * complete at the beginning of the first view whose model the rank lacks. The rank's own model
   * may lack the last of them, whose sum at the members contains its gradient. Or it may have one
   * more round, which no member has and which the members repeat.
   */
  private long roundsWhenLeft;

  /** Whether the arbiter has stopped this rank and has not sent a new view since then. */
  private boolean stopped;

  /**
   * Creates the exchange in the view of all ranks.
   *
   * @param neighbours ranks to which this one has a link, ascending; only these links determine
   *     which ranks are connected
   * @param window bounds on what may be unacknowledged by one rank
   * @param roundsOf the algorithm
   */
  protected ElasticExchange(
      ExchangeConfig config, Port port, int[] neighbours, Window window, Algorithm roundsOf) {
    this.rank = config.rank();
    this.port = port;
    this.neighbours = neighbours.clone();
    this.roundsOf = roundsOf;
    this.view = View.all(config.ranks(), config.completedRounds());
    this.deadlines = new Deadlines(port);
    this.lookoutDeadline = deadlines.of(this::lookoutIsDue);
    this.transport =
        new Transport(
            config,
            port,
            deadlines,
            neighbours,
            route -> rounds.cost(route),
            window,
            new RoundsValues(),
            new TransportClient());
    this.rounds = roundsOf.view(view, transport);
    this.lookout = new Lookout(rank, neighbours, view, port, this::completedRounds);
    this.copy =
        new ReplicaCopy(
            config, port, transport, () -> rounds.replicasHaveState() ? port.model().length : 1);
  }

  // ---- rounds ----------------------------------------------------------------------------------

  @Override
  public final boolean mayCompute() {
    return isCurrent && !stopped && !rounds.underWay() && rounds.isReady();
  }

  @Override
  public final long completedRounds() {
    return isCurrent ? rounds.round() : roundsWhenLeft;
  }

  @Override
  public final boolean isThrough(long count) {
    // In the next view this rank may still lack what it needs to contribute.
    return !stopped && completedRounds() >= count && rounds.isReady();
  }

  @Override
  public final boolean isQuiet() {
    return rounds.isReady();
  }

  @Override
  public final void contribute(Contribution local) {
    if (!mayCompute()) {
      throw new IllegalStateException(
          "rank %d must not contribute to round %d: %s"
              .formatted(rank, local.round(), whyNotToCompute()));
    }
    transport.resume();
    rounds.contribute(local);
    transport.arm();
  }

  private String whyNotToCompute() {
    if (stopped) {
      return "it is stopped until it enters the view after " + view.number();
    } else if (isCurrent && rounds.underWay()) {
      return "round " + rounds.round() + " is under way";
    } else if (isCurrent) {
      return "it waits for its part of the updater's state";
    }
    return view.contains(rank)
        ? "it waits for its copy of the model of view " + view.number()
        : "view " + view.number() + " does not contain it";
  }

  @Override
  public final void receive(Message message) {
    if (!lookout.receive(message)) {
      transport.receive(message);
      askAgainIfLost();
    }
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  @Override
  public final void deadline() {
    deadlines.deadline();
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  private void lookoutIsDue() {
    lookout.deadline(port.nowNanos());
  }

  @Override
  public final boolean servesWhileHeld() {
    return true;
  }

  @Override
  public final void rollBack() {
    rounds.rollBack();
    transport.rollBack();
    deadlines.askAgain();
  }

  @Override
  public final void resume() {
    transport.resume();
    askAgainIfLost();
  }

  private void askAgainIfLost() {
    copy.askAgainIfLost();
    rounds.askAgainIfLost();
  }

  private void deliver(Message message) {
    if (stopped) {
      // The next view does not use messages of this one.
      message.release();
    } else if (rounds.takes(message)) {
      transport.arm();
    } else if (message.body() instanceof ReplicaCopyBody.Request) {
      copy.serve(message);
    } else if (message.body() instanceof ReplicaCopyBody part) {
      takeCopy(part);
    } else {
      rounds.receive(message);
    }
  }

  // ---- views -----------------------------------------------------------------------------------

  @Override
  public final Participation participation() {
    return new Participation.InViews(this);
  }

  @Override
  public final View view() {
    return view;
  }

  @Override
  public final boolean isCurrent() {
    return isCurrent;
  }

  @Override
  public final void handle(ToRank message) {
    if (message instanceof Stop stop) {
      stopped = true;
      // A rank that is not current has the model of an earlier view.
      long modelView = isCurrent ? view.number() : view.number() - 1;
      port.views().tell(new Stopped(stop.poll(), modelView, completedRounds()));
    } else if (message instanceof Enter enter) {
      enter(enter.view());
    } else {
      lookout.handle(message, transport.slowestTimeoutNanos());
    }
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  private void enter(View next) {
    // With the previous view's model, this rank is at most one round away from where the next view
    // begins. If it is one round behind, its gradient is in the sum that the current members have.
    // Only a rank that is left out can be one round ahead: no member has that sum, and the members
    // repeat the round.
    roundsWhenLeft = isCurrent ? next.round() : roundsWhenLeft;
    stopped = false;
    view = next;
    isCurrent = view.current().contains(rank);
    rounds.leave();
    rounds = roundsOf.view(view, transport);
    transport.enter(view.number(), rounds.neighbours());
    lookout.enter(view);
    copy.cancel();
    if (view.contains(rank) && !isCurrent) {
      copy.request(view.source(rank, neighbours), view.round());
    }
    rounds.begin();
  }

  private void takeCopy(ReplicaCopyBody part) {
    if (copy.take(part)) {
      isCurrent = true;
      port.views().caughtUp(view.round(), copy.steps());
    }
  }

  /** Shared values of the current view's rounds. */
  private final class RoundsValues implements SharedValues {
    @Override
    public boolean areFor(int other, Message message) {
      return rounds.sharedValues().areFor(other, message);
    }

    @Override
    public Optional<Payload> of(Message message) {
      return rounds.sharedValues().of(message);
    }
  }

  @Override
  public final OptionalDouble bytesPerSecond() {
    return transport.bytesPerSecond();
  }

  private final class TransportClient implements Transport.Client {
    @Override
    public void deliver(Message message) {
      ElasticExchange.this.deliver(message);
    }

    @Override
    public void silent(int other) {
      port.views().tell(new Silent(other));
    }
  }
}
