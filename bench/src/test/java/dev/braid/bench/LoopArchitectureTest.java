package dev.braid.bench;

import dev.braid.loop.Loop;
import dev.braid.loop.coordinator.Coordinator;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.member.HoldProtocol;
import java.util.List;

/** Dependencies among the packages of the loop. */
class LoopArchitectureTest extends Rooms {

  private static final Room ENVELOPE = Room.of(Envelope.class);
  private static final Room COORDINATOR = Room.of(Coordinator.class);
  private static final Room MEMBER = Room.of(HoldProtocol.class, ENVELOPE, COORDINATOR);
  private static final Room OPERATOR = Room.of(Loop.class, ENVELOPE, COORDINATOR, MEMBER);

  LoopArchitectureTest() {
    super("dev.braid.loop", List.of(ENVELOPE, COORDINATOR, MEMBER, OPERATOR));
  }
}
