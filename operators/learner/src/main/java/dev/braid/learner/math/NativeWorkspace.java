package dev.braid.learner.math;

import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.memory.conf.WorkspaceConfiguration;
import org.nd4j.linalg.api.memory.enums.LearningPolicy;
import org.nd4j.linalg.api.memory.enums.SpillPolicy;
import org.nd4j.linalg.factory.Nd4j;

/** The memory for temporary arrays of ND4J's operations. */
public final class NativeWorkspace {

  private static final WorkspaceConfiguration WORKSPACE =
      WorkspaceConfiguration.builder()
          .policyLearning(LearningPolicy.FIRST_LOOP)
          .policySpill(SpillPolicy.REALLOCATE)
          .build();

  private NativeWorkspace() {}

  /**
   * Runs ND4J operations whose temporary arrays are recycled at the end instead of being garbage
   * collected.
   */
  public static void run(Runnable operations) {
    MemoryWorkspace workspace =
        Nd4j.getWorkspaceManager().getAndActivateWorkspace(WORKSPACE, "BRAID_DENSE");
    try {
      operations.run();
    } finally {
      workspace.close();
    }
  }

  /**
   * Frees all workspaces of the calling thread, which must not be inside one. The thread may use
   * workspaces again afterwards. ND4J's own method also runs a garbage collection.
   */
  public static void free() {
    Nd4j.getWorkspaceManager()
        .getAllWorkspacesForCurrentThread()
        .forEach(workspace -> workspace.destroyWorkspace(true));
  }
}
