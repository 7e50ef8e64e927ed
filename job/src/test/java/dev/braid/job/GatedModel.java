package dev.braid.job;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.worker.WorkerConfig.ModelSource;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A model that computes no further than a test lets it, in the JVM of the test. */
record GatedModel(ModelSource model, String name) implements ForwardingModel {

  private static final long serialVersionUID = 1L;
  private static final Map<String, Gate> GATES = new ConcurrentHashMap<>();

  /** Lets each worker compute so many gradients in all. */
  static final class Gate {
    private final Map<Learner, Long> begun = new HashMap<>();
    private long gradients;
    private int waiting;
    private boolean fail;
    private boolean failed;

    /** How many gradients the slowest worker has begun, and got beyond the gate. */
    synchronized long least() {
      return begun.values().stream().mapToLong(Long::longValue).min().orElse(0);
    }

    /** How many gradients the fastest worker has begun, and got beyond the gate. */
    synchronized long most() {
      return begun.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** How many workers have begun so many gradients, and got beyond the gate. */
    synchronized long countAt(long gradientsBegun) {
      return begun.values().stream().filter(count -> count >= gradientsBegun).count();
    }

    /** How many workers wait at the gate. */
    synchronized int waiting() {
      return waiting;
    }

    private synchronized void enter(Learner learner) {
      begun.put(learner, 0L);
    }

    private synchronized void leave(Learner learner) {
      begun.remove(learner);
    }

    synchronized void letPass(long upTo) {
      gradients = upTo;
      notifyAll();
    }

    /** The next gradient of one of the workers fails. */
    synchronized void failOnce() {
      fail = true;
      notifyAll();
    }

    /** Whether one has failed. */
    synchronized boolean hasFailed() {
      return failed;
    }

    private synchronized void pass(Learner learner) {
      long number = begun.get(learner);
      try {
        waiting++;
        while (number >= gradients && !fail) {
          wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } finally {
        waiting--;
      }
      if (fail) {
        fail = false;
        failed = true;
        throw new IllegalStateException("this gradient fails, as the test wants it");
      }
      begun.put(learner, number + 1);
    }
  }

  static Gate gate(String name) {
    return GATES.computeIfAbsent(name, key -> new Gate());
  }

  @Override
  public Learner learner() throws IOException {
    GatedLearner learner = new GatedLearner(model.learner(), gate(name));
    gate(name).enter(learner);
    return learner;
  }

  private record GatedLearner(Learner learner, Gate gate) implements ForwardingLearner {

    @Override
    public double gradient(float[] weights, Batch batch, float[] gradient) {
      gate.pass(this);
      return learner.gradient(weights, batch, gradient);
    }

    @Override
    public void close() {
      gate.leave(this);
      learner.close();
    }
  }
}
