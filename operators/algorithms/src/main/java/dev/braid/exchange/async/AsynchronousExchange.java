package dev.braid.exchange.async;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Update;
import dev.braid.exchange.membership.StalenessClocks;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
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
import java.util.stream.IntStream;

/**
 * The common part of exchanges in which every rank goes its own pace. A rank's own gradient changes
 * its model at once (Ako, Algorithm 1). Gradients of other ranks change it as they arrive, except
 * those that {@code Ako} defers after a flush. The algorithm decides what is sent to which rank,
 * and when.
 *
 * <p>Replicas get the same gradients in different orders. Outside of a checkpoint a rank waits for
 * others only in these cases:
 *
 * <ul>
 *   <li>It is ahead of the slowest rank by more than the staleness bound.
 *   <li>A link is so far behind that the last round's message for it is not sent yet.
 *   <li>Other ranks are sending it gradients that it has missed.
 *   <li>In {@code AllToAll}, a {@linkplain #isHeldUp peer that is back} must first be sent the
 *       gradients kept for it.
 * </ul>
 *
 * <p>It does not wait for absent peers. The algorithm may keep what an absent peer misses, to send
 * it when the peer is back.
 *
 * <p>Links must neither lose, repeat nor reorder messages, and must report the arrival of each. The
 * {@code ExchangeRunner} puts each of these exchanges on a transport with these properties.
 */
abstract class AsynchronousExchange implements Asynchronous, Attendance, Measured, Stateful {

  /** The clocks: the number of rounds that each rank has completed. */
  static final StateKind CLOCKS = StateKind.ofTheseRanks("clocks", 1);

  private final ExchangeConfig config;
  private final Port port;
  private final Range whole;
  private final StalenessClocks clocks;
  private final Outbox outbox;

  /**
   * Peers that are back and are being sent the gradients that they have missed. In the outbox they
   * are absent until they have caught up.
   */
  private final BitSet catchingUp = new BitSet();

  /** Whether this rank was restored from a checkpoint and has not sent its round since. */
  private boolean isRestored;

  /**
   * Peers that are sending gradients that this rank has missed. Each sends its round afterwards.
   */
  private final BitSet missedFrom = new BitSet();

  /** Creates an exchange in which ranks send gradients. */
  AsynchronousExchange(ExchangeConfig config, Port port) {
    this(config, port, Gradient::new);
  }

