package dev.braid.worker;

import dev.braid.loop.ForwardingMember;
import dev.braid.loop.LoopMember;
import dev.braid.loop.LoopSimulation.SimulatedMember;

/** A member of a simulated loop, as its trainer sees to it. */
interface TrainerMember extends SimulatedMember, ForwardingMember {

  Trainer trainer();

  @Override
  default LoopMember member() {
    return trainer();
  }
}
