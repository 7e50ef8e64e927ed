package dev.braid.exchange;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.ViewPort;
import dev.braid.vector.Range;
import java.util.OptionalDouble;

/** A port that delegates to another port; subclasses override individual operations. */
public abstract class ForwardingPort implements Port {

  private final Port port;

  public ForwardingPort(Port port) {
    this.port = port;
  }

  @Override
  public long nowNanos() {
    return port.nowNanos();
  }

  @Override
  public void send(Message message) {
    port.send(message);
  }

  @Override
  public void handOver(Message message) {
    port.handOver(message);
  }

  @Override
  public Message packed(Message message) {
    return port.packed(message);
  }

  @Override
  public OptionalDouble bytesPerSecond() {
    return port.bytesPerSecond();
  }

  @Override
  public void wakeAt(long nanos) {
    port.wakeAt(nanos);
  }

  @Override
  public float[][] model() {
    return port.model();
  }

  @Override
  public void update(Update update) {
    port.update(update);
  }

  @Override
  public void serve(Range range, long steps) {
    port.serve(range, steps);
  }

  @Override
  public Remembering remembering(Range part) {
    return port.remembering(part);
  }

  @Override
  public void sendsAgain() {
    port.sendsAgain();
  }

  @Override
  public ViewPort views() {
    return port.views();
  }
}
