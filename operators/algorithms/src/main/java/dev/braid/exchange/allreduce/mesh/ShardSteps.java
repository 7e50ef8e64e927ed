package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.shards.UpdaterShards;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Collective.Completion;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import java.util.Optional;

/**
 * The steps over the own shard, and the phase for backups of shards. Owners send the sums along
 * which they take steps to their backups, which are owners, too. Each rank sends the last chunk of
 * its weights only when it has all sums that it must keep. A rank that has all weights therefore
 * knows that all sums are at two ranks, and no rank has to wait for an answer.
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

  /** Number of elements of other ranks' sums that this rank must keep in a round. */
  private final int toKeep;

  /** Number of those elements that have arrived. */
  private int kept;

  /** Number of elements of the own shard that are stepped. */
  private int stepped;

  /** Action that sends the last chunk of the own shard, while it waits for sums to keep. */
  private Optional<Runnable> last = Optional.empty();

  /**
   * Creates one rank's steps. Their phase follows those of the plan.
   *
   * @param sums the sums of all ranks, which the new weights overwrite
   * @param sent memory for the sums over the own shard that are sent to the backup; overwritten
   *     only in the next round
   */
  ShardSteps(UpdaterShards shards, Communicator all, float[] sums, float[] sent, MeshShards plan) {
    this.shards = shards;
    this.all = all;
    this.sums = sums;
    this.sent = sent;
    this.rank = all.rank();
    // An optimiser without state needs no backup.
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
      all.among(phase, rank, backup).handPartial(1, chunk, samples, sent);
    }
    shards.step(chunk, sums, samples);
    stepped += chunk.length();
    if (stepped == toStep) {
      last = Optional.of(() -> finish(chunk, samples, next));
      finishLast();
    } else {
      finish(chunk, samples, next);
    }
  }

  private void finish(Range chunk, long samples, Completion next) {
    shards.writeWeights(chunk, sums);
    next.complete(chunk, samples);
  }

  private void finishLast() {
    if (last.isPresent() && kept == toKeep) {
      Runnable finish = last.get();
      rollBack();
      finish.run();
    }
  }

  /** Handles a chunk of another rank's sum. */
  @Override
  public void receive(int from, Sum sum) {
    shards.keep(from, sum.range(), sum.payload(), sum.samples());
    sum.payload().release();
    kept += sum.range().length();
    finishLast();
  }

  @Override
  public void rollBack() {
    last = Optional.empty();
    kept = 0;
    stepped = 0;
  }
}
