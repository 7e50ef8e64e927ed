package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.allreduce.AllreduceRound;
import dev.braid.exchange.allreduce.Phases;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.Group;
import dev.braid.exchange.membership.RoundsOfView;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.transport.Transport;
import dev.braid.topology.Mesh;
import java.util.ArrayList;
import java.util.List;

/**
 * One rank's rounds in one view: the {@link MeshPlan} of a mesh of which only the view's members
 * are left.
 *
 * <p>A rank may begin its next round while another, in another ring, still lacks a finished sum
 * that it has sent. So there are two arrays for sums, with operations for each: before the first is
 * written again, all ranks have contributed to the round between, and have had all of the one
 * before.
 */
final class MeshRounds implements RoundsOfView {

  private static final int ARRAYS = 2;

  private final Port port;
  private final int[] neighbours;
  private final AllreduceRound round;

  /** By array of the sum; none at a rank that is left out. */
  private final List<Phases> phases = new ArrayList<>();

  MeshRounds(
      ExchangeConfig config,
      Mesh mesh,
      MeshAlgorithm algorithm,
      View view,
      Port port,
      Transport transport) {
    this.port = port;
    this.neighbours = mesh.neighbours(config.rank());
    this.round = new AllreduceRound(config.after(view.round()), ARRAYS);
    if (view.contains(config.rank())) {
      MeshPlan plan = MeshPlanner.plan(mesh.only(view.members()), config.length(), algorithm);
      Communicator all =
          new Communicator(
              Group.ofAll(config.rank(), config.ranks()),
              0,
              config.chunkLength(),
              round::completed,
              new SendingPort(port, transport));
      float[] partials = new float[config.length()];
      for (int array = 0; array < ARRAYS; array++) {
        phases.add(MeshPhases.of(plan, all, round.sum(array), partials, round::markFinal));
      }
    }
  }

  @Override
  public long round() {
    return round.completed();
  }

  @Override
  public boolean underWay() {
    return round.underWay();
  }

  @Override
  public void contribute(Contribution local) {
    round.begin(local);
    phases.get(round.array()).start().begin(local.gradient(), local.samples());
    round.finish(port);
    for (var due = round.nextDue(); due.isPresent(); due = round.nextDue()) {
      handle(due.get());
    }
  }

  @Override
  public void receive(Message message) {
    if (!round.defer(message)) {
      handle(message);
    }
  }

  private void handle(Message message) {
    if (message.body() instanceof Sum sum) {
      phases.get(round.array()).receive(message.origin(), sum);
    } else {
      throw message.unexpected();
    }
    round.finish(port);
  }

  @Override
  public void rollBack() {
    phases.forEach(Phases::rollBack);
    round.rollBack();
  }

  @Override
  public int[] neighbours() {
    return neighbours.clone();
  }

  @Override
  public int cost(Route way) {
    return way.size();
  }

  /** Operations hand all values over, and go through the transport. */
  private static final class SendingPort extends ForwardingPort {
    private final Transport transport;

    SendingPort(Port port, Transport transport) {
      super(port);
      this.transport = transport;
    }

    @Override
    public void handOver(Message message) {
      transport.send(message);
    }

    @Override
    public void send(Message message) {
      throw new UnsupportedOperationException("values that may change before they are sent");
    }
  }
}
