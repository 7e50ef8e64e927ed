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
 * <p>A rank that is cut off is left out of the next view, as its frame decides ({@link
 * ElasticExchange}), and all that are left make the plan anew, around the hole: the set of members
 * says all, so that they need not tell each other. A link that is cut between two members is gone
 * around over the mesh. Who is connected is decided by the links of the mesh alone.
 *
 * <p>Each element of a sum is added up in an order that the set of members, the mesh and the
 * algorithm give: so the bits are the same in every run, whatever comes first.
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
