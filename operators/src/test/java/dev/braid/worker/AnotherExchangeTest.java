package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.exchange.Roles;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.loop.LoopSimulation;
import dev.braid.loop.LoopSimulation.Rates;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.vector.Range;
import dev.braid.worker.MovedTrainer.Saved;
import dev.braid.worker.state.Holding;
import dev.braid.worker.state.Replica;
import dev.braid.worker.state.ReplicaPart;
import dev.braid.worker.state.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/**
 * A run is saved under one exchange and goes on under another, for all pairs of them, and with or
 * without a rule that may stop it, as before or not: it comes to its end, uses every sample once in
 * each epoch, and no gradient is lost or added twice.
 */
class AnotherExchangeTest {

  private static final int EPOCHS = 3;
  private static final int SAMPLES = 37;
  private static final int BATCH = 3;
  private static final int STEPS = 200_000;

  /** Has ranks wait for a verdict at the end of each epoch, which is never to stop. */
  private static final StoppingRule NEVER_REACHED = new StoppingRule(Double.NaN, EPOCHS + 1);

  /** What a run was when it was saved. */
  private record Checkpoint(Way way, int workers, List<List<Batch>> batches, List<Saved> saved) {

    List<ReplicaPart> parts() {
      return saved.stream()
          .map(
              rank -> {
                try {
                  return ReplicaPart.fromBytes(rank.part());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .toList();
    }

    List<List<Batch>> used() {
      List<List<Batch>> used = new ArrayList<>();
      for (int rank = 0; rank < workers; rank++) {
        used.add(batches.get(rank).subList(0, saved.get(rank).used()));
      }
      return used;
    }

    List<List<Batch>> left() {
      List<List<Batch>> left = new ArrayList<>();
      for (int rank = 0; rank < workers; rank++) {
        List<Batch> all = batches.get(rank);
        left.add(all.subList(saved.get(rank).used(), all.size()));
      }
      return left;
    }

    boolean isInStep() {
      return left().stream().mapToInt(List::size).distinct().count() == 1;
    }
  }

  /** Ends a simulation: its checkpoint is complete. */
  private static final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** All pairs in a try, with as many workers and with another number, other ones in each build. */
  @Property(tries = 1, shrinking = ShrinkingMode.OFF)
  void fromAnyExchangeToAny(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 4) int workers,
      @ForAll @IntRange(min = 1, max = 4) int others)
      throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    int dealtAnew = 0;
    for (Way before : Way.all()) {
      for (Way after : Way.all()) {
        Checkpoint checkpoint = run(before, workers, random);
        goOn(checkpoint, after, workers, random);
        goOn(checkpoint, after, others, random);
        dealtAnew += checkpoint.isInStep() ? 0 : 1;
      }
    }
    assertThat(dealtAnew > 0).as("some workers were apart").isEqualTo(workers > 1);
  }

  private static Checkpoint run(Way way, int workers, SplittableRandom random) throws Exception {
    int ranks = workers + way.dedicated();
    List<List<Batch>> batches = deal(fresh(), workers);
    while (true) {
      List<Saved> saved = runUntilSaved(way, ranks, batches, random.split());
      if (saved.size() == ranks) {
        return new Checkpoint(way, workers, batches, saved);
      }
    }
  }

  /** Nothing is saved where the run came to its end before its checkpoint. */
  private static List<Saved> runUntilSaved(
      Way way, int ranks, List<List<Batch>> batches, SplittableRandom random) throws Exception {
    int workers = batches.size();
    List<List<Batch>> shared = way.shared(batches);
    int until = 1 + random.nextInt(3);
    StoppingRule rule = rule(random);
    Map<Integer, Integer> snapshots = new TreeMap<>();
    Map<Integer, Saved> saved = new TreeMap<>();
    try {
      new LoopSimulation(
              ranks,
              random,
              rule,
              way.dedicated(),
              new Rates(0.03 / ranks, 0, 0, 0, 0),
              (rank, port, work, none) ->
                  new MovedTrainer(
                      role(way, rank, ranks),
                      way,
                      rule.mayStop(),
                      port,
                      work,
                      Optional.empty(),
                      rank < workers ? shared.get(rank) : List.of(),
                      new TreeMap<>()) {
                    @Override
                    public Saved snapshot(boolean held) {
                      Saved own = super.snapshot(held);
                      if (snapshots.merge(rank, 1, Integer::sum) == until) {
                        saved.put(rank, own);
                      }
                      if (saved.size() == ranks) {
                        throw new Stop();
                      }
                      return own;
                    }
                  })
          .run(STEPS);
    } catch (Stop complete) {
      return List.copyOf(saved.values());
    }
    return List.of();
  }

