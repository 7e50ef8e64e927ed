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
import dev.braid.exchange.transport.DeadlinePort;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Deadlines.Deadline;
import dev.braid.exchange.transport.SharedValues;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A synchronous exchange whose ranks may be left out, in {@linkplain View views}, on a {@link
 * Transport} that finds ways around failed links by itself. What a round is among the members of a
 * view is the algorithm's: its {@link RoundsOfView}, made anew for each view.
 *
 * <p>Of the parts within which ranks are connected both ways, the largest that has a rank with the
 * model of the view before goes on, and of equal ones that with the lowest rank; all other ranks
 * are left out. A rank that is back in a view first gets a copy of a member's replica ({@link
 * ReplicaCopy}).
 *
 * <p>What a checkpoint asks of it, in which order, is told at {@link Synchronous}. Rolled back, it
 * still acknowledges what comes, passes on what is for others, and sends again what they lack of
 * the round that they bring to its end; of what comes for itself it takes parts of a replica,
 * serves requests for one, and answers who is heard; it drops the rest.
 */
public class ElasticExchange implements Synchronous, Elastic, Measured {

  /** Makes the rounds of a view. */
  @FunctionalInterface
  public interface Algorithm {

    /** The rounds of a view that begins, whose messages go through the transport. */
    RoundsOfView view(View view, Transport transport);
  }

  private final int rank;

  /** The ranks to which this one has a link when all are there, ascending. */
  private final int[] neighbours;

  private final Port port;

  /** What sums and copies go through; the lookout's messages do not. */
  private final Transport transport;

  /** Finds out for the arbiter who is heard. */
  private final Lookout lookout;

  /** Of another rank's replica for this one, or of this one's for another. */
  private final ReplicaCopy copy;

  private final Algorithm roundsOf;
  private final Deadlines deadlines;
  private final Deadline lookoutDeadline;

  /** Who takes part, by rank, and from which round on. */
  private View view;

  /** The rounds of this view. */
  private RoundsOfView rounds;

  /** Whether the model is the view's: if not, the rank is left out, or waits for its copy. */
  private boolean isCurrent = true;

  /**
   * How many rounds are complete for this rank, where its model is not the view's: those that were
   * complete when the first view began whose model it has not. Its own model may lack the last of
   * them, in whose sum the members have its gradient; or have one more, which no member has, and
   * which they do again.
   */
  private long roundsWhenLeft;

  /** Whether the arbiter has said stop, and not yet in which view to go on. */
  private boolean stopped;

  /**
   * All ranks are there.
   *
   * @param neighbours the ranks to which this one has a link, ascending: who is connected is
   *     decided by these links alone
   * @param window what may be outstanding to one rank
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
    Deadline transportDeadline = deadlines.of(this::transportIsDue);
    this.transport =
        new Transport(
            rank,
            new DeadlinePort(port, transportDeadline),
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
    // What it has to have in the next view it may lack yet.
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
    } else if (isCurrent && rounds.underWay()) {
      return "round " + rounds.round() + " is under way";
    } else if (isCurrent) {
      return "it waits for its part of the updater's state";
    }
    return view.contains(rank)
        ? "it waits for its copy of the model of view " + view.number()
        : "view " + view.number() + " is without it";
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

  private void transportIsDue() {
    transport.deadline();
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
  public final void goOn() {
    transport.goOn();
    askAgainIfLost();
  }

  private void askAgainIfLost() {
    copy.askAgainIfLost();
    rounds.askAgainIfLost();
  }

  private void deliver(Message message) {
    if (stopped) {
      // The next view begins without it.
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
      // One that is not current has the model of some view before.
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
    // With the model of the view before, this rank is at most one round from where the next begins.
    // One round behind: its gradient is in the sum that the current members have. One round ahead,
    // which only a rank that is left out can be: no member has that sum, and they do the round
    // again.
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

  /** Of the view that the rank is in. */
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
