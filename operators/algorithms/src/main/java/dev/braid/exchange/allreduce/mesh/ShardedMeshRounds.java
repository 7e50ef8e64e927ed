package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Update;
import dev.braid.exchange.allreduce.Allreduce;
import dev.braid.exchange.allreduce.Allreduce.Phases;
import dev.braid.exchange.allreduce.shards.StatePiece;
import dev.braid.exchange.allreduce.shards.UpdaterShards;
import dev.braid.exchange.allreduce.shards.UpdaterShards.ShardHolders;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Collective.Completion;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.membership.RoundsOfView;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.ReplicaCopyBody;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.transport.Transport;
import dev.braid.topology.Mesh;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * One rank's rounds in one view, with updates sharded over the view's members: like {@link
 * MeshRounds}, with a step when sums are complete, and weights on the way back.
 */
final class ShardedMeshRounds implements RoundsOfView {

  private final int rank;
  private final int chunkLength;
  private final int[] neighbours;
  private final View view;
  private final Transport transport;
  private final UpdaterShards shards;
  private final Allreduce rounds;

  /** All weights after a complete round, {@code float[length]}; empty if it had no samples. */
  private float[] weights = {};

  private int askedIn;

  /**
   * Creates the rounds of a view that begins.
   *
   * @param shards this rank's part of the updater's state, which is carried over into the view
   */
  ShardedMeshRounds(
      ExchangeConfig config, Mesh mesh, View view, Transport transport, UpdaterShards shards) {
    this.rank = config.rank();
    this.chunkLength = config.chunkLength();
    this.neighbours = mesh.neighbours(rank);
    this.view = view;
    this.transport = transport;
    this.shards = shards;
    boolean isIn = view.contains(rank);
    MeshShards plan = MeshShards.of(config, mesh, view);
    Range shard = isIn ? plan.shard(rank) : Range.EMPTY;
    List<ShardHolders> copied = isIn ? plan.copiedAt(rank) : List.of();
    if (view.number() == 0) {
      shards.begin(shard, copied, plan.holders());
    } else {
      shards.enter(view.round(), shard, copied, plan.holders());
    }
    float[] partials = isIn ? new float[config.length()] : new float[0];
    this.rounds =
        new Allreduce(
            config.after(view.round()),
            transport,
            MeshRounds.ARRAYS,
            (all, vector, sums, completion) ->
                isIn ? phases(plan, all, sums, partials, completion) : MeshRounds.NONE,
            this::gathered);
  }

  private Phases phases(
      MeshShards plan, Communicator all, float[] sums, float[] partials, Completion completion) {
    MeshPlan stages = plan.stages();
    ShardSteps steps = new ShardSteps(shards, all, sums, partials, plan);
    Completion replaced =
        (chunk, samples) -> {
          shards.replace(chunk, sums);
          completion.complete(chunk, samples);
        };
    Phases phases = MeshPhases.of(stages, all, sums, partials, steps, replaced);
    List<Collective> operations = new ArrayList<>(phases.operations());
    operations.add(steps);
    return new Phases(phases.start(), operations);
  }

  private void gathered(Update.GradientSum round) {
    weights = round.values().array();
  }

  // ---- rounds ----------------------------------------------------------------------------------

  @Override
  public long round() {
    return rounds.completedRounds();
  }

  @Override
  public boolean underWay() {
    return !rounds.mayCompute();
  }

  @Override
  public boolean isReady() {
    return shards.isReady();
  }

  @Override
  public void contribute(Contribution local) {
    shards.contribute();
    rounds.contribute(local);
    completeIfItIs();
  }

  @Override
  public void receive(Message message) {
    rounds.receive(message);
    completeIfItIs();
  }

  private void completeIfItIs() {
    if (rounds.completedRounds() > shards.rounds()) {
      shards.complete(rounds.completedRounds(), weights);
      weights = new float[0];
    }
  }

  @Override
  public void rollBack() {
    rounds.rollBack();
    shards.rollBack();
  }

  /** Discards data of incomplete rounds; the next view decides whether steps are undone. */
  @Override
  public void leave() {
    rounds.rollBack();
  }

  // ---- the updater's state ---------------------------------------------------------------------

  @Override
  public boolean replicasHaveState() {
    return false;
  }

  @Override
  public void begin() {
    askedIn = transport.generation();
    if (!view.contains(rank)) {
      return;
    }
    for (Range range : shards.lacking()) {
      for (int member : view.members()) {
        if (member != rank) {
          send(member, new ReplicaCopyBody.StateRequest(range));
        }
      }
    }
    transport.arm();
  }

  @Override
  public void askAgainIfLost() {
    if (askedIn != transport.generation()) {
      begin();
    }
  }

  @Override
  public boolean takes(Message message) {
    if (message.body() instanceof ReplicaCopyBody.StateRequest request) {
      answer(message.origin(), request.range());
    } else if (message.body() instanceof ReplicaCopyBody.Part part && part.vector() > 0) {
      shards.take(part.vector() - 1, part.range(), part.payload().dense());
      message.release();
    } else {
      return false;
    }
    return true;
  }

  private void answer(int to, Range range) {
    for (StatePiece piece : shards.pieces(range)) {
      Range both = piece.range().common(range);
      for (int i = 0; i < both.chunks(chunkLength); i++) {
        Range chunk = both.chunk(i, chunkLength);
        for (int vector = 0; vector < shards.vectors(); vector++) {
          Payload values = Payload.of(piece.part(vector, chunk));
          send(to, new ReplicaCopyBody.Part(vector + 1, chunk, values));
        }
      }
    }
  }

  private void send(int to, ReplicaCopyBody body) {
    transport.handOver(new Message(rank, to, view.round(), body));
  }

  // ---- links -----------------------------------------------------------------------------------

  @Override
  public int[] neighbours() {
    return neighbours.clone();
  }
}