  private static void goOn(Checkpoint checkpoint, Way way, int workers, SplittableRandom random)
      throws Exception {
    int ranks = workers + way.dedicated();
    String pair = checkpoint.way() + " " + checkpoint.workers() + " -> " + way + " " + workers;
    List<ReplicaPart> parts = checkpoint.parts();
    Role role = role(way, 0, ranks);
    boolean goesOn =
        workers == checkpoint.workers()
            && (role.isOfSameExchange(parts.get(0).role()) || checkpoint.isInStep());
    List<List<Batch>> batches =
        goesOn ? checkpoint.left() : deal(samples(checkpoint.left()), workers);
    List<List<Batch>> shared = way.shared(batches);
    Map<Integer, float[]> finished = new TreeMap<>();
    Map<Integer, Set<Integer>> evaluated = new TreeMap<>();
    StoppingRule rule = rule(random);
    new LoopSimulation(
            ranks,
            random.split(),
            rule,
            way.dedicated(),
            new Rates(0.01 / ranks, 0.02, 0, 0, 0),
            (rank, port, work, none) -> {
              MovedTrainer trainer =
                  new MovedTrainer(
                      role(way, rank, ranks),
                      way,
                      rule.mayStop(),
                      port,
                      work,
                      Optional.of(replica(parts, role(way, rank, ranks))),
                      rank < workers ? shared.get(rank) : List.of(),
                      finished);
              evaluated.put(rank, trainer.evaluated());
              return trainer;
            })
        .run(STEPS);

    assertThat(finished).as(pair).hasSize(workers);
    checkModels(pair, checkpoint, parts, way, batches, finished);
    Map<Integer, Set<Integer>> all = new TreeMap<>(samples(checkpoint.used()));
    samples(batches).forEach((epoch, ids) -> union(pair, all, epoch, ids));
    assertThat(all).as(pair).isEqualTo(fresh());
    checkEvaluations(pair, checkpoint, evaluated, workers, goesOn);
  }

  private static StoppingRule rule(SplittableRandom random) {
    return random.nextBoolean() ? NEVER_REACHED : StoppingRule.NONE;
  }

  /**
   * No gradient is lost, and none is added twice, neither before nor after; but for gossip, whose
   * means depend on the moment.
   */
  private static void checkModels(
      String pair,
      Checkpoint checkpoint,
      List<ReplicaPart> parts,
      Way way,
      List<List<Batch>> batches,
      Map<Integer, float[]> finished) {
    Role first = role(way, 0, finished.size() + way.dedicated());
    float[] saved =
        parts.get(0).holding() == Holding.REPLICA
            ? mean(parts)
            : replica(parts, first).vectors()[0];
    if (checkpoint.way().exchange() != ExchangeType.GOSSIP) {
      float[] sum = sum(checkpoint.way(), checkpoint.used());
      assertThat(saved).as(pair + ": saved").containsExactly(sum, within(1e-3f));
    }
    if (way.exchange() != ExchangeType.GOSSIP) {
      float[] expected = sum(way, batches);
      for (int i = 0; i < expected.length; i++) {
        expected[i] += saved[i];
      }
      for (float[] weights : finished.values()) {
        assertThat(weights).as(pair).containsExactly(expected, within(1e-3f));
      }
    }
    if (way.isSynchronous() || way.exchange() == ExchangeType.PS) {
      for (float[] weights : finished.values()) {
        assertThat(weights).as(pair).isEqualTo(finished.get(0));
      }
    }
  }

