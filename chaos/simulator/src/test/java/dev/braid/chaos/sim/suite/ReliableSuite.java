package dev.braid.chaos.sim.suite;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.exchange.registry.ExchangeType;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests synchronous exchanges without rerouting, on a transport that resends lost messages:
 * whatever is cut, they wait for it.
 */
abstract class ReliableSuite extends FaultSuite {

  private final ExchangeSuite sound;

  /**
   * Creates a suite.
   *
   * @param sound the exchange's suite on links without faults
   */
  ReliableSuite(ExchangeType exchange, ExchangeSuite sound) {
    super(exchange::create);
    this.sound = sound;
  }

  @UnderFaults
  @Property(tries = 100)
  void anyLinksCut(@ForAll @IntRange(min = 2, max = 31) int ranks, @ForAll long seed) {
    checkRun(ranks, seed, Faults.ANY);
  }

  @Override
  public Set<Response> responses() {
    return Set.of(Response.RETRANSMITTED);
  }

  @Override
  double valuesSent(int rank, int ranks, int length) {
    return sound.valuesSent(rank, ranks, length);
  }

  @Override
  double valuesSentTolerance(int length) {
    return sound.valuesSentTolerance(length);
  }
}
