package dev.braid.bench;

import dev.braid.worker.WorkerOperator;
import dev.braid.worker.compute.ComputeThread;
import dev.braid.worker.report.Reports;
import dev.braid.worker.state.SavedModel;
import java.util.List;

/** Dependencies among the packages of the worker. */
class WorkerArchitectureTest extends Rooms {

  private static final Room REPORT = Room.of(Reports.class);
  private static final Room STATE = Room.of(SavedModel.class, REPORT);
  private static final Room COMPUTE = Room.of(ComputeThread.class);
  private static final Room OPERATOR = Room.of(WorkerOperator.class, REPORT, STATE, COMPUTE);

  WorkerArchitectureTest() {
    super("dev.braid.worker", List.of(REPORT, STATE, COMPUTE, OPERATOR));
  }
}
