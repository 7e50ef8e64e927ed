package dev.braid.chaos.fault;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.Link;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One direction of a link: the faults in force on it, and the messages that wait because of them.
 *
 * <pre>
 *   carry ─▶ throttled: one after the other, ─▶ delayed: in order, each ─▶ held back: until its ─▶
 *            at the rate in force               until its time             time, in no order
 * </pre>
 *
 * <p>A message keeps its delay by each fault instead of a time of arrival. When a fault ends, its
 * delays of waiting messages end, too: no message waits on a link without faults.
 *
 * <p>Random decisions are made when a message comes; only the rate of a throttle affects messages
 * that came before it.
 */
final class FaultyLink<M> {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Link link;
  private final long number;
  private final MessageFates<M> fates;
  private final Touches touches;
  private final Supplier<SplittableRandom> newRandom;

  /** Faults in force, in the order in which they began. */
  private final List<Fault> faults = new ArrayList<>();

  private final ArrayDeque<HeldMessage<M>> throttled = new ArrayDeque<>();
  private final ArrayDeque<HeldMessage<M>> delayed = new ArrayDeque<>();
  private final PriorityQueue<HeldMessage<M>> heldBack = new PriorityQueue<>(HeldMessage.ORDER);

  private int cuts;
  private double bytesPerSecond = Double.POSITIVE_INFINITY;

  /**
   * Bytes of the first throttled message that are not carried yet, at {@link #carriedUntilNanos}.
   */
  private double bytesLeft;

  private long carriedUntilNanos;
  private long messages;
  private SplittableRandom random;
  private long alarmNanos = Fault.NEVER;

  /**
   * Creates a link without faults.
   *
   * @param number number of the link, which orders links
   * @param touches takes the faults that act on messages
   * @param newRandom makes the link's random source, if it needs one
   */
  FaultyLink(
      Link link,
      long number,
      MessageFates<M> fates,
      Touches touches,
      Supplier<SplittableRandom> newRandom) {
    this.link = link;
    this.number = number;
    this.fates = fates;
    this.touches = touches;
    this.newRandom = newRandom;
  }

  Link link() {
    return link;
  }

  long number() {
    return number;
  }

  // ---- faults ----------------------------------------------------------------------------------

  /** Returns the faults in force, in the order in which they began. */
  List<Fault> faults() {
    return faults;
  }

  void add(Fault fault, long nowNanos) {
    carryUntil(nowNanos);
    faults.add(fault);
    cuts += fault.action() instanceof Action.Cut ? 1 : 0;
    bytesPerSecond = Math.min(bytesPerSecond, bytesPerSecond(fault));
  }

  void remove(Fault fault, long nowNanos) {
    carryUntil(nowNanos);
    faults.remove(fault);
    cuts -= fault.action() instanceof Action.Cut ? 1 : 0;
    bytesPerSecond =
        faults.stream()
            .mapToDouble(FaultyLink::bytesPerSecond)
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    throttled.forEach(held -> held.forget(fault));
    delayed.forEach(held -> held.forget(fault));
    if (!heldBack.isEmpty()) {
      List<HeldMessage<M>> all = List.copyOf(heldBack);
      heldBack.clear();
      all.forEach(held -> held.forget(fault));
      heldBack.addAll(all);
    }
    carryUntil(nowNanos);
  }

  private static double bytesPerSecond(Fault fault) {
    return fault.action() instanceof Action.Throttle throttle
        ? throttle.bytesPerSecond()
        : Double.POSITIVE_INFINITY;
  }

  // ---- messages --------------------------------------------------------------------------------

  /** Carries a message, which arrives or is lost at once, or waits. */
  void carry(M message, long bytes, long nowNanos) {
    if (cuts > 0) {
      touchCuts(nowNanos);
      fates.touched(Effect.CUT);
      fates.lost(message);
      return;
    }
    HeldMessage<M> held = new HeldMessage<>(message, bytes, messages++);
    for (Fault fault : faults) {
      if (fault.action() instanceof Action.Drop drop && happens(drop.probability())) {
        touches.touched(fault, link.from(), link.to(), nowNanos);
        fates.touched(Effect.DROPPED);
        fates.lost(message);
        return;
      }
      if (act(fault, held)) {
        touches.touched(fault, link.from(), link.to(), nowNanos);
      }
    }
    tell(held);
    carryUntil(nowNanos);
    if (Double.isInfinite(bytesPerSecond)) {
      delay(held, nowNanos);
    } else {
      if (throttled.isEmpty()) {
        bytesLeft = bytes;
        carriedUntilNanos = nowNanos;
      }
      throttled.add(held);
    }
    release(nowNanos);
  }

  private void touchCuts(long nowNanos) {
    for (Fault fault : faults) {
      if (fault.action() instanceof Action.Cut) {
        touches.touched(fault, link.from(), link.to(), nowNanos);
      }
    }
  }

