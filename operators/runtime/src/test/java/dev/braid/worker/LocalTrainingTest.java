package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.averaging.AveragingDescriptor;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ShardedUpdates;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.learner.Batch;
import dev.braid.learner.Origin;
import dev.braid.learner.optimiser.EpochSchedule;
import dev.braid.learner.optimiser.EpochSchedule.Step;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.worker.LocalTraining.RoundResult;
import dev.braid.worker.WorkerConfig.ModelSource;
import dev.braid.worker.state.ReplicaPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LocalTrainingTest {

  /** Chunk length that divides messages into several chunks of unequal length. */
  private static final int CHUNK = 7;

  /** An exchange with options, and the optimiser of the model. */
  private record Setting(
      ExchangeType type, UnaryOperator<ExchangeOptions> choice, String updater, String name) {

    ExchangeOptions options(int workers) {
      return choice.apply(ExchangeOptions.defaults(workers)).withBatch(SmallBatches.SIZE);
    }

    WorkerConfig config(int workers) {
      return LocalTrainingTest.config(type, options(workers), new SmallModel(updater));
    }

    @Override
    public String toString() {
      return "%s %s, %s".formatted(type, name, updater);
    }
  }

  private static Setting setting(ExchangeType type, String updater) {
    return new Setting(type, options -> options, updater, "");
  }

  private static Setting compressing(ExchangeType type, String codec) {
    return new Setting(
        type,
        options -> options.with(Compression.OPTION, Compression.of(codec)),
        "momentum",
        codec);
  }

  private static WorkerConfig config(
      ExchangeType type, ExchangeOptions options, ModelSource model) {
    return new WorkerConfig(
        type,
        options,
        CHUNK,
        model,
        () -> {
          throw new IOException("no test set is here");
        },
        StoppingRule.at(0.9));
  }

  static Stream<Setting> restored() {
    return Stream.of(
        setting(ExchangeType.RING, "momentum"),
        setting(ExchangeType.RING, "adam"),
        setting(ExchangeType.TREE, "momentum"),
        setting(ExchangeType.FT_TREE, "adam"),
        compressing(ExchangeType.RING, "threshold:20%"),
        compressing(ExchangeType.TREE, "top-k:0.3"),
        setting(ExchangeType.AVERAGING, "adam"),
        streaming(),
        servers(2),
        sharded(ExchangeType.RING, 0),
        sharded(ExchangeType.MESH, 1));
  }

  /** Returns an averaging with averages under way between rounds. */
  private static Setting streaming() {
    return new Setting(
        ExchangeType.AVERAGING,
        options ->
            options
                .with(AveragingDescriptor.INTERVAL, 3)
                .with(AveragingDescriptor.OUTER, AveragingDescriptor.Outer.NESTEROV)
                .with(AveragingDescriptor.FRAGMENTS, 2)
                .with(AveragingDescriptor.OVERLAP, 1)
                .with(Compression.OPTION, Compression.of("int4")),
        "momentum",
        "in fragments");
  }

  private static Setting servers(int dedicated) {
    return new Setting(
        ExchangeType.PS,
        options -> options.with(new ServerOptions(dedicated, Consistency.SYNC)),
        "momentum",
        "with " + dedicated + " servers");
  }

  private static Setting sharded(ExchangeType type, int copies) {
    return new Setting(
        type,
        options ->
            copies == 0
                ? options.with(ShardedUpdates.OPTION, true)
                : options.with(ShardedUpdates.OPTION, true).with(MeshDescriptor.COPIES, copies),
        "adam",
        "sharded");
  }

  static Stream<Setting> synchronous() {
    return Stream.of(
            ExchangeType.all().stream().map(type -> setting(type, "momentum")),
            restored(),
            Stream.of(
                compressing(ExchangeType.FT_TREE, "threshold:20%"),
                compressing(ExchangeType.MESH, "bf16"),
                compressing(ExchangeType.AVERAGING, "threshold:20%"),
                dedicatedRoot(ExchangeType.CODED),
                dedicatedRoot(ExchangeType.UNCODED)))
        .flatMap(settings -> settings)
        .filter(setting -> setting.type().isSynchronous(setting.options(4)));
  }

  private static Setting dedicatedRoot(ExchangeType type) {
    return new Setting(
        type,
        options -> options.with(ExchangeOptions.ROOT, ExchangeOptions.DEDICATED),
        "momentum",
        "with a dedicated root");
  }

  // ---- bits ------------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("synchronous")
  void everySynchronousExchange_trainsToTheSameBitsAgain(Setting setting) throws Exception {
    byte[] first;
    try (LocalTraining training = LocalTraining.begin(setting.config(4), 4)) {
      byte[] before = training.digest();
      train(training, setting, 4, 5);
      first = training.digest();
      assertThat(training.rounds()).isEqualTo(5);
      assertThat(first).isNotEqualTo(before);
    }
    try (LocalTraining training = LocalTraining.begin(setting.config(4), 4)) {
      train(training, setting, 4, 5);
      assertThat(training.digest()).isEqualTo(first);
    }
  }

  @ParameterizedTest
  @MethodSource("synchronous")
  void theLengthOfChunks_changesNoBits(Setting setting) throws Exception {
    WorkerConfig config = setting.config(4);
    WorkerConfig longer =
        new WorkerConfig(
            config.exchange(),
            config.options(),
            10 * CHUNK,
            config.model(),
            config.testSet(),
            config.stopping());
    try (LocalTraining training = LocalTraining.begin(config, 4);
        LocalTraining inLongerChunks = LocalTraining.begin(longer, 4)) {
      train(training, setting, 4, 5);
      train(inLongerChunks, setting, 4, 5);
      assertThat(inLongerChunks.digest()).isEqualTo(training.digest());
    }
  }

  static Stream<Setting> ofTheSum() {
    return Stream.of(
        setting(ExchangeType.TREE, "momentum"),
        setting(ExchangeType.FT_TREE, "momentum"),
        setting(ExchangeType.MESH, "momentum"),
        setting(ExchangeType.CODED, "momentum"),
        setting(ExchangeType.GRADIENT_CODING, "momentum"),
        setting(ExchangeType.UNCODED, "momentum"),
        dedicatedRoot(ExchangeType.CODED),
        servers(0),
        servers(2));
  }

  @ParameterizedTest
  @MethodSource("ofTheSum")
  void exchangesOfTheSum_trainWhatTheRingTrains(Setting setting) throws Exception {
    Setting ring = setting(ExchangeType.RING, "momentum");
    try (LocalTraining expected = LocalTraining.begin(ring.config(4), 4);
        LocalTraining training = LocalTraining.begin(setting.config(4), 4)) {
      List<RoundResult> losses = train(expected, ring, 4, 7);
      List<RoundResult> results = train(training, setting, 4, 7);

      assertThat(training.weights()).containsExactly(expected.weights(), within(1e-5f));
      for (int round = 0; round < losses.size(); round++) {
        assertThat(results.get(round).samples()).isEqualTo(losses.get(round).samples());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("restored")
  void aRestoredRun_endsWithTheBitsOfAnUndisturbedOne(Setting setting) throws Exception {
    byte[] undisturbed;
    try (LocalTraining training = LocalTraining.begin(setting.config(4), 4)) {
      train(training, setting, 4, 8);
      undisturbed = training.digest();
    }
    List<ReplicaPart> parts;
    try (LocalTraining training = LocalTraining.begin(setting.config(4), 4)) {
      train(training, setting, 4, 4);
      parts = training.save();
      train(training, setting, 4, 8);
      assertThat(training.digest()).as("of the run that was saved").isEqualTo(undisturbed);
    }
    for (int i = 0; i < 2; i++) {
      try (LocalTraining restored = LocalTraining.restore(setting.config(4), 4, parts)) {
        assertThat(restored.rounds()).isEqualTo(4);
        train(restored, setting, 4, 8);
        assertThat(restored.digest()).as("of a restored run").isEqualTo(undisturbed);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("restored")
  void anotherNumberOfWorkers_continuesWithTheModel(Setting setting) throws Exception {
    byte[] first = rescaled(setting);

    assertThat(rescaled(setting)).isEqualTo(first);
  }

  private static byte[] rescaled(Setting setting) throws IOException {
    try (LocalTraining four = LocalTraining.begin(setting.config(4), 4)) {
      train(four, setting, 4, 5);
      byte[] before = four.digest();
      try (LocalTraining three = four.withWorkers(3)) {
        if (setting.type() != ExchangeType.AVERAGING) {
          assertThat(three.digest()).isEqualTo(before);
        }
        assertThat(three.rounds()).isEqualTo(5);
        train(three, setting, 3, 9);
        assertThat(three.rounds()).isEqualTo(9);
        assertThat(four.digest()).as("of the run before").isEqualTo(before);
        return three.digest();
      }
    }
  }

  @Test
  void sumsOfWholeNumbersModel_areThoseByHand() throws Exception {
    int workers = 5;
    ExchangeOptions options = ExchangeOptions.defaults(workers);
    WholeNumbersModel model = new WholeNumbersModel(23);
    float[] weights = new float[23];
    model.learner().initialWeights(weights);
    try (LocalTraining training =
        LocalTraining.begin(config(ExchangeType.RING, options, model), workers)) {
      for (int round = 0; round < 6; round++) {
        List<Batch> batches = SmallBatches.of(round, workers);
        RoundResult result = training.round(batches);

        float[] sum = new float[weights.length];
        float[] gradient = new float[weights.length];
        double loss = 0;
        for (Batch batch : batches) {
          loss += model.learner().gradient(weights, batch, gradient);
          for (int i = 0; i < sum.length; i++) {
            sum[i] += gradient[i];
          }
        }
        for (int i = 0; i < sum.length; i++) {
          weights[i] -= sum[i];
        }
        assertThat(training.weights()).isEqualTo(weights);
        assertThat(result).isEqualTo(new RoundResult((long) workers * SmallBatches.SIZE, loss));
      }
    }
  }

  @Test
  void aBatchWithoutSamplesButScoredOnes_isAnEmptyOne() throws Exception {
    WorkerConfig config = setting(ExchangeType.RING, "adam").config(2);
    try (LocalTraining training = LocalTraining.begin(config, 2);
        LocalTraining expected = LocalTraining.begin(config, 2)) {
      for (int round = 0; round < 6; round++) {
        List<Batch> full = SmallBatches.of(round, 2);
        Batch scored = full.get(1);
        Batch none = scored.part(0, 0);
        Origin origin =
            new Origin(List.of(), scored.features(), scored.targets(), new long[0], 0, false);
        boolean isShort = round % 2 == 1;
        training.round(List.of(full.get(0), isShort ? none.from(origin) : scored));
        expected.round(List.of(full.get(0), isShort ? none : scored));
        assertThat(training.weights()).isEqualTo(expected.weights());
      }
    }
  }

  @Test
  void theLearningRatesSchedule_followsTheEpochsOfAsManyWorkersAsThereAre() throws Exception {
    Setting ring = setting(ExchangeType.RING, "sgd");
    // From the second epoch on, the rate is practically 0. An epoch has 3 steps with 4 workers, and
    // 6 steps with 2. After one step with 4 workers, four steps with 2 workers are left of the
    // first epoch.
    SmallModel model = new SmallModel("sgd", new EpochSchedule(new Step(1, 1e-30), 0, 10));
    WorkerConfig config = config(ExchangeType.RING, ring.options(4), model);
    try (LocalTraining four = LocalTraining.begin(config, 4)) {
      train(four, ring, 4, 1);
      try (LocalTraining two = four.withWorkers(2)) {
        train(two, ring, 2, 4);
        byte[] beforeLastStep = two.digest();
        train(two, ring, 2, 5);
        byte[] afterEpoch = two.digest();
        assertThat(afterEpoch).isNotEqualTo(beforeLastStep);
        train(two, ring, 2, 9);
        assertThat(two.digest()).isEqualTo(afterEpoch);
      }
    }
  }

  // ---- batches ---------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("restored")
  void ranksWithoutSamples_takePartInTheRound(Setting setting) throws Exception {
    try (LocalTraining training = LocalTraining.begin(setting.config(4), 4)) {
      List<Batch> some = new ArrayList<>(SmallBatches.of(0, 4));
      some.set(0, SmallBatches.empty());
      some.set(2, SmallBatches.empty());
      RoundResult result = training.round(some);

      assertThat(result.samples()).isEqualTo(2 * SmallBatches.SIZE);
      assertThat(result.lossSum()).isPositive();
      byte[] before = training.digest();
      RoundResult ofNone =
          training.round(
              List.of(
                  SmallBatches.empty(),
                  SmallBatches.empty(),
                  SmallBatches.empty(),
                  SmallBatches.empty()));
      assertThat(ofNone).isEqualTo(new RoundResult(0, 0));
      assertThat(training.rounds()).isEqualTo(2);
      if (setting.options(4).get(AveragingDescriptor.OVERLAP) == 0) {
        // Otherwise an average of earlier rounds is applied in this one.
        assertThat(training.digest()).isEqualTo(before);
      }
    }
  }

  @Test
  void whereNobodyWaitsForAStraggler_itsSamplesDoNotCount() throws Exception {
    Setting setting =
        new Setting(
            ExchangeType.DROP_STRAGGLERS,
            options -> options.with(CodedOptions.STRAGGLERS, 1),
            "sgd",
            "");
    try (LocalTraining training = LocalTraining.begin(setting.config(4), 4)) {
      assertThat(training.round(SmallBatches.of(0, 4)).samples()).isEqualTo(3 * SmallBatches.SIZE);
    }
  }

  @Test
  void averagedModels_areTheMeanOfAll() throws Exception {
    Setting setting =
        new Setting(
            ExchangeType.AVERAGING,
            options -> options.with(AveragingDescriptor.INTERVAL, 2),
            "sgd",
            "");
    try (LocalTraining training = LocalTraining.begin(setting.config(2), 2);
        LocalTraining alone = LocalTraining.begin(setting.config(1), 1)) {
      training.round(SmallBatches.of(0, 2));
      alone.round(SmallBatches.of(0, 2).subList(0, 1));
      assertThat(training.digest()).isEqualTo(alone.digest());
      training.round(SmallBatches.of(1, 2));
      alone.round(SmallBatches.of(1, 2).subList(0, 1));
      assertThat(training.digest()).isNotEqualTo(alone.digest());
    }
  }

  // ---- mistakes --------------------------------------------------------------------------------

  @Test
  void refusesAsynchronousExchanges() {
    Setting asynchronous = setting(ExchangeType.AKO, "sgd");

    assertThatThrownBy(() -> LocalTraining.begin(asynchronous.config(3), 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ako");
  }

  @Test
  void refusesTreesThatMeasuredTimesChoose() {
    Setting planned =
        new Setting(
            ExchangeType.CODED,
            options -> options.with(CodedOptions.PLAN, CodedOptions.Plan.AUTO),
            "sgd",
            "");

    assertThatThrownBy(() -> LocalTraining.begin(planned.config(3), 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("coded");
  }

  @Test
  void refusesAnotherNumberOfBatchesThanWorkers_andContinues() throws Exception {
    Setting ring = setting(ExchangeType.RING, "sgd");
    try (LocalTraining training = LocalTraining.begin(ring.config(3), 3)) {
      assertThatThrownBy(() -> training.round(SmallBatches.of(0, 2)))
          .isInstanceOf(IllegalArgumentException.class);
      train(training, ring, 3, 1);
      assertThat(training.rounds()).isEqualTo(1);
    }
  }

  @Test
  void refusesAnotherOptimisersState_andIncompleteStates() throws Exception {
    Setting adam = setting(ExchangeType.RING, "adam");
    Setting momentum = setting(ExchangeType.RING, "momentum");
    List<ReplicaPart> parts;
    try (LocalTraining training = LocalTraining.begin(adam.config(3), 3)) {
      parts = training.save();
    }
    assertThatThrownBy(() -> LocalTraining.restore(momentum.config(3), 3, parts))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("adam");
    assertThatThrownBy(() -> LocalTraining.restore(adam.config(3), 3, parts.subList(0, 2)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> LocalTraining.restore(adam.config(3), 3, List.of()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void refusesAnotherModelsState() throws Exception {
    ExchangeOptions options = ExchangeOptions.defaults(2);
    WorkerConfig config = config(ExchangeType.RING, options, new WholeNumbersModel(5));
    List<ReplicaPart> parts;
    try (LocalTraining training = LocalTraining.begin(config, 2)) {
      parts = training.save();
    }
    assertThatThrownBy(
            () ->
                LocalTraining.restore(
                    config(ExchangeType.RING, options, new WholeNumbersModel(6)), 2, parts))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("5")
        .hasMessageContaining("6");
  }

  // ---- samples and models ----------------------------------------------------------------------

  /** Trains until {@code untilRound} rounds are complete. */
  private static List<RoundResult> train(
      LocalTraining training, Setting setting, int workers, int untilRound) {
    Optional<CodeTree> codes = setting.type().descriptor().codes(setting.options(4), workers);
    List<RoundResult> results = new ArrayList<>();
    for (int round = (int) training.rounds(); round < untilRound; round++) {
      List<Batch> batches = SmallBatches.of(round, workers);
      results.add(training.round(codes.map(it -> SmallBatches.coded(it, batches)).orElse(batches)));
    }
    return results;
  }
}
