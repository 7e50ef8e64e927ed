package dev.braid.chaos.sim.suite;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts.Response;
import java.util.Set;

/**
 * A class of tests, some of which are {@link UnderFaults}, and the effects that each of them needs.
 */
interface Faulty {

  /** Returns the tally to which each test adds its runs; each test has its own. */
  FaultTally tally();

  /** Returns the effects of faults that must occur. */
  default Set<Effect> effects() {
    return FaultTally.SCHEDULED;
  }

  /** Returns the responses of exchanges that must occur. */
  default Set<Response> responses() {
    return Set.of(Response.RETRANSMITTED);
  }
}