  /** Applies a fault to a message, and returns whether it has any effect. */
  private boolean act(Fault fault, HeldMessage<M> held) {
    Action action = fault.action();
    if (action instanceof Action.Delay delay) {
      long nanos = delay.delayMillis() * FaultPlan.NANOS_PER_MILLI + upTo(delay.jitterMillis());
      if (nanos > 0) {
        held.delay(fault, nanos);
      }
      return nanos > 0;
    } else if (action instanceof Action.Reorder reorder && happens(reorder.probability())) {
      held.holdBack(fault, upTo(reorder.withinMillis()));
      return true;
    } else if (action instanceof Action.Corrupt flip && happens(flip.probability())) {
      held.corrupt();
      return true;
    } else if (action instanceof Action.Duplicate duplicate && happens(duplicate.probability())) {
      held.comeTwice();
      return true;
    }
    return action instanceof Action.Throttle;
  }

  private void tell(HeldMessage<M> held) {
    if (held.isCorrupt()) {
      fates.touched(Effect.CORRUPTED);
    }
    if (held.comesTwice()) {
      fates.touched(Effect.DUPLICATED);
    }
    if (held.isDelayed()) {
      fates.touched(Effect.DELAYED);
    }
    if (held.isHeldBack()) {
      fates.touched(Effect.REORDERED);
    }
    if (!Double.isInfinite(bytesPerSecond)) {
      fates.touched(Effect.THROTTLED);
    }
  }

  /** Lets the throttle carry what it can until a time. */
  private void carryUntil(long nowNanos) {
    while (!throttled.isEmpty() && carriedAtNanos() <= nowNanos) {
      carriedUntilNanos = carriedAtNanos();
      delay(throttled.remove(), carriedUntilNanos);
      bytesLeft = throttled.isEmpty() ? 0 : throttled.element().bytes();
    }
    if (!throttled.isEmpty() && nowNanos > carriedUntilNanos) {
      bytesLeft -= bytesPerSecond * (nowNanos - carriedUntilNanos) / NANOS_PER_SECOND;
      carriedUntilNanos = nowNanos;
    }
  }

  /** Returns when the first throttled message has passed, at the rate in force, in nanoseconds. */
  private long carriedAtNanos() {
    return carriedUntilNanos
        + Math.max(0, Math.round(bytesLeft / bytesPerSecond * NANOS_PER_SECOND));
  }

  private void delay(HeldMessage<M> held, long nanos) {
    held.passed(nanos);
    delayed.add(held);
  }

  /** Hands over all messages that may arrive until a time. */
  void release(long nowNanos) {
    carryUntil(nowNanos);
    while (!delayed.isEmpty() && delayed.element().delayedUntilNanos() <= nowNanos) {
      HeldMessage<M> held = delayed.remove();
      if (held.comesTwice()) {
        fates.arrive(held.message(), held.isCorrupt(), true);
      }
      held.passed(nowNanos);
      if (held.heldBackUntilNanos() > nowNanos) {
        heldBack.add(held);
      } else {
        fates.arrive(held.message(), held.isCorrupt(), false);
      }
    }
    while (!heldBack.isEmpty() && heldBack.element().heldBackUntilNanos() <= nowNanos) {
      HeldMessage<M> held = heldBack.remove();
      fates.arrive(held.message(), held.isCorrupt(), false);
    }
  }

  /**
   * Returns when {@link #release} is due next, in nanoseconds; {@link Fault#NEVER} if nothing
   * waits.
   */
  long nextNanos() {
    long next = Fault.NEVER;
    if (!delayed.isEmpty()) {
      next = delayed.element().delayedUntilNanos();
    } else if (!throttled.isEmpty()) {
      next = carriedAtNanos() + throttled.element().delayNanos();
    }
    return heldBack.isEmpty() ? next : Math.min(next, heldBack.element().heldBackUntilNanos());
  }

  /**
   * Returns the time for which the table of links has scheduled the next release, in nanoseconds.
   */
  long alarmNanos() {
    return alarmNanos;
  }

  void setAlarm(long nanos) {
    alarmNanos = nanos;
  }

  /** Returns whether the link is in the same state as one that never had a fault. */
  boolean isUntouched() {
    return faults.isEmpty() && random == null && nextNanos() == Fault.NEVER;
  }

  /** Hands over all waiting messages, and forgets them. */
  void discard(Consumer<M> messagesThatWait) {
    throttled.forEach(held -> messagesThatWait.accept(held.message()));
    delayed.forEach(held -> messagesThatWait.accept(held.message()));
    heldBack.forEach(held -> messagesThatWait.accept(held.message()));
    throttled.clear();
    delayed.clear();
    heldBack.clear();
  }

  private boolean happens(double probability) {
    return random().nextDouble() < probability;
  }

  private long upTo(long millis) {
    return millis == 0 ? 0 : random().nextLong(millis * FaultPlan.NANOS_PER_MILLI + 1);
  }

  private SplittableRandom random() {
    if (random == null) {
      random = newRandom.get();
    }
    return random;
  }
}
