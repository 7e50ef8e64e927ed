package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.Simulation;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.allreduce.mesh.MeshChoice;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.allreduce.mesh.MeshPlanner;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.topology.Mesh;

/**
 * Tests the mesh with one of its algorithms, as in the paper and without holes: the most square
 * mesh of this many ranks. Algorithms that add up in groups are tested by {@link MeshHolesTest} and
 * {@link ShardedMeshTest}.
 */
abstract class MeshSuite extends ExchangeSuite {

  private final MeshAlgorithm algorithm;

  MeshSuite(MeshAlgorithm algorithm) {
    super(ExchangeType.MESH::create);
    this.algorithm = algorithm;
  }

  @Override
  Simulation.Builder prepared(Simulation.Builder simulation, int ranks) {
    return simulation.options(
        ExchangeOptions.defaults(ranks)
            .with(MeshDescriptor.ALGORITHM, new MeshChoice.Of(algorithm))
            .with(MeshDescriptor.GROUPS, false));
  }

  @Override
  Simulation.Builder counted(Scenario scenario) {
    return onFastLinks(super.counted(scenario), scenario.seed());
  }

  /** Returns the number of values in the rank's plan. */
  @Override
  double valuesSent(int rank, int ranks, int length) {
    return MeshPlanner.plan(Mesh.mostSquare(ranks).whole(), length, algorithm).valuesSent(rank);
  }

  @Override
  double valuesSentTolerance(int length) {
    return 0;
  }
}
