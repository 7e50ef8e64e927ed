package dev.braid.worker;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.transport.LoopbackPort;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.util.Map;
import java.util.TreeMap;

/**
 * An exchange that waits for no straggler: rank 0 adds up the first gradients of a round, all but
 * one rank's, and sends the sum to everybody. A rank may be any number of rounds behind, in the
 * midst of a gradient that nobody needs any more; its late gradients are discarded.
 */
final class QuorumSum implements Synchronous {

  /** What was found out in a run, by rank 0. */
  static final class Tally {
    long samplesInSums;
    int lateGradients;
  }

  private static final int MASTER = 0;

  private final ExchangeConfig config;
  private final LoopbackPort port;
  private final Tally tally;
  private final Range whole;
  private final Map<Integer, Contribution> came = new TreeMap<>();
  private boolean contributed;
  private boolean counted;
  private long completed;

  QuorumSum(ExchangeConfig config, Port port, Tally tally) {
    this.config = config;
    this.port = new LoopbackPort(config.rank(), port);
    this.tally = tally;
    this.whole = Range.ofLength(config.length());
    this.completed = config.completedRounds();
  }

  @Override
  public boolean mayCompute() {
    return !contributed;
  }

  @Override
  public void contribute(Contribution local) {
    if (local.round() != completed) {
      throw new IllegalStateException("round " + local.round() + " is not " + completed);
    }
    contributed = true;
    Payload values = Payload.view(local.gradient(), whole);
    send(MASTER, local.round(), Sum.partial(whole, local.samples(), values));
    port.deliver(this::handle);
  }

  @Override
  public void receive(Message message) {
    handle(message);
    port.deliver(this::handle);
  }

  private void handle(Message message) {
    Sum sum = (Sum) message.body();
    if (sum.kind() == Sum.Kind.PARTIAL) {
      gather(message.from(), message.round(), sum);
    } else {
      finish(message.round(), sum);
    }
    message.release();
  }

  private void gather(int from, long round, Sum sum) {
    if (round < completed) {
      tally.lateGradients++;
      return;
    }
    came.put(from, new Contribution(round, sum.payload().dense().toArray(), sum.samples()));
    if (came.size() == Math.max(1, config.ranks() - 1)) {
      float[] total = new float[config.length()];
      came.values().forEach(it -> Vectors.add(total, 0, Slice.view(it.gradient(), whole)));
      long samples = came.values().stream().mapToLong(Contribution::samples).sum();
      tally.samplesInSums += samples;
      for (int to = 0; to < config.ranks(); to++) {
        Sum.Kind kind = came.containsKey(to) ? Sum.Kind.OF_BOTH : Sum.Kind.FINISHED;
        send(to, round, new Sum(kind, whole, samples, Payload.view(total, whole)));
      }
      came.clear();
    }
  }

  /** A sum that has this rank's gradient is OF_BOTH, one that has not is FINISHED. */
  private void finish(long round, Sum sum) {
    if (round != completed) {
      throw new IllegalStateException("sum of round " + round + " after " + completed);
    }
    if (sum.samples() > 0) {
      port.update(new Update.GradientSum(whole, sum.payload().dense(), sum.samples()));
    }
    counted = sum.kind() == Sum.Kind.OF_BOTH;
    contributed = false;
    completed++;
  }

  private void send(int to, long round, Sum sum) {
    port.send(new Message(config.rank(), to, round, sum));
  }

  @Override
  public boolean countsOwnGradient(long round) {
    return counted;
  }

  @Override
  public long completedRounds() {
    return completed;
  }

  @Override
  public void rollBack() {
    came.clear();
    contributed = false;
  }
}
