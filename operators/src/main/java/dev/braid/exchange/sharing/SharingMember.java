package dev.braid.exchange.sharing;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.membership.Lookout;
import dev.braid.exchange.membership.ReplicaCopy;
import dev.braid.exchange.membership.ReplicaCopy.Snapshot;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.ReplicaCopyBody;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.participation.ViewMessage.Silent;
import dev.braid.exchange.participation.ViewMessage.Stop;
import dev.braid.exchange.participation.ViewMessage.Stopped;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Deadlines.Deadline;
import dev.braid.exchange.transport.InOrder;
import dev.braid.exchange.transport.SharedValues;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A rank as a member of views: its links, on a transport that finds other routes around them, and
 * its messages to the arbiter. A rank that waits asks its neighbours twice a second whether they
 * are there: the heartbeat.
 *
 * <p>Ranks are asynchronous, so a view has no round. All ranks report that no round is complete. A
 * rank that was in the previous view and had its model continues from where it is.
 */
final class SharingMember implements Elastic {

  /** Interval of the heartbeat: short compared with the time after which a rank is silent. */
  private static final long HEARTBEAT_NANOS = 500_000_000;

  /** Round of all views, which have none. */
  private static final long NO_ROUND = 0;

  /** The exchange that the member belongs to. */
  interface Client {

    /** Enters a view, which may be without this rank. */
    void entered(View before, View now);

    /** Returns the ranks that this rank is linked to in the view's tree. */
    List<Integer> neighbours();

    /** Returns the number of gradients that this rank has computed. */
    long round();

    /** Delivers a message of this view, in the order in which its sender has sent it. */
    void deliver(Message message);

    /** Notes that a message of this view has arrived at its receiver. */
    void arrived(Message message);
  }

  private final int rank;
  private final int ranks;
  private final Port port;
  private final Client client;
  private final Transport transport;
  private final Lookout lookout;
  private final ReplicaCopy copy;
  private final Deadlines deadlines;
  private final Deadline lookoutDeadline;
  private final Deadline heartbeatDeadline;
  private final int[] links;

  private InOrder inOrder;
  private View view;
  private boolean isMember = true;
  private boolean isCurrent = true;
  private boolean awaitsOthers;
  private boolean isHeartbeatDue;
  private boolean isKeptWaiting;

  /** Creates a member of the view of all ranks. */
  SharingMember(ExchangeConfig config, Port port, int children, Client client) {
    this.rank = config.rank();
    this.ranks = config.ranks();
    this.port = port;
    this.client = client;
    this.view = View.all(config.ranks(), NO_ROUND);
    this.links = RelayTree.whole(config.ranks(), children).linked(rank);
    this.deadlines = new Deadlines(port);
    this.lookoutDeadline = deadlines.of(this::lookoutIsDue);
    this.heartbeatDeadline = deadlines.of(this::heartbeatIsDue);
    this.inOrder = new InOrder(client::deliver);
    this.transport =
        new Transport(
            config,
            port,
            deadlines,
            links,
            Route::size,
            Window.ofOutbox(config),
            SharedValues.NONE,
            new TransportClient());
    this.lookout = new Lookout(rank, links, view, port, client::round);
    this.copy = new ReplicaCopy(config, port, transport, () -> port.model().length);
  }

  // ---- messages --------------------------------------------------------------------------------

  void send(int to, Transit transit, Body body) {
    transport.handOver(new Message(rank, to, client.round(), transit, body));
  }

  void receive(Message message) {
    if (!lookout.receive(message)) {
      transport.receive(message);
    }
  }

  void deadline() {
    deadlines.deadline();
  }

  private void lookoutIsDue() {
    lookout.deadline(port.nowNanos());
  }

  private void heartbeatIsDue() {
    isHeartbeatDue = false;
    if (isKeptWaiting) {
      client.neighbours().forEach(transport::call);
    }
  }

  /**
   * Sets deadlines after any call.
   *
   * @param waits whether the exchange waits for others
   */
  void afterEachCall(boolean waits) {
    isKeptWaiting = isMember && (waits || awaitsOthers);
    if (isKeptWaiting && !isHeartbeatDue) {
      isHeartbeatDue = true;
      heartbeatDeadline.at(port.nowNanos() + HEARTBEAT_NANOS);
    }
    lookoutDeadline.at(lookout.deadlineNanos());
    transport.arm();
  }

  /** Sets whether the rank waits for others for a reason outside its exchange. */
  void awaitOthers(boolean waits) {
    awaitsOthers = waits;
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

  /**
   * Returns the ranks that are left out. If this rank is left out itself or waits for the model,
   * returns only this rank: pausing for as long as a copy takes would be useless.
   */
  List<Integer> unreachable() {
    return isCurrent
        ? IntStream.range(0, ranks).filter(other -> !view.contains(other)).boxed().toList()
        : List.of(rank);
  }

  @Override
  public void handle(ToRank message) {
    if (message instanceof Stop stop) {
      // Nothing has to pause: what is sent in the meantime is sent again to ranks that lack it.
      long modelView = isCurrent ? view.number() : view.number() - 1;
      port.views().tell(new Stopped(stop.poll(), modelView, NO_ROUND));
    } else if (message instanceof Enter enter) {
      enter(enter.view());
    } else {
      lookout.handle(message, transport.slowestTimeoutNanos());
    }
    lookoutDeadline.at(lookout.deadlineNanos());
  }

  private void enter(View next) {
    View before = view;
    view = next;
    isMember = view.contains(rank);
    isCurrent = view.current().contains(rank);
    beginNumbering();
    transport.enter(view.number(), Arrays.stream(links).filter(view::contains).toArray());
    lookout.enter(view);
    copy.cancel();
    client.entered(before, view);
  }

  /**
   * Restarts the numbers of messages, as all ranks do. Messages in flight in this view are void.
   */
  void beginAnew() {
    beginNumbering();
    transport.rollBack();
    transport.resume();
  }

  private void beginNumbering() {
    inOrder.forget();
    inOrder = new InOrder(client::deliver);
  }

  // ---- copies ----------------------------------------------------------------------------------

  /**
   * Asks a rank for its model, including the updater's state and number of steps, or for the parts
   * of it that have not arrived in previous views.
   */
  void requestCopy(int from) {
    copy.requestRest(from, client.round());
  }

  /** Sends a model to a rank that has asked for this one's; returns the number of parts. */
  int sendCopy(Message request, Snapshot model) {
    return copy.serve(request, model);
  }

  /** Applies a part of a copy; returns true if the copy is complete. */
  boolean takeCopy(ReplicaCopyBody part) {
    return copy.take(part);
  }

  /**
   * Makes this rank current. Its model is the copy, plus those of its own updates that the copy
   * lacked.
   */
  void caughtUp() {
    isCurrent = true;
    port.views().caughtUp(client.round(), copy.steps());
  }

  private final class TransportClient implements Transport.Client {
    @Override
    public void deliver(Message message) {
      inOrder.accept(message);
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
}
