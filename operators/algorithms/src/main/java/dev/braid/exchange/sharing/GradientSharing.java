package dev.braid.exchange.sharing;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.membership.StalenessClocks;
import dev.braid.exchange.membership.ViewMember;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.ReplicaCopyBody;
import dev.braid.exchange.message.Sharing;
import dev.braid.exchange.message.Sharing.AllHave;
import dev.braid.exchange.message.Sharing.Progress;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.sharing.ServedCopies.Served;
import dev.braid.exchange.sharing.UpdateLog.Part;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.InOrder;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Gradient sharing: each rank applies its own gradient at once and relays it along a tree, as an
 * update with its own id (Deeplearning4j, "Distributed training: technical explanation", "DL4J's
 * ASGD implementation", "Plain Mode vs Mesh Mode", "Fault Tolerance").
 *
 * <p>The {@link UpdateLog} holds the updates that a rank has and other ranks may lack. The {@link
 * UpdateRelay} sends and receives over the links of one view. The {@link ViewMember} handles views.
 * This class applies updates to the model.
 *
 * <p>Ranks are asynchronous, so a view has no round. A rank that was in the previous view and had
 * its model continues from where it is.
 */
final class GradientSharing implements Asynchronous, Measured, Stateful {

  /** Checkpointed clocks: number of gradients of each rank. */
  static final StateKind CLOCKS = StateKind.ofTheseRanks("clocks", 1);

  /** Round of all views, which have none. */
  private static final long NO_ROUND = 0;

  private final ExchangeConfig config;
  private final Port port;
  private final SharingLimits limits;
  private final OwnUpdates own;
  private final UpdateSteps steps;
  private final StalenessClocks clocks;
  private final UpdateLog log;
  private final FigureValues relayed = new FigureValues();
  private final int children;

  /** Ranks over which this rank hears of others and finds routes, ascending. */
  private final int[] linked;

  private final ViewMember member;
  private final Transport transport;
  private final InOrder inOrder = new InOrder(this::deliver);

  /** Links of the current view. */
  private UpdateRelay relay;

  private RelayTree tree;

  /** Copies of this rank's model for ranks that are behind. */
  private final ServedCopies copies;

  /**
   * Parts that the source of the model's copy keeps, received before the copy; empty unless this
   * rank waits for a copy.
   */
  private final List<Part> staged = new ArrayList<>();

  private boolean isFlushing;

  /** Whether the rank waits for others for a reason outside its exchange. */
  private boolean awaitsOthers;

  /**
   * Creates one rank's exchange, which begins with the configured round.
   *
   * @param children maximum number of children of a rank in the tree
   */
  GradientSharing(ExchangeConfig config, Port port, int children) {
    this.config = config;
    this.port = port;
    this.limits = SharingLimits.of(config);
    this.children = children;
    this.own = new OwnUpdates(config, port);
    this.steps = new UpdateSteps(config, port);
    this.clocks = new StalenessClocks(config.rank(), config.ranks(), config.completedRounds());
    this.log =
        new UpdateLog(
            config.ranks(), config.length(), config.chunkLength(), config.completedRounds());
    this.copies = new ServedCopies(config.rank(), port);
    this.linked = RelayTree.whole(config.ranks(), children).linked(config.rank());
    this.member =
        new ViewMember(
            config,
            port,
            new Deadlines(port),
            View.all(config.ranks(), NO_ROUND),
            linked,
            Window.ofOutbox(config),
            new MemberClient());
    this.transport = member.transport();
    beginRun();
  }

  private void beginRun() {
    begin(member.view());
    relay.openAll();
  }

  private void begin(View view) {
    tree = RelayTree.of(view, config.ranks(), children);
    relay =
        new UpdateRelay(
            config.rank(),
            config.ranks(),
            tree,
            log,
            relayed,
            limits.of(view, log),
            new RelayClient());
    staged.clear();
  }

  // ---- gradients -------------------------------------------------------------------------------

  private boolean isAhead() {
    return !clocks.allow(limits.staleness())
        || log.notEverywhere(config.rank()) > limits.notEverywhere();
  }

  @Override
  public boolean mayCompute() {
    return member.isCurrent() && !isAhead();
  }

  @Override
  public void contribute(Contribution local) {
    if (local.round() != clocks.own() || local.gradient().length != config.length()) {
      throw new IllegalStateException(
          "gradient of %d elements for round %d: must be %d elements for round %d"
              .formatted(local.gradient().length, local.round(), config.length(), clocks.own()));
    }
    steps.own(local);
    clocks.advance(config.rank(), local.round() + 1);
    for (SharedUpdate update : own.of(local)) {
      log.add(log.part(update));
    }
    relay.added();
    member.update();
  }

  @Override
  public void receive(Message message) {
    member.receive(message);
    member.update();
  }

  @Override
  public void deadline() {
    member.deadline();
    member.update();
  }

  private boolean isKeptWaiting() {
    boolean isWaiting =
        awaitsOthers || isAhead() || !relay.areAllOpen() || (isFlushing && !isQuiet());
    return isWaiting && member.view().contains(config.rank());
  }

  // ---- views -----------------------------------------------------------------------------------

  private final class MemberClient implements ViewMember.Client {

    @Override
    public long stop() {
      // Nothing has to pause: what is sent in the meantime is sent again to ranks that lack it.
      return NO_ROUND;
    }

    @Override
    public int[] leave(View next) {
      inOrder.forget();
      return Arrays.stream(linked).filter(next::contains).toArray();
    }

    @Override
    public void entered() {
      View view = member.view();
      List<Integer> absentBefore = clocks.absent();
      for (int other = 0; other < config.ranks(); other++) {
        if (other != config.rank() && !view.contains(other)) {
          clocks.markAbsent(other);
        } else if (absentBefore.contains(other)) {
          clocks.back(other);
        }
      }
      begin(view);
      copies.enter(view, tree.root());
      if (member.isCurrent()) {
        relay.greet(view);
      } else if (view.contains(config.rank())) {
        member.copy().request(tree.root(), clocks.own());
      }
      member.update();
    }

    @Override
    public List<Integer> awaited() {
      return isKeptWaiting() ? relay.neighbours() : List.of();
    }

    @Override
    public long completedRounds() {
      return clocks.own();
    }

    @Override
    public void deliver(Message message) {
      inOrder.accept(message);
    }

    @Override
    public void arrived(Message message) {
      if (message.body() instanceof Sharing) {
        relay.arrived(message.to(), message.body());
      } else if (message.body() instanceof ReplicaCopyBody.Part) {
        copies.arrived(message.to());
      }
    }
  }

  /** Processes a message of this view, in the order in which its sender has sent it. */
  private void deliver(Message message) {
    Body body = message.body();
    if (body instanceof ReplicaCopyBody.Request) {
      serveCopy(message);
    } else if (body instanceof ReplicaCopyBody part) {
      takeCopy(message.origin(), part);
    } else if (body instanceof SharedUpdate update) {
      receive(message.origin(), update);
      message.release();
    } else if (body instanceof Progress progress) {
      receive(message.origin(), progress);
    } else {
      throw message.unexpected();
    }
  }

  private void receive(int from, SharedUpdate update) {
    if (member.isCurrent()) {
      relay.receive(from, update);
    } else {
      staged.add(relay.beforeCopy(from, update.with(update.payload().copy())));
    }
  }

  private void receive(int from, Progress progress) {
    if (!member.isCurrent() && progress instanceof AllHave) {
      // This number belongs to the model that is in flight, and will be sent again.
      return;
    }
    relay.receive(from, progress);
    // A rank that waits for a copy hears what the copy contains, and greets no rank before it has
    // the copy.
    if (member.isCurrent()) {
      relay.openIfHeard(from);
    }
  }

  /** Sends this rank's model to a rank that is behind, and from now on all new updates. */
  private void serveCopy(Message request) {
    int to = request.origin();
    Served copy = copies.take(to, member.view().number(), log.has());
    relay.tellBeforeCopy(to, copy.has());
    copies.sent(to, member.copy().serve(request, copy.model()));
    relay.openBehindCopy(to);
  }

  private void takeCopy(int from, ReplicaCopyBody part) {
    if (member.isCurrent() || from != tree.root() || !relay.hasHeard(from)) {
      throw new IllegalArgumentException(
          ("copy from rank %d for rank %d with master %d: not requested, or its contents are not "
                  + "known")
              .formatted(from, config.rank(), tree.root()));
    }
    if (!member.copy().take(part)) {
      return;
    }
    long[] has = relay.heard(from);
    for (Part lacked : log.adopt(config.rank(), has, staged)) {
      steps.along(lacked.update());
    }
    staged.clear();
    for (int origin = 0; origin < config.ranks(); origin++) {
      clocks.advance(origin, log.updates(origin));
    }
    member.caughtUp(clocks.own());
    relay.openBehindCopy(from);
  }

  private final class RelayClient implements UpdateRelay.Client {

    @Override
    public long nowNanos() {
      return port.nowNanos();
    }

    @Override
    public void send(int to, Transit transit, Body body) {
      transport.handOver(new Message(config.rank(), to, clocks.own(), transit, body));
    }

    @Override
    public void apply(Part part) {
      SharedUpdate update = part.update();
      steps.along(update);
      clocks.advance(update.origin(), log.updates(update.origin()));
    }
  }

  @Override
  public Participation participation() {
    return new Participation.InViews(member);
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  @Override
  public long completedRounds() {
    return clocks.own();
  }

  @Override
  public void flush() {
    isFlushing = true;
    member.update();
  }

  /**
   * Returns whether all ranks have all of this rank's updates and no rank is left out or behind.
   */
  @Override
  public boolean isQuiet() {
    return member.isCurrent()
        && member.view().size() == config.ranks()
        && log.notEverywhere(config.rank()) == 0;
  }

  /**
   * Returns the ranks that are left out. If this rank is left out itself or waits for the model,
   * returns only this rank: pausing for as long as a copy takes would be useless.
   */
  @Override
  public List<Integer> unreachable() {
    return member.isCurrent()
        ? IntStream.range(0, config.ranks())
            .filter(other -> !member.view().contains(other))
            .boxed()
            .toList()
        : List.of(config.rank());
  }

  @Override
  public void awaitOthers(boolean waits) {
    awaitsOthers = waits;
    member.update();
  }

  /** Starts all links again. All ranks have the same updates and know it. */
  @Override
  public void emptied() {
    inOrder.forget();
    transport.rollBack();
    transport.resume();
    copies.forget();
    log.beginAnew();
    beginRun();
  }

  @Override
  public void resume() {
    isFlushing = false;
    member.update();
  }

  @Override
  public List<LastingState> states() {
    return List.of(new LastingState(CLOCKS, clocks::write, this::readClocks));
  }

  private void readClocks(DataInput in) throws IOException {
    clocks.read(in);
    if (clocks.own() != config.completedRounds()) {
      throw new IOException(
          "the exchange's state: %d gradients of this rank: must be %d, the number of its rounds"
              .formatted(clocks.own(), config.completedRounds()));
    }
    for (int origin = 0; origin < config.ranks(); origin++) {
      if (clocks.of(origin) > Long.MAX_VALUE / config.length() - 1) {
        throw new IOException(
            "the exchange's state: %d gradients of rank %d: too many to count their parts"
                .formatted(clocks.of(origin), origin));
      }
      log.begin(origin, clocks.of(origin));
    }
    beginRun();
  }

  // ---- figures ---------------------------------------------------------------------------------

  @Override
  public Staleness staleness() {
    return clocks.staleness(1);
  }

  @Override
  public List<Integer> absentRanks() {
    return clocks.absent();
  }

  /**
   * Returns the number of complete updates of an origin that are kept because a rank may lack part
   * of them.
   */
  long keptUpdates(int origin) {
    return log.notEverywhere(origin);
  }

  /**
   * Adds the relayed parts and the vectors kept: the log, a copy of the model that is being sent,
   * and the values of one part.
   */
  @Override
  public void addFigures(FigureValues to) {
    to.add(relayed);
    long vectorBytes = Payload.Dense.bytesOf(config.length());
    long logged = (log.keptBytes() + vectorBytes - 1) / vectorBytes;
    to.add(Figure.KEPT_VECTORS, logged + copies.vectors() + steps.vectors());
  }
}
