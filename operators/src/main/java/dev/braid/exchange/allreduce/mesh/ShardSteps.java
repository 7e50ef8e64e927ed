package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.shards.UpdaterShards;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Collective.Completion;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.Group;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The steps over the own shard, and two phases for the copies of shards: owners send the sums that
 * they take steps along to their backups, and hear that they are there; before that nobody gets the
 * weights. While the sum is under way, its owner takes the step.
 */
final class ShardSteps implements MeshPhases.AtTheSum {

  /** What a message says that has nothing to say but of which chunk it is. */
  private static final Slice NOTHING = Slice.view(new float[1], 0, 1);

  private final UpdaterShards shards;
  private final Communicator all;
  private final float[] sums;
  private final int backup;
  private final int firstPhase;

  /** By the start of a chunk of the own shard: what is done when its sum is at the backup. */
  private final Map<Integer, Runnable> waiting = new HashMap<>();

  /**
   * One rank's.
   *
   * @param sums of all; and where the weights are written then
   * @param backup who has the copy of this rank's shard; its own number if nobody has
   * @param firstPhase behind those of the plan
   */
  ShardSteps(UpdaterShards shards, Communicator all, float[] sums, int backup, int firstPhase) {
    this.shards = shards;
    this.all = all;
    this.sums = sums;
    this.backup = backup;
    this.firstPhase = firstPhase;
  }

  /** The operations of both phases. */
  List<Collective> operations() {
    return List.of(new Kept(), this::kept);
  }

  @Override
  public void summed(Range chunk, long samples, Completion next) {
    if (backup == all.group().rank() || shards.vectors() == 0) {
      shards.step(chunk, sums, samples);
      goOn(chunk, samples, next);
      return;
    }
    // The sum stays where it is until the backup has it.
    waiting.put(chunk.start(), () -> goOn(chunk, samples, next));
    with(backup, firstPhase).handPartial(1, chunk, samples, Payload.view(sums, chunk));
    shards.step(chunk, sums, samples);
  }

  private void goOn(Range chunk, long samples, Completion next) {
    shards.writeWeights(chunk, sums);
    next.complete(chunk, samples);
  }

  private Communicator with(int other, int phase) {
    int rank = all.group().rank();
    return all.among(Group.of(rank, rank, other), phase);
  }

  private void kept(int from, Sum mark) {
    mark.payload().release();
    Runnable next = waiting.remove(mark.range().start());
    if (next == null || from != backup) {
      throw new IllegalArgumentException(
          "rank %d has kept a sum from %d on, which it was not sent"
              .formatted(from, mark.range().start()));
    }
    next.run();
  }

  /** Others' sums, which are kept here. */
  private final class Kept implements Collective {

    @Override
    public void receive(int from, Sum sum) {
      Range chunk = sum.range();
      // Who waits for it is told first: the one before goes into the state meanwhile.
      Range mark = new Range(chunk.start(), chunk.start() + 1);
      with(from, firstPhase + 1).handFinished(1, mark, sum.samples(), Payload.of(NOTHING));
      shards.keep(from, chunk, sum.payload(), sum.samples());
      sum.payload().release();
    }

    @Override
    public void rollBack() {
      waiting.clear();
    }
  }
}
