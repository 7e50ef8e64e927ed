package dev.braid.chaos.sim;

import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.participation.ViewMessage.ToArbiter;
import dev.braid.exchange.participation.ViewPort;
import java.util.function.LongSupplier;

/** Port that reports to a check what an exchange does to its rank's model. */
final class WatchedPort extends ForwardingPort {

  private final Port port;
  private final UpdateCheck check;
  private final int rank;
  private final LongSupplier contributed;

  /**
   * Creates a port that delegates to another one.
   *
   * @param contributed returns the last round that the rank has contributed to
   */
  WatchedPort(Port port, UpdateCheck check, int rank, LongSupplier contributed) {
    super(port);
    this.port = port;
    this.check = check;
    this.rank = rank;
    this.contributed = contributed;
  }

  @Override
  public float[][] model() {
    check.readingModel(rank);
    return port.model();
  }

  @Override
  public void update(Update update) {
    check.updated(rank, contributed.getAsLong(), update);
    port.update(update);
  }

  @Override
  public ViewPort views() {
    ViewPort views = port.views();
    return new ViewPort() {
      @Override
      public void tell(ToArbiter message) {
        views.tell(message);
      }

      @Override
      public long steps() {
        return views.steps();
      }

      @Override
      public void caughtUp(long round, long steps) {
        check.caughtUp(rank, round);
        views.caughtUp(round, steps);
      }
    };
  }
}
