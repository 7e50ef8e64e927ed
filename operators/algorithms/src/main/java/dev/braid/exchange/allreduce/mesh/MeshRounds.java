package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.allreduce.Allreduce;
import dev.braid.exchange.allreduce.Allreduce.Phases;
import dev.braid.exchange.membership.RoundsOfView;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.transport.Transport;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;
import java.util.List;

/**
 * One rank's rounds in one view: execution of the {@link MeshPlan} of a mesh in which only the
 * view's members remain.
 */
final class MeshRounds implements RoundsOfView {

  /**
   * Number of arrays for sums. A rank may begin its next round while another rank, in another ring,
   * still lacks a finished sum that it has sent. Two arrays are enough: before the first is
   * overwritten, all ranks have contributed to the round in between, and so have received all of
   * the round before that.
   */
  static final int ARRAYS = 2;

  /** Operations of an excluded rank: none. */
  static final Phases NONE = new Phases((gradient, samples) -> {}, List.of());

  private final int[] neighbours;
  private final Allreduce rounds;

  MeshRounds(ExchangeConfig config, Mesh mesh, View view, Port port, Transport transport) {
    this.neighbours = mesh.neighbours(config.rank());
    this.rounds =
        new Allreduce(
            config.after(view.round()),
            transport,
            ARRAYS,
            view.contains(config.rank())
                ? algorithm(config, mesh.only(view.members()))
                : (all, vector, sums, completion) -> NONE,
            port::update);
  }

  private static Allreduce.Algorithm algorithm(ExchangeConfig config, HoledMesh mesh) {
    MeshPlan plan = MeshDescriptor.plan(config, mesh);
    float[] partials = new float[config.length()];
    return (all, vector, sums, completion) -> MeshPhases.of(plan, all, sums, partials, completion);
  }

  @Override
  public long round() {
    return rounds.completedRounds();
  }

  @Override
  public boolean underWay() {
    return !rounds.mayCompute();
  }

  @Override
  public void contribute(Contribution local) {
    rounds.contribute(local);
  }

  @Override
  public void receive(Message message) {
    rounds.receive(message);
  }

  @Override
  public void rollBack() {
    rounds.rollBack();
  }

  @Override
  public int[] neighbours() {
    return neighbours.clone();
  }
}
