package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.shards.UpdaterShards;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Collective.Completion;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.Group;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import java.util.Optional;

/**
 * The steps over the own shard, and a phase for the copies of shards: owners send the sums that
 * they take steps along to their backups, which are owners, too. Each of them gives the last chunk
 * of its weights away only when it has all sums that it is to keep: so who has all weights knows
 * that all sums are at two ranks, and nobody has waited for an answer.
 */
final class ShardSteps implements MeshPhases.AtTheSum, Collective {

  private final UpdaterShards shards;
  private final Communicator all;
  private final float[] sums;
  private final float[] sent;
  private final int rank;
  private final int backup;
  private final int phase;
  private final int toStep;

  /** How many elements of others' sums are to be kept in a round. */
  private final int toKeep;

  /** How many of them are here. */
  private int kept;

  /** How many elements of the own shard are stepped. */
  private int stepped;

  /** The last chunk of the own shard, until all is here that is to be kept. */
  private Optional<Runnable> last = Optional.empty();

  /**
   * One rank's; its phase comes behind those of the plan.
   *
   * @param sums of all; and where the weights are written then
   * @param sent where sums are that backups are sent, over the own shard; written again in the next
   *     round only
   */
  ShardSteps(UpdaterShards shards, Communicator all, float[] sums, float[] sent, MeshShards plan) {
    this.shards = shards;
    this.all = all;
    this.sums = sums;
    this.sent = sent;
    this.rank = all.group().rank();
    // An optimiser without a state has nothing to keep.
    this.backup = shards.vectors() == 0 ? rank : plan.backup(rank);
    this.phase = plan.stages().phases();
    this.toStep = plan.shard(rank).length();
    this.toKeep =
        shards.vectors() == 0
            ? 0
            : plan.copiedAt(rank).stream().mapToInt(of -> of.range().length()).sum();
  }

  @Override
  public void summed(Range chunk, long samples, Completion next) {
    if (backup != rank) {
      System.arraycopy(sums, chunk.start(), sent, chunk.start(), chunk.length());
      all.among(Group.of(rank, rank, backup), phase)
          .handPartial(1, chunk, samples, Payload.view(sent, chunk));
    }
    shards.step(chunk, sums, samples);
    stepped += chunk.length();
    if (stepped == toStep) {
      last = Optional.of(() -> goOn(chunk, samples, next));
      goOnWithTheLast();
    } else {
      goOn(chunk, samples, next);
    }
  }

  private void goOn(Range chunk, long samples, Completion next) {
    shards.writeWeights(chunk, sums);
    next.complete(chunk, samples);
  }

  private void goOnWithTheLast() {
    if (last.isPresent() && kept == toKeep) {
      Runnable goOn = last.get();
      rollBack();
      goOn.run();
    }
  }

  /** A chunk of another's sum. */
  @Override
  public void receive(int from, Sum sum) {
    shards.keep(from, sum.range(), sum.payload(), sum.samples());
    sum.payload().release();
    kept += sum.range().length();
    goOnWithTheLast();
  }

  @Override
  public void rollBack() {
    last = Optional.empty();
    kept = 0;
    stepped = 0;
  }
}
