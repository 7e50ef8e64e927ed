package dev.braid.exchange.sharing;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.RelayUse;
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
import java.util.Optional;

/**
 * Gradient sharing: each rank applies its own gradient at once, and relays it, as an update with an
 * id of its own, along a tree (Deeplearning4j, "Distributed training: technical explanation",
 * "DL4J's ASGD implementation", "Plain Mode vs Mesh Mode", "Fault Tolerance").
 *
 * <p>What a rank has, and what of it others may lack, is in its {@link UpdateLog}; what goes over
 * the links of a view, in the view's {@link UpdateRelay}; views, links and questions are the {@link
 * SharingMember}'s. Here is what becomes of the model.
 */
final class GradientSharing implements Asynchronous, Measured, Stateful {

  /** How far each rank is. */
  static final StateKind CLOCKS = StateKind.ofTheseRanks("clocks", 1);

  private final ExchangeConfig config;
  private final Port port;
  private final SharingLimits limits;
  private final OwnUpdates own;
  private final UpdateSteps steps;
  private final StalenessClocks clocks;
  private final UpdateLog log;
  private final RelayStatistics statistics = new RelayStatistics();
  private final SharingMember member;
  private final int children;

  /** The links of this view. */
  private UpdateRelay relay;

  private RelayTree tree;

  /** Copies of this rank's model. */
  private final ServedCopies copies;

  /** Where the model is to be a copy: what its source keeps of what it has, as it comes before. */
  private final List<Part> staged = new ArrayList<>();

  private boolean isFlushing;

  /**
   * One rank's part, which goes on from its configured round.
   *
   * @param children how many a rank has in the tree at most
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
            statistics,
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
          "gradient of %d elements for round %d: %d for round %d are needed"
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

  /** Whether something is to come of others: then they are asked whether they are there. */
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
      // It is of the model that is on its way, and said again.
      return;
    }
    relay.receive(from, progress);
    // One whose model is to be a copy hears of what that has, and greets nobody before it is here.
    if (member.isCurrent()) {
      relay.openIfHeard(from);
    }
  }

  /** Another rank is behind: it gets this one's model, and all that comes from now on. */
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
          "a copy from rank %d for rank %d, whose master is rank %d: it has not asked, or not heard what is in it"
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

  /** All ranks have all of this rank's updates, and so will one that is away. */
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

  /** All ranks have the same, and nobody has to be told so: links begin anew. */
  @Override
  public void emptied() {
    member.beginAnew();
    copies.forget();
    log.beginAnew();
    beginRun();
  }

  @Override
  public void goOn() {
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
          "the exchange's state has %d gradients of this rank, which has completed %d rounds"
              .formatted(clocks.own(), config.completedRounds()));
    }
    for (int origin = 0; origin < config.ranks(); origin++) {
      if (clocks.of(origin) > Long.MAX_VALUE / config.length() - 1) {
        throw new IOException(
            "the exchange's state has %d gradients of rank %d, more than can be counted"
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

  @Override
  public Optional<RelayUse> relayUse() {
    return Optional.of(statistics.use());
  }

  /** How many whole updates of an origin are kept, as somebody may lack something of them. */
  long keptUpdates(int origin) {
    return log.notEverywhere(origin);
  }

  /** What the log keeps, a copy of the model that is being sent, and the values of one part. */
  @Override
  public int keptVectors() {
    long vectorBytes = Payload.Dense.bytesOf(config.length());
    long logged = (log.keptBytes() + vectorBytes - 1) / vectorBytes;
    return (int) logged + copies.vectors() + steps.vectors();
  }
}
