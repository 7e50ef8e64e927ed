package dev.braid.learner.math;

import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.memory.conf.WorkspaceConfiguration;
import org.nd4j.linalg.api.memory.enums.LearningPolicy;
import org.nd4j.linalg.api.memory.enums.SpillPolicy;
import org.nd4j.linalg.factory.Nd4j;

/** Where ND4J's operations have their temporary arrays. */
public final class NativeWorkspace {

  private static final WorkspaceConfiguration WORKSPACE =
      WorkspaceConfiguration.builder()
          .policyLearning(LearningPolicy.FIRST_LOOP)
          .policySpill(SpillPolicy.REALLOCATE)
          .build();

  private NativeWorkspace() {}

  /** Runs ND4J operations whose temporary arrays are recycled at the end, not left to the GC. */
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
   * Frees all workspaces of the calling thread, which must not be in one. The thread may use others
   * afterwards. ND4J's own method also has the heap collected.
   */
  public static void free() {
    Nd4j.getWorkspaceManager()
        .getAllWorkspacesForCurrentThread()
        .forEach(workspace -> workspace.destroyWorkspace(true));
  }
}
