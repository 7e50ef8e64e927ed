package dev.braid.bench;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.LinkModel;
import dev.braid.chaos.sim.random.RandomSearch;
import dev.braid.chaos.sim.stream.SimulatedStream;
import java.util.List;

/** Dependencies among the packages of the simulator. */
class SimulatorArchitectureTest extends Rooms {

  private static final Room CONDITION = Room.of(LinkModel.class);
  private static final Room CHECK = Room.of(UpdateCheck.class, CONDITION);
  private static final Room RUN = Room.of(Simulation.class, CONDITION, CHECK);
  private static final Room STREAM = Room.of(SimulatedStream.class, CONDITION, RUN);
  private static final Room RANDOM = Room.of(RandomSearch.class, CONDITION, CHECK, RUN, STREAM);

  SimulatorArchitectureTest() {
    super("dev.braid.chaos.sim", List.of(CONDITION, CHECK, RUN, STREAM, RANDOM));
  }
}
