package dev.braid.job.restore;

import static dev.braid.job.restore.RestoringRun.SAMPLES;
import static dev.braid.job.restore.RestoringRun.options;
import static dev.braid.job.restore.RestoringRun.source;
import static dev.braid.job.restore.RestoringRun.trained;
import static dev.braid.job.restore.WrittenCheckpoint.canonical;
import static dev.braid.job.restore.WrittenCheckpoint.ledger;
import static dev.braid.job.restore.WrittenCheckpoint.ofRocksdb;
import static dev.braid.job.restore.WrittenCheckpoint.samples;
import static dev.braid.job.restore.WrittenCheckpoint.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.DataChecksums;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.state.StateFormat;
import dev.braid.exchange.state.StateKind;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.run.training.TrainedModel;
import dev.braid.run.training.TrainingJob;
import dev.braid.vector.Range;
import dev.braid.wire.StateChecksum;
import dev.braid.worker.state.SavedModel;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors and notes of a run about a checkpoint. */
class RestoreCheckTest extends CheckpointCase {

  @Test
  void aCheckpointThatFitsIsRestored() {
    assertThatCode(() -> check("--epochs", "4")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--epochs 3               | 4",
        "--seed 2                 | --seed 1",
        "--state-backend rocksdb  | --state-backend hashmap",
      })
  void namesWhatDoesNotFit(String options, String word) {
    assertThatThrownBy(() -> check(options.split(" ")))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--restore " + checkpoint.folder())
        .hasMessageContainingAll(options.split(" "))
        .hasMessageContaining(word);
  }

  @Test
  void namesOtherData() throws IOException {
    assertThatThrownBy(() -> RestoringRun.check(checkpoint, SAMPLES - 1, "sgd"))
        .hasMessageContainingAll("60,000", "--data mnist", "59,999");
  }

  @Test
  void ranksAreNoMoreThanFlinkDealsItsStateTo() throws IOException {
    OperatorState workers =
        new OperatorState("Worker", TrainingJob.WORKERS_UID, new OperatorID(1, 3), 4, 128);
    checkpoint.write(List.of(workers));
    assertThatCode(() -> check("--workers", "128")).doesNotThrowAnyException();
    assertThatThrownBy(() -> check("--workers", "128", "--exchange", "ps:servers=1"))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll("--restore " + checkpoint.folder(), "128", "129");
  }

  @Test
  void theBackendIsToldByTheKindOfState() throws IOException {
    checkpoint.write(List.of(ledger(ofRocksdb())));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .hasMessageContainingAll("--state-backend rocksdb", "hashmap");
    // Flink's canonical format fits all backends.
    checkpoint.write(List.of(ledger(canonical())));
    assertThatCode(() -> check("--epochs", "4")).doesNotThrowAnyException();
  }

