package dev.braid.job;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.worker.WorkerConfig.ModelSource;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A model that computes gradients only as far as a test in the same JVM permits. */
record GatedModel(ModelSource model, String name) implements ForwardingModel {

  private static final long serialVersionUID = 1L;
  private static final Map<String, Gate> GATES = new ConcurrentHashMap<>();

  /** Gate that limits the total number of gradients of each worker. */
  static final class Gate {
    private final Map<Learner, Long> begun = new HashMap<>();
    private long gradients;
    private int waiting;
    private boolean fail;
    private boolean failed;

    /** Returns the number of gradients that the slowest worker has begun after passing the gate. */
    synchronized long least() {
      return begun.values().stream().mapToLong(Long::longValue).min().orElse(0);
    }

    /** Returns the number of gradients that the fastest worker has begun after passing the gate. */
    synchronized long most() {
      return begun.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Returns the number of workers that have begun this many gradients after passing the gate. */
    synchronized long countAt(long gradientsBegun) {
      return begun.values().stream().filter(count -> count >= gradientsBegun).count();
    }

    /** Returns the number of workers that wait at the gate. */
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

    /** Makes the next gradient of any worker fail. */
    synchronized void failOnce() {
      fail = true;
      notifyAll();
    }

    /** Returns whether a gradient has failed. */
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
