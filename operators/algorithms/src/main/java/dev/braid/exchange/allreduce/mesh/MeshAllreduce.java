package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.membership.ElasticExchange;
import dev.braid.exchange.transport.Window;
import dev.braid.topology.Mesh;

/**
 * Allreduce on a mesh or torus that may have holes (Kumar and Jouppi, "Highly available data
 * parallel ML training on mesh networks", 2020).
 *
 * <p>An unreachable rank is excluded from the next view ({@link ElasticExchange}), and all
 * remaining ranks make a new plan around the hole. The set of members determines the plan, so ranks
 * need not exchange it. Messages are routed over the mesh around a cut link between two members.
 * Only the links of the mesh decide which ranks are connected.
 *
 * <p>The set of members, the mesh and the algorithm determine the order of summation of each
 * element. The bits are therefore the same in every run, independent of arrival.
 */
public final class MeshAllreduce extends ElasticExchange {

  public MeshAllreduce(ExchangeConfig config, Port port) {
    this(config, port, MeshDescriptor.mesh(config));
  }

  private MeshAllreduce(ExchangeConfig config, Port port, Mesh mesh) {
    super(
        config,
        port,
        mesh.neighbours(config.rank()),
        Window.ofStream(config),
        (view, transport) -> new MeshRounds(config, mesh, view, port, transport));
  }
}
