package dev.braid.worker;

import static dev.braid.worker.SimulatedTrainer.EPOCHS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.learner.Batch;
import dev.braid.loop.LoopPort;
import dev.braid.loop.LoopSimulation;
import dev.braid.loop.LoopSimulation.Rates;
import dev.braid.loop.SimulatedWork;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.worker.SimulatedTrainer.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Trees that are chosen anew at epochs' ends ({@code coded --plan auto}), where checkpoints fall
 * between the end of an epoch and the choice of the next tree, or within an epoch, and all ranks
 * fail later and go on from them: no batch of the next epoch comes before the choice, which is the
 * one that was made before the failure, and the sums are right.
 */
class PlannedRestoreTest {

  /** How often ranks fail that have gone on from one checkpoint, or taken it. */
  private static final int FAILURES_OF_A_CHECKPOINT = 2;

  private static final int MOST_FAILURES = 6;
  private static final int TRAININGS = 15;

  /** How long after the choice ranks fail, in steps of the simulation. */
  private static final int MOST_DELAY_STEPS = 300;

  /** A tree, as it is told. */
  private record Tree(int children, int stragglers) {
    static Tree of(CodeTree codes) {
      return new Tree(codes.tree().children(), codes.stragglers());
    }
  }

  /** One training, with all its failures. */
  private static final class Training {
    final SplittableRandom random;
    final Way way;
    final int workers;
    final Map<Integer, SimulatedTrainer> ranks = new TreeMap<>();
    final Outcome outcome = new Outcome();

    /** By epoch: what it is trained with since the last failure. */
    Map<Integer, Tree> trees = new HashMap<>();

    /** The epoch that was under way, or next, at the last checkpoint, and its tree if one knows. */
    int savedEpoch = -1;

    Optional<Tree> ofSavedEpoch = Optional.empty();
    boolean isSavedOpen;

    /** By rank: whether its last snapshot was without the next epoch's tree. */
    final Map<Integer, Boolean> wasOpen = new HashMap<>();

    final Map<Integer, Integer> epochsAtSnapshot = new HashMap<>();

    LoopSimulation simulation;
    int seenCheckpoints;
    int failuresLeft;
    long failAtStep = Long.MAX_VALUE;
    int openCheckpoints;
    int restoredOpen;
    int sameChoices;
    int sameTrees;
    boolean isFirstTree = true;

    Training(long seed, Way way, int workers) {
      this.random = new SplittableRandom(seed);
      this.way = way;
      this.workers = workers;
    }

    void run() throws Exception {
      int all = workers + way.dedicated();
      simulation =
          new LoopSimulation(
              all,
              random.split(),
              StoppingRule.NONE,
              way.dedicated(),
              new Rates(0.01 / all, 0.001, 0, 0, 0),
              (rank, port, work, snapshots) -> {
                Watched trainer = new Watched(this, rank, all, port, work, snapshots);
                ranks.put(rank, trainer);
                restoredOpen += trainer.awaitsTree() ? 1 : 0;
                return trainer;
              });
      simulation.checkpointWhen(
          () ->
              ranks.values().stream().anyMatch(SimulatedTrainer::awaitsTree)
                  && random.nextInt(20) == 0);
      simulation.failWhen(this::isTimeToFail);
      simulation.run(1_000_000);
    }

    private boolean isTimeToFail() {
      if (simulation.completedCheckpoints() > seenCheckpoints) {
        seenCheckpoints = simulation.completedCheckpoints();
        checkpointIsComplete();
      }
      if (simulation.steps() < failAtStep || simulation.failures() >= MOST_FAILURES) {
        return false;
      }
      failuresLeft--;
      failAtStep = Long.MAX_VALUE;
      trees = new HashMap<>();
      return true;
    }

    private void checkpointIsComplete() {
      int epoch = epochsAtSnapshot.values().stream().mapToInt(it -> it).max().orElseThrow();
      if (epoch != savedEpoch) {
        savedEpoch = epoch;
        ofSavedEpoch = Optional.ofNullable(trees.get(epoch));
      }
      isSavedOpen = epoch < EPOCHS && wasOpen.values().stream().anyMatch(it -> it);
      openCheckpoints += isSavedOpen ? 1 : 0;
      boolean fails = isSavedOpen || random.nextInt(4) == 0;
      failuresLeft = fails ? FAILURES_OF_A_CHECKPOINT : 0;
      failAtStep = Long.MAX_VALUE;
      if (fails && (random.nextBoolean() || ofSavedEpoch.isPresent())) {
        // Before anything is chosen, or when it is chosen already.
        failAtStep = simulation.steps() + random.nextInt(MOST_DELAY_STEPS);
      }
    }