  @Test
  void namesAnotherModelOrUpdater() {
    TrainOptions options = options();
    RestoreCheck check = new RestoreCheck(options, "CHK");
    int parameters = trained("sgd").learner().length();
    assertThatCode(() -> check.checkModel(saved(parameters, 0), trained("sgd")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> check.checkModel(saved(1_234_567, 0), trained("sgd")))
        .hasMessageContainingAll("--restore CHK", "1,234,567", "--model mlp", "21", "--data mnist");
    SavedModel rmsprop =
        new SavedModel(
            parameters, 1, new StateFormat("ring", List.of()), "", "rmsprop, learning rate 0.1");
    assertThatThrownBy(() -> check.checkModel(rmsprop, trained("momentum")))
        .hasMessageContainingAll("--restore CHK", "--updater rmsprop", "momentum");
  }

  @Test
  void saysWhereRunningStatisticsWere() {
    String data = "--data={place: kafka:a, features: [a, b, c, d, e, f], label: y, classes: 3%s}";
    String brokers = "--kafka-brokers=127.0.0.1:1";
    RestoreCheck plain = new RestoreCheck(options(data.formatted(""), brokers), "CHK");
    RestoreCheck standardizing =
        new RestoreCheck(options(data.formatted(", standardize: true"), brokers), "CHK");
    TrainedModel model = trained("sgd");
    TrainedModel standardized = model.standardizing(List.of(Range.ofLength(6)));
    SavedModel with = saved(standardized.length(), 0);
    SavedModel without = saved(model.length(), 0);
    assertThatCode(() -> plain.checkModel(without, model)).doesNotThrowAnyException();
    assertThatCode(() -> standardizing.checkModel(with, standardized)).doesNotThrowAnyException();
    assertThatThrownBy(() -> plain.checkModel(with, model))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll("--restore CHK", "with 'standardize: true'", "does not");
    assertThatThrownBy(() -> standardizing.checkModel(without, standardized))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll("--restore CHK", "without 'standardize: true'");
  }

  /** Both runs have {@code --updater momentum}, the default. */
  @Test
  void saysWhereTheMomentumWas() {
    int parameters = trained("sgd").learner().length();
    TrainOptions dgc = options("--exchange", "ring:compress=dgc");
    TrainOptions.Sharing sharing = dgc.sharing();
    SavedModel ofDgc = saved(parameters, 0, sharing.exchange().stateFormat(sharing.options()));
    assertThatThrownBy(
            () -> new RestoreCheck(options(), "CHK").checkModel(ofDgc, trained("momentum")))
        .hasMessageContainingAll("--restore CHK", "momentum", "compress=dgc", "--updater sgd");
    SavedModel plain =
        new SavedModel(
            parameters, 1, new StateFormat("ring", List.of()), "", "momentum, learning rate 0.1");
    assertThatThrownBy(() -> new RestoreCheck(dgc, "CHK").checkModel(plain, trained("sgd")))
        .hasMessageContainingAll("--restore CHK", "--updater momentum", "sgd", "compress=dgc");
  }

  private static SavedModel saved(int parameters, int updaterVectors) {
    return saved(parameters, updaterVectors, new StateFormat("ring", List.of()));
  }

  private static SavedModel saved(int parameters, int updaterVectors, StateFormat format) {
    return new SavedModel(
        parameters, updaterVectors, format, "the only replica", "sgd, learning rate 0.1");
  }

  @Test
  void anotherVersionOfAnExchangesStateIsNamed_butIsNothingToOtherExchanges() {
    RestoreCheck check = new RestoreCheck(options("--exchange", "gossip"), "CHK");
    List<StateKind> others = List.of(StateKind.ofTheseRanks("clocks", 9));
    int parameters = trained("sgd").learner().length();
    assertThatThrownBy(
            () ->
                check.checkModel(
                    saved(parameters, 0, new StateFormat("gossip", others)), trained("sgd")))
        .hasMessageContainingAll("--restore CHK", "'clocks'", "gossip", "version 9", "version 1");
    assertThatCode(
            () ->
                check.checkModel(
                    saved(parameters, 0, new StateFormat("braided", others)), trained("sgd")))
        .doesNotThrowAnyException();
  }

  /** Otherwise a sample could be used twice, and another one never. */
  @Test
  void otherSamplesAreNamed_andAcceptedWhereThatIsAskedFor() throws IOException {
    checkpoint.write(List.of(samples(3, 4)));
    DataChecksums sums = new DataChecksums(0x0a, 0x0b);
    SampleSource other = RestoringRun.source().checked(sums, false);
    TrainOptions run = options("--restore", checkpoint.folder().toString());
    assertThatThrownBy(() -> RestoreCheck.check(run, other, trained("sgd"), Optional.empty()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(sums.toString())
        .hasMessageContaining("--other-data");

    TrainOptions accepting = options("--restore", checkpoint.folder().toString(), "--other-data");
    RestoreCheck.Changes changes =
        RestoreCheck.check(
            accepting, RestoringRun.source().checked(sums, true), trained("sgd"), Optional.empty());
    assertThat(changes.sentences())
        .singleElement()
        .satisfies(sentence -> assertThat(sentence).contains(sums.toString()));
  }

  /**
   * The number of samples is the same, but the classes differ: positions would mean other samples.
   */
  @Test
  void otherClassesOrColumnsAreNamed() throws IOException {
    checkpoint.write(List.of(samples(3, 4)));
    TrainOptions run = options("--restore", checkpoint.folder().toString());
    SampleSource other =
        new SampleSource(
            options("--data", "{place: mnist, classes: 11}")
                .samples()
                .location()
                .check()
                .location(),
            SAMPLES,
            1,
            10,
            100);
    assertThatThrownBy(() -> RestoreCheck.check(run, other, trained("sgd"), Optional.empty()))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll("classes", "columns");
  }

  @Test
  void statesOfAnotherVersionAreNamed() throws IOException {
    checkpoint.write(List.of(samples(9, new int[] {3, 4})));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll("sample source", "version 9", "6");
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(state);
    out.writeInt(0x42524149);
    out.writeInt(4);
    checkpoint.write(List.of(workers(StateChecksum.sealed(state.toByteArray()))));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll("workers", "version 4", "13");
  }

  /** The checkpoint may be on the disks of a cluster. */
  @Test
  void whereACheckpointCannotBeReadTheUserIsTold() {
    RestoreCheck.Changes changes =
        RestoreCheck.check(
            options("--restore", "/not here/chk-5"), source(), trained("sgd"), Optional.empty());
    assertThat(changes.sentences())
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("checkpoint");
    assertThat(changes.dropsEvents()).isFalse();
  }
}