  /** Each epoch is evaluated by all workers: of the run before, of the one after, or of both. */
  private static void checkEvaluations(
      String pair,
      Checkpoint checkpoint,
      Map<Integer, Set<Integer>> evaluated,
      int workers,
      boolean goesOn) {
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      Set<Integer> before = new TreeSet<>();
      Set<Integer> after = new TreeSet<>();
      for (int rank = 0; rank < checkpoint.workers(); rank++) {
        if (checkpoint.saved().get(rank).evaluated().contains(epoch)) {
          before.add(rank);
        }
      }
      for (int rank = 0; rank < workers; rank++) {
        if (evaluated.get(rank).contains(epoch)) {
          after.add(rank);
        }
      }
      String which = pair + ": epoch " + epoch + " evaluated by " + before + " and " + after;
      if (goesOn) {
        assertThat(Collections.disjoint(before, after)).as(which).isTrue();
        assertThat(before.size() + after.size()).as(which).isEqualTo(workers);
      } else {
        assertThat(before.size() == checkpoint.workers() || after.size() == workers)
            .as(which)
            .isTrue();
      }
    }
  }

  private static Role role(Way way, int rank, int ranks) {
    return new Role(
        rank,
        new Roles(ranks, ranks - way.dedicated()),
        BATCH,
        way.exchange().stateFormat(MovedTrainer.options(way, ranks, BATCH)));
  }

  private static Replica replica(List<ReplicaPart> parts, Role role) {
    try {
      return Replica.of(parts, role);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of all ranks' own replicas. */
  private static float[] mean(List<ReplicaPart> parts) {
    float[] mean = new float[MovedTrainer.LENGTH];
    for (ReplicaPart part : parts) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += part.vectors()[0][i] / parts.size();
      }
    }
    return mean;
  }

  /** What these batches change the model by: means of models have of each gradient a part. */
  private static float[] sum(Way way, List<List<Batch>> batches) {
    float[] sum = new float[MovedTrainer.LENGTH];
    int parts = way.exchange() == ExchangeType.AVERAGING ? batches.size() : 1;
    samples(batches)
        .forEach(
            (epoch, ids) -> {
              for (int id : ids) {
                for (int i = 0; i < sum.length; i++) {
                  sum[i] -= (float) MovedTrainer.gradient(epoch, id, i) / parts;
                }
              }
            });
    return sum;
  }

  // ---- data ------------------------------------------------------------------------------------

  private static Map<Integer, Set<Integer>> fresh() {
    Map<Integer, Set<Integer>> all = new TreeMap<>();
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      for (int id = 0; id < SAMPLES; id++) {
        union("", all, epoch, Set.of(id));
      }
    }
    return all;
  }

  private static void union(
      String of, Map<Integer, Set<Integer>> all, int epoch, Set<Integer> ids) {
    for (int id : ids) {
      assertThat(all.computeIfAbsent(epoch, key -> new TreeSet<>()).add(id))
          .as("%s: sample %d of epoch %d is used once", of, id, epoch)
          .isTrue();
    }
  }

  /** By epoch; those of which batches of no samples are left, too. */
  private static Map<Integer, Set<Integer>> samples(List<List<Batch>> batches) {
    Map<Integer, Set<Integer>> samples = new TreeMap<>();
    for (List<Batch> own : batches) {
      for (Batch batch : own) {
        samples.computeIfAbsent(batch.epoch(), key -> new TreeSet<>());
        for (int id : batch.ids()) {
          union("", samples, batch.epoch(), Set.of(id));
        }
      }
    }
    return samples;
  }

  /** As the source deals: what is left of each epoch in equal shares, and equally many batches. */
  private static List<List<Batch>> deal(Map<Integer, Set<Integer>> samples, int workers) {
    List<List<Batch>> dealt = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      List<Batch> own = new ArrayList<>();
      for (Map.Entry<Integer, Set<Integer>> epoch : samples.entrySet()) {
        int[] ids = epoch.getValue().stream().mapToInt(Integer::intValue).toArray();
        Range share = Range.ofLength(ids.length).part(worker, workers);
        int longest = (ids.length + workers - 1) / workers;
        int count = Math.max(1, (longest + BATCH - 1) / BATCH);
        for (int i = 0; i < count; i++) {
          int start = Math.min(share.end(), share.start() + i * BATCH);
          int end = Math.min(share.end(), start + BATCH);
          int[] batch = Arrays.copyOfRange(ids, start, end);
          own.add(
              new Batch(
                  epoch.getKey(), batch, Features.NONE, new int[batch.length], i == count - 1));
        }
      }
      dealt.add(own);
    }
    return dealt;
  }
}
