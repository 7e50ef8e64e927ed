package dev.braid.exchange.membership;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.participation.Elastic;
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
import java.util.List;

/**
 * A rank as a member of {@linkplain View views}: its links, on a {@link Transport} that finds
 * routes around failed links, and its messages to the arbiter.
 *
 * <p>Ranks form parts within which they are connected in both directions. Of the parts in which a
 * rank has the previous view's model, the largest continues, or of equally large parts the one with
 * the lowest rank. All other ranks are left out. A rank that rejoins first gets a copy of a
 * member's replica ({@link ReplicaCopy}).
 */
public final class ViewMember implements Elastic {

  /** The exchange that the member belongs to. By default it shares no values. */
  public interface Client extends SharedValues {

    /** Delivers a message of this view. Messages come in any order, each once. */
    void deliver(Message message);

    /** Notes that a message of this view has arrived at its receiver. */
    default void arrived(Message message) {}

    /** Returns the number of complete rounds at this rank. */
    long completedRounds();

    /**
     * Notes that the arbiter stops this rank until the next view.
     *
     * @return number of complete rounds of this rank's model. Of the ranks with the current view's
     *     model, those with the highest number are current in the next view
     */
    long stop();

    /**
     * Leaves the current view.
     *
     * @return ranks over which this rank searches for other routes in the next view, ascending
     */
    int[] leave(View next);

    /**
     * Begins the view that the member has entered, which may be without this rank. A rank that is
     * behind requests its copy.
     */
    void entered();

    /** Returns the cost of a route; of several routes the transport uses the cheapest. */
    default int cost(Route route) {
      return route.size();
    }

    /**
     * Returns whether each member's replica has all of the updater's state. If not, a copy consists
     * of the weights only.
     */
    default boolean replicasHaveState() {
      return true;
    }

    /** Returns the ranks that this rank asks whether they are present while it waits for them. */
    default List<Integer> awaited() {
      return List.of();
    }
  }

  private final int rank;
  private final Port port;
  private final Client client;
  private final Deadlines deadlines;
  private final Deadline lookoutDeadline;
  private final Heartbeat heartbeat;

  /** Transport of all messages except those of the lookout. */
  private final Transport transport;

  /** Finds out for the arbiter which neighbours are heard. */
  private final Lookout lookout;

  /** Copies another rank's replica to this rank, or this rank's replica to another. */
  private final ReplicaCopy copy;

  private View view;
  private boolean isCurrent = true;

  /**
   * Creates a member of the view with which a run begins.
   *
   * @param links ranks to which this one has a link, ascending; only these links determine which
   *     ranks are connected
   * @param window bounds on what may be unacknowledged by one rank
   */
  public ViewMember(
      ExchangeConfig config,
      Port port,
      Deadlines deadlines,
      View first,
      int[] links,
      Window window,
      Client client) {
    this.rank = config.rank();
    this.port = port;
    this.client = client;
    this.deadlines = deadlines;
    this.view = first;
    this.lookoutDeadline = deadlines.of(this::lookoutIsDue);
    this.heartbeat =
        new Heartbeat(port, deadlines, () -> !client.awaited().isEmpty(), this::askAwaited);
    this.transport =
        new Transport(
            config, port, deadlines, links, client::cost, window, client, new TransportClient());
    this.lookout = new Lookout(rank, links, view, port, client::completedRounds);
    this.copy =
        new ReplicaCopy(
            config, port, transport, () -> client.replicasHaveState() ? port.model().length : 1);
  }

  /** Returns the transport of the exchange's messages. */
  public Transport transport() {
    return transport;
  }

  /** Returns both sides of the transfer of a replica. */
  public ReplicaCopy copy() {
    return copy;
  }

  // ---- messages and deadlines ------------------------------------------------------------------

  /** Receives a message. */
  public void receive(Message message) {
    if (!lookout.receive(message)) {
      transport.receive(message);
    }
  }

  /** Handles the deadlines that have passed. */
  public void deadline() {
    deadlines.deadline();
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  /** Begins or ends to watch neighbours, which the lookout reports if it does not hear them. */
  public void watch(boolean watches) {
    lookout.watch(watches);
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  private void lookoutIsDue() {
    lookout.deadline(port.nowNanos());
  }

  private void askAwaited() {
    client.awaited().forEach(transport::call);
  }

  /** Updates deadlines after a call that may have sent messages or changed the awaited ranks. */
  public void update() {
    heartbeat.update();
    transport.arm();
  }

  private final class TransportClient implements Transport.Client {
    @Override
    public void deliver(Message message) {
      client.deliver(message);
    }

    @Override
    public void arrived(Message message) {
      client.arrived(message);
    }

    @Override
    public void silent(int other) {
      port.views().tell(new Silent(other));
    }
  }

  // ---- views -----------------------------------------------------------------------------------

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
    if (message instanceof Stop stop) {
      // A rank that is not current has the model of an earlier view.
      long modelView = isCurrent ? view.number() : view.number() - 1;
      port.views().tell(new Stopped(stop.poll(), modelView, client.stop()));
    } else if (message instanceof Enter enter) {
      enter(enter.view());
    } else {
      lookout.handle(message, transport.slowestTimeoutNanos());
    }
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  private void enter(View next) {
    int[] neighbours = client.leave(next);
    view = next;
    isCurrent = view.current().contains(rank);
    transport.enter(view.number(), neighbours);
    lookout.enter(view);
    copy.cancel();
    client.entered();
  }

  /**
   * Makes this rank current, because it has the whole copy.
   *
   * @param round number of complete rounds of its model
   */
  public void caughtUp(long round) {
    isCurrent = true;
    port.views().caughtUp(round, copy.steps());
  }
}
