package dev.braid.run.report;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.allreduce.mesh.MeshChoice;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.topology.Mesh;

/** Exchanges of runs on a mesh, for tests. */
public final class MeshRuns {

  private MeshRuns() {}

  /** Returns the exchange of a run with 1,000 parameters, by one algorithm. */
  public static RunExchange onMesh(Mesh mesh, MeshAlgorithm algorithm) {
    ExchangeOptions options =
        ExchangeOptions.defaults(mesh.ranks())
            .with(MeshDescriptor.MESH, mesh)
            .with(MeshDescriptor.ALGORITHM, new MeshChoice.Of(algorithm));
    return new RunExchange(ExchangeType.MESH, options, 1000);
  }
}
