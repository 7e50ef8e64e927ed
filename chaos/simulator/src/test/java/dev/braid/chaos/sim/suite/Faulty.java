package dev.braid.chaos.sim.suite;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts.Response;
import java.util.Set;

/** A class of tests some of which are {@link UnderFaults}, and what must happen in each of them. */
interface Faulty {

  /** To which each test adds its runs; a test has one of its own. */
  FaultTally tally();

  /** What faults do. */
  default Set<Effect> effects() {
    return FaultTally.SCHEDULED;
  }

  /** What exchanges do about it. */
  default Set<Response> responses() {
    return Set.of(Response.RETRANSMITTED);
  }
}
