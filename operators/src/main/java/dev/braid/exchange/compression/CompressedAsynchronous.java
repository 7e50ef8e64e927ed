package dev.braid.exchange.compression;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import java.util.List;

/** An asynchronous exchange whose gradients are compressed. */
final class CompressedAsynchronous extends Compressed<Asynchronous> implements Asynchronous {

  CompressedAsynchronous(Parts parts, Asynchronous exchange) {
    super(parts, exchange);
  }

  @Override
  public void arrived(Message message) {
    wrapped().arrived(message);
  }

  @Override
  public void flush() {
    wrapped().flush();
  }

  @Override
  public List<Integer> unreachable() {
    return wrapped().unreachable();
  }

  @Override
  public void emptied() {
    wrapped().emptied();
  }

  @Override
  public void awaitOthers(boolean waits) {
    wrapped().awaitOthers(waits);
  }

  @Override
  public List<Update.GradientSum> deferredSteps() {
    return wrapped().deferredSteps();
  }
}
