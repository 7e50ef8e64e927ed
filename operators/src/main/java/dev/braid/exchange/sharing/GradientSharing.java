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
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Gradient sharing: each rank applies its own gradient at once and relays it along a tree, as an
 * update with its own id (Deeplearning4j, "Distributed training: technical explanation", "DL4J's
 * ASGD implementation", "Plain Mode vs Mesh Mode", "Fault Tolerance").
 *
 * <p>The {@link UpdateLog} holds the updates that a rank has and other ranks may lack. The {@link
 * UpdateRelay} sends and receives over the links of one view. The {@link SharingMember} handles
 * views, links and questions. This class applies updates to the model.
 */
final class GradientSharing implements Asynchronous, Measured, Stateful {

  /** Checkpointed clocks: number of gradients of each rank. */
  static final StateKind CLOCKS = StateKind.ofTheseRanks("clocks", 1);

  private final ExchangeConfig config;
  private final Port port;
  private final SharingLimits limits;
  private final OwnUpdates own;
  private final UpdateSteps steps;
  private final StalenessClocks clocks;
  private final UpdateLog log;
  private final FigureValues relayed = new FigureValues();
  private final SharingMember member;
  private final int children;

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
    this.member = new SharingMember(config, port, children, new MemberClient());
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
    afterEachCall();
  }

  @Override
  public void receive(Message message) {
    member.receive(message);
    afterEachCall();
  }

  @Override
  public void deadline() {
    member.deadline();
    afterEachCall();
  }

  private void afterEachCall() {
    member.afterEachCall(isKeptWaiting());
  }

  /** Returns whether this rank waits for others. If so, it asks them whether they are there. */
  private boolean isKeptWaiting() {
    return isAhead() || !relay.areAllOpen() || (isFlushing && !isQuiet());
  }

  // ---- views -----------------------------------------------------------------------------------

  private final class MemberClient implements SharingMember.Client {

    @Override
    public void entered(View before, View view) {
      for (int other = 0; other < config.ranks(); other++) {
        boolean hasChanged = before.contains(other) != view.contains(other);
        if (hasChanged && other != config.rank()) {
          if (view.contains(other)) {
            clocks.back(other);
          } else {
            clocks.absent(other);
          }
        }
      }
      begin(view);
      copies.enter(view, tree.root());
      if (member.isCurrent()) {
        relay.greet(view);
      } else if (view.contains(config.rank())) {
        member.requestCopy(tree.root());
      }
      afterEachCall();
    }

    @Override
    public List<Integer> neighbours() {
      return relay.neighbours();
    }

    @Override
    public long round() {
      return clocks.own();
    }

    @Override
    public void deliver(Message message) {
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

    @Override
    public void arrived(Message message) {
      if (message.body() instanceof Sharing) {
        relay.arrived(message.to(), message.body());
      } else if (message.body() instanceof ReplicaCopyBody.Part) {
        copies.arrived(message.to());
      }
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
    copies.sent(to, member.sendCopy(request, copy.model()));
    relay.openBehindCopy(to);
  }

  private void takeCopy(int from, ReplicaCopyBody part) {
    if (member.isCurrent() || from != tree.root() || !relay.hasHeard(from)) {
      throw new IllegalArgumentException(
          ("copy from rank %d for rank %d with master %d: not requested, or its contents are not "
                  + "known")
              .formatted(from, config.rank(), tree.root()));
    }
    if (!member.takeCopy(part)) {
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
    member.caughtUp();
    relay.openBehindCopy(from);
  }

  private final class RelayClient implements UpdateRelay.Client {

    @Override
    public long nowNanos() {
      return port.nowNanos();
    }

    @Override
    public void send(int to, Transit transit, Body body) {
      member.send(to, transit, body);
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
    afterEachCall();
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

  @Override
  public List<Integer> unreachable() {
    return member.unreachable();
  }

  @Override
  public void awaitOthers(boolean waits) {
    member.awaitOthers(waits);
    afterEachCall();
  }

  /** Starts all links again. All ranks have the same updates and know it. */
  @Override
  public void emptied() {
    member.beginAnew();
    copies.forget();
    log.beginAnew();
    beginRun();
  }

  @Override
  public void resume() {
    isFlushing = false;
    afterEachCall();
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
