package dev.braid.exchange.membership;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.ReplicaCopyBody;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A synchronous exchange that can leave out ranks: each is a {@link ViewMember}. The algorithm
 * defines what a round among the members of a view is; for each view it makes a new {@link
 * RoundsOfView}.
 *
 * <p>{@link Synchronous} defines what a checkpoint asks of this exchange, and in which order. After
 * a rollback, a rank still acknowledges messages, forwards those for other ranks, and resends what
 * they lack of the round that they are completing. Of the messages for itself it takes parts of a
 * replica, serves requests for its replica and answers whether it is heard. It drops all others.
 */
public class ElasticExchange implements Synchronous, Measured {

  /** Factory of the rounds of a view. */
  @FunctionalInterface
  public interface Algorithm {

    /** Returns the rounds of a view that begins; their messages go through the transport. */
    RoundsOfView view(View view, Transport transport);
  }

  private final int rank;

  /** Ranks to which this one has a link in the view of all ranks, ascending. */
  private final int[] neighbours;

  private final boolean areRoundsRare;
  private final Algorithm roundsOf;
  private final Deadlines deadlines;
  private final ViewMember member;
  private final Transport transport;
  private final ReplicaCopy copy;

  /** The rounds of the current view. */
  private RoundsOfView rounds;

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
    this(config, port, neighbours, window, roundsOf, false);
  }

  /**
   * Creates the exchange in the view of all ranks.
   *
   * @param areRoundsRare whether seconds may pass between two rounds. Ranks then watch each other
   *     meanwhile, so that the next round need not wait until an unreachable rank is noticed
   */
  protected ElasticExchange(
      ExchangeConfig config,
      Port port,
      int[] neighbours,
      Window window,
      Algorithm roundsOf,
      boolean areRoundsRare) {
    this.rank = config.rank();
    this.neighbours = neighbours.clone();
    this.areRoundsRare = areRoundsRare;
    this.roundsOf = roundsOf;
    this.deadlines = new Deadlines(port);
    View first = View.all(config.ranks(), config.completedRounds());
    this.member =
        new ViewMember(config, port, deadlines, first, neighbours, window, new MemberClient());
    this.transport = member.transport();
    this.copy = member.copy();
    this.rounds = roundsOf.view(first, transport);
  }

  // ---- rounds ----------------------------------------------------------------------------------

  @Override
  public final boolean mayCompute() {
    return member.isCurrent() && !stopped && !rounds.underWay() && rounds.isReady();
  }

  @Override
  public final long completedRounds() {
    return member.isCurrent() ? rounds.round() : roundsWhenLeft;
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
      return "it is stopped until it enters the view after " + view().number();
    } else if (member.isCurrent() && rounds.underWay()) {
      return "round " + rounds.round() + " is under way";
    } else if (member.isCurrent()) {
      return "it waits for its part of the updater's state";
    }
    return view().contains(rank)
        ? "it waits for its copy of the model of view " + view().number()
        : "view " + view().number() + " does not contain it";
  }

  @Override
  public final void receive(Message message) {
    member.receive(message);
    askAgainIfLost();
  }

  @Override
  public final void deadline() {
    member.deadline();
  }

  @Override
  public final boolean servesWhileHeld() {
    return true;
  }

  @Override
  public final void rollBack() {
    member.watch(false);
    rounds.rollBack();
    transport.rollBack();
    deadlines.askAgain();
  }

  @Override
  public final void resume() {
    transport.resume();
    askAgainIfLost();
    member.watch(areRoundsRare);
  }

  private void askAgainIfLost() {
    copy.askAgainIfLost();
    rounds.askAgainIfLost();
  }

  @Override
  public final OptionalDouble bytesPerSecond() {
    return transport.bytesPerSecond();
  }

  // ---- views -----------------------------------------------------------------------------------

  @Override
  public final Participation participation() {
    return new Participation.InViews(member);
  }

  /** Returns the current view. */
  protected final View view() {
    return member.view();
  }

  private final class MemberClient implements ViewMember.Client {

    @Override
    public void deliver(Message message) {
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

    private void takeCopy(ReplicaCopyBody part) {
      if (copy.take(part)) {
        member.caughtUp(view().round());
      }
    }

    @Override
    public long completedRounds() {
      return ElasticExchange.this.completedRounds();
    }

    @Override
    public long stop() {
      stopped = true;
      return completedRounds();
    }

    @Override
    public int[] leave(View next) {
      // With the previous view's model, this rank is at most one round away from where the next
      // view begins. If it is one round behind, its gradient is in the sum that the current members
      // have. Only a rank that is left out can be one round ahead: no member has that sum, and the
      // members repeat the round.
      roundsWhenLeft = member.isCurrent() ? next.round() : roundsWhenLeft;
      stopped = false;
      rounds.leave();
      rounds = roundsOf.view(next, transport);
      return rounds.neighbours();
    }

    @Override
    public void entered() {
      if (view().contains(rank) && !member.isCurrent()) {
        copy.request(view().source(rank, neighbours), view().round());
      }
      rounds.begin();
    }

    @Override
    public int cost(Route route) {
      return rounds.cost(route);
    }

    @Override
    public boolean areFor(int other, Message message) {
      return rounds.areFor(other, message);
    }

    @Override
    public Optional<Payload> of(Message message) {
      return rounds.of(message);
    }

    @Override
    public boolean replicasHaveState() {
      return rounds.replicasHaveState();
    }
  }
}
