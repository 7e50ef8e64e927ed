package dev.braid.exchange.async;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.BandwidthUse;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Update;
import dev.braid.exchange.membership.StalenessClocks;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Share.Missed;
import dev.braid.exchange.participation.Attendance;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.transport.Outbox;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The frame of exchanges in which every rank goes its own pace: its own gradient changes its model
 * at once, and those of others as they come, but for what {@code Ako} holds back after a flush
 * (Ako, Algorithm 1). What is sent to whom, and when, is up to the algorithm.
 *
 * <p>Replicas get the same gradients in different orders. Outside of a checkpoint an exchange keeps
 * a rank waiting for others in these cases only: it is ahead of the slowest by more than the
 * staleness bound; a link is so far behind that what its last round has for it is not sent; it is
 * being sent what it has missed; or, in {@code AllToAll}, {@link #isHeldUp what it keeps for a peer
 * that is back} is to go before more. It waits for no absent peer; what such a one misses the
 * algorithm may keep, to send it as soon as it is back.
 *
 * <p>Links must neither lose, repeat nor reorder messages, and tell of each that it has arrived:
 * the registry puts a transport that does so around each of these exchanges ({@code
 * ReliableAsynchronous}).
 */
abstract class AsynchronousExchange implements Asynchronous, Attendance, Measured, Stateful {

  /** How far each rank is. */
  static final StateKind CLOCKS = StateKind.ofTheseRanks("clocks", 1);

  private final ExchangeConfig config;
  private final Port port;
  private final Range whole;
  private final StalenessClocks clocks;
  private final Outbox outbox;
  private final CatchUp catchUp;

  /** Whether this rank goes on from a checkpoint, and has told nobody its round. */
  private boolean isRestored;

  /** Peers that are sending what this rank has missed, and will tell their round after that. */
  private final BitSet lackedOf = new BitSet();

  /** One in which ranks send gradients. */
  AsynchronousExchange(ExchangeConfig config, Port port) {
    this(config, port, Gradient::new);
  }

  /**
   * An exchange that goes on from its configured round.
   *
   * @param content what ranks send each other
   */
  AsynchronousExchange(ExchangeConfig config, Port port, Outbox.Content content) {
    this.config = config;
    this.port = port;
    this.whole = Range.ofLength(config.length());
    this.clocks = new StalenessClocks(config.rank(), config.ranks(), config.completedRounds());
    this.outbox = new Outbox(config, port, content);
    this.catchUp = new CatchUp(outbox);
  }

  final ExchangeConfig config() {
    return config;
  }

  final Range whole() {
    return whole;
  }

  final Port port() {
    return port;
  }

  final StalenessClocks clocks() {
    return clocks;
  }

  final Outbox outbox() {
    return outbox;
  }

  /** How many gradients this rank may be ahead of the slowest. */
  abstract long stalenessBound();

  @Override
  public final Staleness staleness() {
    return clocks.staleness(bandwidthUse().map(BandwidthUse::partitions).orElse(1));
  }

  @Override
  public int keptVectors() {
    return outbox.vectors();
  }

  @Override
  public final List<Integer> absentRanks() {
    return clocks.absent();
  }

  /** Sends what other ranks are to have of this gradient, which has changed the model here. */
  abstract void share(Contribution local);

  private void dealtWith() {
    if (!catchUp.isForNobody()) {
      catchUp();
    }
    afterEachCall();
  }

  /** Sends peers that are back of what they have missed what there is room for. */
  void catchUp() {
    catchUp.goOn(this);
  }

  /**
   * Called when a gradient or a message has been dealt with, or it was told who is there: the rank
   * may compute now, or may no longer.
   */
  void afterEachCall() {}

  /** A message has come that is no gradient. */
  void control(Message message) {
    throw message.unexpected();
  }

  @Override
  public final boolean mayCompute() {
    return outbox.isSent() && !awaitsOthers() && !isHeldUp();
  }

  /** Whether something that is not in the outbox is to be sent before there is more. */
  boolean isHeldUp() {
    return false;
  }

  @Override
  public final void contribute(Contribution local) {
    if (local.round() != clocks.own() || local.gradient().length != config.length()) {
      throw new IllegalStateException(
          "gradient of "
              + local.gradient().length
              + " elements for round "
              + local.round()
              + ": "
              + config.length()
              + " for round "
              + clocks.own()
              + " are needed");
    }
    if (local.samples() > 0) {
      applyOwn(local);
    }
    clocks.advance(config.rank(), local.round() + 1);
    share(local);
    dealtWith();
  }

