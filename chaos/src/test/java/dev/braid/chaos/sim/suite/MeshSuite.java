package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.Simulation;
import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.allreduce.mesh.MeshChoice;
import dev.braid.exchange.allreduce.mesh.MeshChooser;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.allreduce.mesh.MeshPlanner;
import dev.braid.exchange.allreduce.mesh.MeshPlanner.Way;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;

/** The mesh with one of its algorithms, without holes: the most square mesh of as many ranks. */
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
            .with(MeshDescriptor.ALGORITHM, new MeshChoice.Of(algorithm)));
  }

  @Override
  Simulation.Builder counted(Scenario scenario) {
    return onFastLinks(super.counted(scenario), scenario.seed());
  }

  /** As its plan has it. */
  @Override
  double valuesSent(int rank, int ranks, int length) {
    HoledMesh mesh = Mesh.mostSquare(ranks).whole();
    MeshTraffic.Links links = ExchangeOptions.defaults(ranks).get(MeshDescriptor.LINKS);
    Way way = new MeshChooser(links).choose(mesh, length, algorithm);
    return MeshPlanner.plan(mesh, length, way).valuesSent(rank);
  }

  @Override
  double valuesSentTolerance(int length) {
    return 0;
  }
}
