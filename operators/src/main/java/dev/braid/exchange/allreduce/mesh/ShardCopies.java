package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.shards.BackupCopy;
import dev.braid.exchange.allreduce.shards.UpdaterShards;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Collective.Completion;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.Group;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The phases in which owners send the updater's state over what they have stepped to their backups,
 * and hear that it is there; before that nobody gets the weights. One phase for each vector of the
 * state, and one back.
 */
final class ShardCopies {

  /** What a message says that has nothing to say but of which chunk it is. */
  private static final Slice NOTHING = Slice.view(new float[1], 0, 1);

  private final UpdaterShards shards;
  private final Communicator all;
  private final int backup;
  private final int firstPhase;

  /** By the start of a chunk of the own shard: what is done when its copy is there. */
  private final Map<Integer, Runnable> waiting = new HashMap<>();

  /** By owner, and start of a chunk of its shard: how many vectors have come. */
  private final Map<Integer, Map<Integer, Integer>> come = new HashMap<>();

  /**
   * One rank's.
   *
   * @param backup who has the copy of this rank's shard; its own number if nobody has
   * @param firstPhase behind those of the plan
   */
  ShardCopies(UpdaterShards shards, Communicator all, int backup, int firstPhase) {
    this.shards = shards;
    this.all = all;
    this.backup = backup;
    this.firstPhase = firstPhase;
  }

  /** The operations of all phases. */
  List<Collective> operations() {
    List<Collective> operations = new ArrayList<>();
    for (int vector = 0; vector < shards.vectors(); vector++) {
      operations.add(new Receiving(vector));
    }
    operations.add(this::copied);
    return operations;
  }

  /** A chunk of the own shard is stepped: goes on when its state has a copy. */
  void stepped(Range chunk, long samples, Completion next) {
    if (backup == all.group().rank() || shards.vectors() == 0) {
      next.complete(chunk, samples);
      return;
    }
    waiting.put(chunk.start(), () -> next.complete(chunk, samples));
    for (int vector = 0; vector < shards.vectors(); vector++) {
      with(backup, firstPhase + vector)
          .handPartial(1, chunk, samples, Payload.of(shards.state(vector, chunk)));
    }
  }

  private Communicator with(int other, int phase) {
    int rank = all.group().rank();
    return all.among(Group.of(rank, rank, other), phase);
  }

  private void copied(int from, Sum sum) {
    sum.payload().release();
    Runnable next = waiting.remove(sum.range().start());
    if (next == null || from != backup) {
      throw new IllegalArgumentException(
          "rank %d has copied a chunk from %d on, which it was not sent"
              .formatted(from, sum.range().start()));
    }
    next.run();
  }

  /** A vector of others' shards. */
  private final class Receiving implements Collective {
    private final int vector;

    Receiving(int vector) {
      this.vector = vector;
    }

    @Override
    public void receive(int from, Sum sum) {
      Range chunk = sum.range();
      BackupCopy copy =
          shards
              .backup(from)
              .filter(kept -> kept.range().contains(chunk))
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "state of rank %d over %s, of which no copy is here"
                              .formatted(from, chunk)));
      copy.take(vector, chunk, sum.payload(), shards.rounds() + 1);
      sum.payload().release();
      Map<Integer, Integer> vectors = come.computeIfAbsent(from, owner -> new HashMap<>());
      if (vectors.merge(chunk.start(), 1, Integer::sum) == shards.vectors()) {
        vectors.remove(chunk.start());
        Range mark = new Range(chunk.start(), chunk.start() + 1);
        with(from, firstPhase + shards.vectors())
            .handFinished(1, mark, sum.samples(), Payload.of(NOTHING));
      }
    }

    @Override
    public void rollBack() {
      waiting.clear();
      come.clear();
    }
  }
}