  /**
   * Creates an exchange that starts at its configured round.
   *
   * @param content the kind of body that ranks send each other
   */
  AsynchronousExchange(ExchangeConfig config, Port port, Outbox.Content content) {
    this.config = config;
    this.port = port;
    this.whole = Range.ofLength(config.length());
    this.clocks = new StalenessClocks(config.rank(), config.ranks(), config.completedRounds());
    this.outbox = new Outbox(config, port, content);
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

  /** Returns how many gradients this rank may be ahead of the slowest. */
  abstract long stalenessBound();

  @Override
  public final Staleness staleness() {
    return clocks.staleness(partitions());
  }

  /** Returns the number of partitions of a gradient, of which each peer is sent one in a turn. */
  int partitions() {
    return 1;
  }

  @Override
  public void addFigures(FigureValues to) {
    to.add(Figure.KEPT_VECTORS, outbox.vectors());
  }

  @Override
  public final List<Integer> absentRanks() {
    return clocks.absent();
  }

  /** Sends other ranks their part of this gradient, which has already changed the model here. */
  abstract void share(Contribution local);

  /** Continues catch-ups, and then whatever else the exchange has to send. */
  private void sendOn() {
    if (!catchingUp.isEmpty()) {
      catchUp();
    }
    afterEachCall();
  }

  /**
   * Sends missed gradients to peers that are catching up, chunk by chunk, as far as their links
   * have room. It does so whether or not this rank computes meanwhile.
   */
  void catchUp() {
    for (int peer = catchingUp.nextSetBit(0); peer >= 0; peer = catchingUp.nextSetBit(peer + 1)) {
      catchUp(peer);
    }
  }

  /**
   * Sends a peer its missed gradients, and this rank's round only after all of them. Until then no
   * other gradient is sent to the peer, as if it were still absent. So a peer that was absent for
   * long, which waits for the others at its staleness bound, computes its next gradient with the
   * missed gradients of all peers.
   */
  private void catchUp(int peer) {
    long round = completedRounds() - 1;
    while (!catchUps().hasCaughtUp(peer)) {
      if (!outbox.hasRoom(peer)) {
        return;
      }
      catchUps().sendMissed(peer, chunk -> send(peer, round, chunk));
    }
    catchingUp.clear(peer);
    outbox.back(peer);
    catchUps().endCatchUp(peer);
    if (round >= 0) {
      // The peer may wait for this rank's clock while this rank waits for the peer's.
      outbox.tellRound(peer, round);
    }
  }

  private void send(int peer, long round, Outbox.Unsent chunk) {
    Payload values = Payload.view(chunk.values(), chunk.range());
    outbox.tell(peer, round, new Missed(chunk.range(), chunk.samples(), values));
  }

  /**
   * Called after each gradient, message, acknowledgement or change of attendance. Whether the rank
   * may compute can have changed.
   */
  void afterEachCall() {}

  /** Processes a message that carries no values over a range. */
  void control(Message message) {
    throw message.unexpected();
  }

  @Override
  public final boolean mayCompute() {
    return outbox.isSent() && !awaitsOthers() && !isHeldUp();
  }

  /** Returns whether something outside the outbox must be sent before the next gradient. */
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
              + ": must be "
              + config.length()
              + " elements for round "
              + clocks.own());
    }
    if (local.samples() > 0) {
      applyOwn(local);
    }
    clocks.advance(config.rank(), local.round() + 1);
    share(local);
    sendOn();
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
    sendOn();
  }

  /**
   * Notes the sender's round. While a peer sends missed gradients, this rank does not compute: a
   * gradient computed midway would belong to weights that no replica ever had.
   */
  private void hear(Message message) {
    boolean isMissed = message.body() instanceof Missed;
    missedFrom.set(message.from(), isMissed);
    if (!isMissed) {
      clocks.advance(message.from(), message.round() + 1);
    }
  }

  @Override
  public final void arrived(Message message) {
    outbox.arrived(message);
    sendOn();
  }

  /** Applies this rank's own gradient to the model. */
  void applyOwn(Contribution local) {
    port.update(step(whole, Slice.view(local.gradient(), whole), local.samples()));
  }

  /**
   * Applies values from another rank to the model. The caller releases the message's values
   * afterwards.
   */
  void apply(Body.OverRange shared) {
    if (shared instanceof Missed missed) {
      port.update(step(missed.range(), missed.payload().dense(), missed.samples()));
    } else if (shared instanceof Gradient gradient) {
      port.update(step(gradient.range(), gradient.payload().dense(), gradient.samples()));
    } else {
      throw new IllegalArgumentException(shared + ": must be a gradient");
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
    clocks.markAbsent(peer);
    catchingUp.clear(peer);
    missedFrom.clear(peer);
    catchUps().markAbsent(peer, outbox.markAbsent(peer));
    sendOn();
  }

  @Override
  public final void back(int peer) {
    clocks.back(peer);
    catchingUp.set(peer);
    catchUps().beginCatchUp(peer);
    sendOn();
  }

  /** Returns the gradients that absent peers miss. */
  CatchUp catchUps() {
    return CatchUp.NONE;
  }

  @Override
  public final List<Integer> unreachable() {
    return IntStream.range(0, config.ranks())
        .filter(peer -> outbox.isAbsent(peer) && !catchingUp.get(peer))
        .filter(peer -> outbox.isUnderWay(peer) || catchUps().hasUnsent(peer))
        .boxed()
        .toList();
  }

  @Override
  public final boolean awaitsOthers() {
    return !clocks.allow(stalenessBound()) || !missedFrom.isEmpty();
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
   * Resumes training. After a restore it also sends this rank's round to all peers. A peer that was
   * absent at the checkpoint may not know this round, and no peer is absent at the start of a run.
   * A rank that has no gradient left would otherwise never send its round.
   */
  @Override
  public void resume() {
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
