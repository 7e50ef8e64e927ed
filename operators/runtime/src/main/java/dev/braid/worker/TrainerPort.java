package dev.braid.worker;

import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.ViewMessage.ToArbiter;
import dev.braid.exchange.participation.ViewPort;
import dev.braid.vector.Range;
import java.util.function.LongConsumer;

/** The port through which a trainer's exchange acts on the model and the host. */
final class TrainerPort implements Port, ViewPort {

  private final TrainerHost host;
  private final Model model;
  private final LongConsumer caughtUp;

  /**
   * @param caughtUp receives the round from which on this rank takes part again
   */
  TrainerPort(TrainerHost host, Model model, LongConsumer caughtUp) {
    this.host = host;
    this.model = model;
    this.caughtUp = caughtUp;
  }

  @Override
  public long nowNanos() {
    return host.nowNanos();
  }

  @Override
  public void send(Message message) {
    host.send(message);
  }

  @Override
  public void sendsAgain() {
    host.sendsAgain();
  }

  @Override
  public void wakeAt(long nanos) {
    host.wakeAt(nanos);
  }

  @Override
  public float[][] model() {
    return model.vectors();
  }

  @Override
  public void update(Update update) {
    model.apply(update);
  }

  @Override
  public void serve(Range range, long steps) {
    model.serve(range);
    model.setSteps(steps);
  }

  @Override
  public Remembering remembering(Range part) {
    return model.remembering(part);
  }

  @Override
  public ViewPort views() {
    return this;
  }

  @Override
  public void tell(ToArbiter message) {
    host.tell(message);
  }

  @Override
  public long steps() {
    return model.steps();
  }

  @Override
  public void caughtUp(long round, long steps) {
    model.setSteps(steps);
    caughtUp.accept(round);
  }
}
