package dev.braid.loop;

import dev.braid.loop.Durations.Kind;
import java.util.function.LongSupplier;

/** What is done for a member elsewhere: by its source, and by its one compute thread. */
public final class SimulatedWork {

  private final Durations durations;
  private final LongSupplier nowStep;
  private final DelayedQueue source = new DelayedQueue();
  private final DelayedQueue computeThread = new DelayedQueue();

  SimulatedWork(Durations durations, LongSupplier nowStep) {
    this.durations = durations;
    this.nowStep = nowStep;
  }

  /** Begins something that ends, in order, after a time that is drawn for its kind. */
  public void begin(Kind kind, Runnable end) {
    DelayedQueue queue = kind == Kind.BATCH ? source : computeThread;
    queue.addWork(nowStep.getAsLong(), durations.draw(kind), end);
  }

  /** Nobody wants the gradient any more that is computed: it may end at any time. */
  public void leaveOff() {
    computeThread.cutShort(nowStep.getAsLong(), durations.draw(Kind.GRADIENT));
  }

  DelayedQueue source() {
    return source;
  }

  DelayedQueue computeThread() {
    return computeThread;
  }
}