  @Override
  public final void receive(Message message) {
    if (message.body() instanceof Body.OverRange shared) {
      if (!shared.range().isEmpty()) {
        apply(shared);
      }
      message.release();
      hear(message);
    } else {
      control(message);
    }
    dealtWith();
  }

  /** A gradient computed amid what was missed would be of weights that nobody ever had. */
  private void hear(Message message) {
    boolean isMissed = message.body() instanceof Missed;
    lackedOf.set(message.from(), isMissed);
    if (!isMissed) {
      clocks.advance(message.from(), message.round() + 1);
    }
  }

  @Override
  public final void arrived(Message message) {
    outbox.arrived(message);
    dealtWith();
  }

  /** Changes the model here by this rank's own gradient. */
  void applyOwn(Contribution local) {
    port.update(step(local));
  }

  final Update.GradientSum step(Contribution local) {
    return step(whole, Slice.view(local.gradient(), whole), local.samples());
  }

  /** Changes the model here by what another has sent; the message's values are released later. */
  void apply(Body.OverRange shared) {
    if (shared instanceof Missed missed) {
      port.update(step(missed.range(), missed.payload().dense(), missed.samples()));
    } else if (shared instanceof Gradient gradient) {
      port.update(step(gradient.range(), gradient.payload().dense(), gradient.samples()));
    } else {
      throw new IllegalArgumentException(shared + ": a gradient is expected");
    }
  }

  final Update.GradientSum step(Range range, Slice values, long samples) {
    return Update.GradientSum.atOwnPace(config, range, values, samples);
  }

  @Override
  public final Participation participation() {
    return new Participation.ByRollCall(this);
  }

  @Override
  public final void absent(int peer) {
    clocks.absent(peer);
    catchUp.giveUp(peer);
    lackedOf.clear(peer);
    miss(peer, outbox.absent(peer));
    dealtWith();
  }

  @Override
  public final void back(int peer) {
    clocks.back(peer);
    catchUp.begin(peer);
    meet(peer);
    dealtWith();
  }

  /** A peer is absent: what was not sent to it, and what is shared from now on, it misses. */
  void miss(int peer, Outbox.Unsent unsent) {}

  /** A peer is back: what it has missed is sent, and then it has caught up. */
  void meet(int peer) {}

  /** Whether a peer that is back has been sent what it has missed. */
  boolean hasCaughtUp(int peer) {
    return true;
  }

  /** Sends a peer that has not caught up the next chunk of what it has missed. */
  void sendMissed(int peer, Consumer<Outbox.Unsent> send) {}

  /** A peer has caught up, and is sent what the others are. */
  void caughtUp(int peer) {}

  /** Whether an absent peer is to be sent something of what it has missed. */
  boolean lacksSome(int peer) {
    return false;
  }

  @Override
  public final List<Integer> unreachable() {
    return IntStream.range(0, config.ranks())
        .filter(peer -> outbox.isAbsent(peer) && !catchUp.isCatchingUp(peer))
        .filter(peer -> outbox.isUnderWay(peer) || lacksSome(peer))
        .boxed()
        .toList();
  }

  @Override
  public final boolean awaitsOthers() {
    return !clocks.allow(stalenessBound()) || !lackedOf.isEmpty();
  }

  @Override
  public final long completedRounds() {
    return clocks.own();
  }

  @Override
  public boolean isQuiet() {
    return outbox.isAcknowledged();
  }

  /**
   * A peer that was absent when the checkpoint was taken may not know how far this rank is, and
   * nobody is absent in a run that begins: so all are told, as a rank that has no gradient left
   * would never say it.
   */
  @Override
  public void goOn() {
    if (isRestored) {
      isRestored = false;
      for (int peer = 0; peer < config.ranks(); peer++) {
        if (peer != config.rank() && clocks.own() > 0) {
          outbox.tellRound(peer, clocks.own() - 1);
        }
      }
    }
  }

  @Override
  public List<LastingState> states() {
    return List.of(new LastingState(CLOCKS, clocks::write, this::readClocks));
  }

  private void readClocks(DataInput in) throws IOException {
    clocks.read(in);
    isRestored = true;
  }
}
