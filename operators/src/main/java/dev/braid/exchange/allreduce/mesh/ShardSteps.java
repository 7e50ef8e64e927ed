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
import java.util.Optional;

/**
 * The steps over the own shard, and two phases for the copies of shards: owners send the sums that
 * they take steps along to their backups, which are owners, too; each of them gives the last chunk
 * of its weights away only when it has all sums that it is to keep. So who has all weights knows
 * that all sums are at two ranks, and nobody has waited for an answer. A backup that is no owner,
 * where there is no other, answers, and its owner waits for that with each chunk.
 */
final class ShardSteps implements MeshPhases.AtTheSum {

  /** What a message says that has nothing to say but of which chunk it is. */
  private static final Slice NOTHING = Slice.view(new float[1], 0, 1);

  private final UpdaterShards shards;
  private final Communicator all;
  private final float[] sums;
  private final float[] sent;
  private final MeshShards plan;
  private final int rank;
  private final int backup;
  private final int firstPhase;

  /** How many elements of others' sums are to be kept in a round. */
  private final int toKeep;

  /** How many of them are here. */
  private int kept;

  /** How many elements of the own shard are stepped. */
  private int stepped;

  /** The last chunk of the own shard, until all is here that is to be kept. */
  private Optional<Runnable> last = Optional.empty();

  /** By the start of a chunk of the own shard: what is done when the backup has answered. */
  private final Map<Integer, Runnable> unanswered = new HashMap<>();

  /**
   * One rank's.
   *
   * @param sums of all; and where the weights are written then
   * @param sent where sums are that backups are sent, over the own shard; written again in the next
   *     round only
   */
  ShardSteps(
      UpdaterShards shards, Communicator all, float[] sums, float[] sent, MeshShards plan) {
    this.shards = shards;
    this.all = all;
    this.sums = sums;
    this.sent = sent;
    this.plan = plan;
    this.rank = all.group().rank();
    this.backup = plan.backup(rank);
    this.firstPhase = plan.stages().phases();
    this.toKeep =
        shards.vectors() == 0
            ? 0
            : plan.copiedAt(rank).stream().mapToInt(of -> of.range().length()).sum();
  }

  /** The operations of both phases, behind those of the plan. */
  List<Collective> operations() {
    return List.of(new Kept(), this::answered);
  }

  @Override
  public void summed(Range chunk, long samples, Completion next) {
    boolean hasBackup = backup != rank && shards.vectors() > 0;
    if (hasBackup) {
      System.arraycopy(sums, chunk.start(), sent, chunk.start(), chunk.length());
      with(backup, firstPhase).handPartial(1, chunk, samples, Payload.view(sent, chunk));
    }
    shards.step(chunk, sums, samples);
    stepped += chunk.length();
    boolean isLast = stepped == plan.shard(rank).length();
    Runnable goOn =
        () -> {
          shards.writeWeights(chunk, sums);
          next.complete(chunk, samples);
        };
    if (hasBackup && plan.shard(backup).isEmpty()) {
      unanswered.put(chunk.start(), () -> goOn(goOn, isLast));
    } else {
      goOn(goOn, isLast);
    }
  }

  private void goOn(Runnable goOn, boolean isLast) {
    if (isLast) {
      last = Optional.of(goOn);
      goOnWithTheLast();
    } else {
      goOn.run();
    }
  }

  private void goOnWithTheLast() {
    if (last.isPresent() && kept == toKeep) {
      Runnable goOn = last.get();
      forget();
      goOn.run();
    }
  }

  private void forget() {
    last = Optional.empty();
    kept = 0;
    stepped = 0;
  }

  private Communicator with(int other, int phase) {
    return all.among(Group.of(rank, rank, other), phase);
  }

  private void answered(int from, Sum mark) {
    mark.payload().release();
    Runnable next = unanswered.remove(mark.range().start());
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
      shards.keep(from, chunk, sum.payload(), sum.samples());
      sum.payload().release();
      kept += chunk.length();
      if (!plan.shard(rank).isEmpty()) {
        goOnWithTheLast();
        return;
      }
      if (kept == toKeep) {
        forget();
      }
      Range mark = new Range(chunk.start(), chunk.start() + 1);
      with(from, firstPhase + 1).handFinished(1, mark, sum.samples(), Payload.of(NOTHING));
    }

    @Override
    public void rollBack() {
      unanswered.clear();
      forget();
    }
  }
}