    void treeIs(int rank, int epoch, Tree tree) {
      Tree known = trees.putIfAbsent(epoch, tree);
      assertThat(known == null || known.equals(tree))
          .as("epoch %d has %s at rank %d, and %s elsewhere", epoch, tree, rank, known)
          .isTrue();
      isFirstTree &= tree.equals(trees.getOrDefault(0, tree));
      if (known != null || epoch != savedEpoch) {
        return;
      }
      ofSavedEpoch.ifPresent(
          before -> {
            assertThat(tree).as("the tree of epoch %d, after a restore", epoch).isEqualTo(before);
            sameChoices += isSavedOpen ? 1 : 0;
            sameTrees += isSavedOpen ? 0 : 1;
          });
      ofSavedEpoch = Optional.of(tree);
      if (failuresLeft > 0 && failAtStep == Long.MAX_VALUE) {
        failAtStep = simulation.steps() + random.nextInt(MOST_DELAY_STEPS);
      }
    }
  }

  /** A rank that tells what it has to do with trees. */
  private static final class Watched extends SimulatedTrainer {
    private final Training training;
    private final int rank;
    private int endedEpochs;

    Watched(
        Training training,
        int rank,
        int ranks,
        LoopPort port,
        SimulatedWork work,
        List<Object> snapshots) {
      super(rank, ranks, training.way, false, port, work, snapshots, training.outcome);
      this.training = training;
      this.rank = rank;
    }

    @Override
    public void planned(Optional<CodeTree> codes, int earlierEpochs) {
      super.planned(codes, earlierEpochs);
      endedEpochs = codes.isPresent() ? earlierEpochs - 1 : earlierEpochs;
      // A root of its own has no epochs.
      if (codes.isPresent() && rank < training.workers) {
        training.treeIs(rank, endedEpochs, Tree.of(codes.get()));
      }
    }

    @Override
    public void computeGradient(
        Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then) {
      assertThat(awaitsTree()).as("a gradient before its tree is known").isFalse();
      super.computeGradient(batch, weights, gradient, then);
    }

    @Override
    public Object snapshot(boolean held) {
      training.wasOpen.put(rank, awaitsTree());
      training.epochsAtSnapshot.put(rank, endedEpochs);
      return super.snapshot(held);
    }
  }

  @Property(tries = 25)
  void theChoiceAfterARestoreIsTheOneBefore_andNoBatchComesBeforeIt(
      @ForAll long seed,
      @ForAll @IntRange(min = 3, max = 7) int workers,
      @ForAll boolean hasRootOfItsOwn)
      throws Exception {
    trained(seed, workers, hasRootOfItsOwn);
  }

  /** Which trainings these are does not change, and so neither does what happens in them. */
  @Example
  void checkpointsAndFailuresFallEverywhere() throws Exception {
    Map<String, Integer> happened = new TreeMap<>();
    for (int seed = 1; seed <= TRAININGS; seed++) {
      Training training = trained(seed, 3 + seed % 5, seed % 2 == 0);
      count(happened, "a checkpoint before the choice", training.openCheckpoints > 0);
      count(happened, "restored before the choice", training.restoredOpen > 0);
      count(happened, "the same choice again", training.sameChoices > 0);
      count(happened, "the same tree, within an epoch", training.sameTrees > 0);
      count(happened, "another tree than the first", !training.isFirstTree);
    }
    System.out.println("of " + TRAININGS + " trainings: " + happened);
    assertThat(happened).hasSize(5).allSatisfy((what, times) -> assertThat(times).isPositive());
  }

  private static void count(Map<String, Integer> happened, String what, boolean hasHappened) {
    happened.merge(what, hasHappened ? 1 : 0, Integer::sum);
  }

  private static Training trained(long seed, int workers, boolean hasRootOfItsOwn)
      throws Exception {
    Way way =
        new Way(ExchangeType.CODED, ServerOptions.DEFAULT, CodedOptions.Plan.AUTO, hasRootOfItsOwn);
    Training training = new Training(seed, way, workers);
    training.run();

    Outcome calm = calm(way, workers);
    TrainerUnderCheckpointsTest.check(training.outcome, workers, false);
    float[] first = training.outcome.weights().get(0);
    for (float[] weights : training.outcome.weights().values()) {
      assertThat(weights).isEqualTo(first);
    }
    assertThat(first).containsExactly(calm.weights().get(0), within(1e-4f));
    return training;
  }

  private static Outcome calm(Way way, int workers) throws Exception {
    Outcome outcome = new Outcome();
    int all = workers + way.dedicated();
    new LoopSimulation(
            all,
            new SplittableRandom(1),
            StoppingRule.NONE,
            way.dedicated(),
            Rates.CALM,
            (rank, port, work, snapshots) ->
                new SimulatedTrainer(rank, all, way, false, port, work, snapshots, outcome))
        .run(1_000_000);
    return outcome;
  }
}
