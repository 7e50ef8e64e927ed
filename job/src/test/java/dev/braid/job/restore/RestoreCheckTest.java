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
import dev.braid.job.engine.TrainingJob;
import dev.braid.job.options.TrainOptions;
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

/** What a run says of a checkpoint that it cannot go on from. */
class RestoreCheckTest extends CheckpointCase {

  @Test
  void aCheckpointThatFitsIsRestored() {
    assertThatCode(() -> check("--epochs", "4")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--epochs 3               | is in epoch 4 already, and --epochs is 3: 4 or more is needed",
        "--seed 2                 | made with --seed 1, and not 2",
        "--state-backend rocksdb  | made with --state-backend hashmap, and not rocksdb",
      })
  void namesWhatDoesNotFit(String options, String message) {
    assertThatThrownBy(() -> check(options.split(" ")))
        .isInstanceOf(UsageException.class)
        .hasMessage("--restore " + checkpoint.folder() + ": " + message);
  }

  @Test
  void namesOtherData() throws IOException {
    assertThatThrownBy(() -> RestoringRun.check(checkpoint, SAMPLES - 1, "sgd"))
        .hasMessageContaining("made with 60,000 training samples, and --data mnist has 59,999");
  }

  @Test
  void ranksAreNoMoreThanFlinkDealsItsStateTo() throws IOException {
    OperatorState workers =
        new OperatorState("Worker", TrainingJob.WORKERS_UID, new OperatorID(1, 3), 4, 128);
    checkpoint.write(List.of(workers));
    assertThatCode(() -> check("--workers", "128")).doesNotThrowAnyException();
    assertThatThrownBy(() -> check("--workers", "128", "--exchange", "ps", "--servers", "1"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--restore "
                + checkpoint.folder()
                + ": made for 128 workers and servers at most, and not for 129");
  }

  @Test
  void theBackendIsToldByTheKindOfState() throws IOException {
    checkpoint.write(List.of(ledger(ofRocksdb())));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .hasMessageContaining("made with --state-backend rocksdb, and not hashmap");
    // What Flink calls canonical fits all.
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
        .hasMessage(
            "--restore CHK: made with a model of 1,234,567 parameters, and --model mlp has 21 on"
                + " --data mnist");
    SavedModel rmsprop =
        new SavedModel(
            parameters, 1, new StateFormat("ring", List.of()), "", "rmsprop, learning rate 0.1");
    assertThatThrownBy(() -> check.checkModel(rmsprop, trained("momentum")))
        .hasMessage("--restore CHK: made with --updater rmsprop, and not momentum");
  }

  /** Both runs had {@code --updater momentum}, as is the default. */
  @Test
  void saysWhereTheMomentumWas() {
    int parameters = trained("sgd").learner().length();
    TrainOptions dgc = options("--compress", "dgc");
    SavedModel ofDgc = saved(parameters, 0, dgc.exchange().stateFormat(dgc.exchangeOptions()));
    assertThatThrownBy(
            () -> new RestoreCheck(options(), "CHK").checkModel(ofDgc, trained("momentum")))
        .hasMessage(
            "--restore CHK: made with --updater sgd, and not momentum: its workers had the"
                + " momentum; --compress dgc, or --updater sgd to go on without, is needed");
    SavedModel plain =
        new SavedModel(
            parameters, 1, new StateFormat("ring", List.of()), "", "momentum, learning rate 0.1");
    assertThatThrownBy(() -> new RestoreCheck(dgc, "CHK").checkModel(plain, trained("sgd")))
        .hasMessage(
            "--restore CHK: made with --updater momentum, and not sgd: with --compress dgc workers"
                + " have the momentum; another --compress is needed");
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
        .hasMessage(
            "--restore CHK: the state 'clocks' of exchange gossip is in version 9 of its format:"
                + " this Braid reads version 1");
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

  /** The same number of samples, of other classes: positions would mean something else. */
  @Test
  void otherClassesOrColumnsAreNamed() throws IOException {
    checkpoint.write(List.of(samples(3, 4)));
    TrainOptions run = options("--restore", checkpoint.folder().toString());
    SampleSource other =
        new SampleSource(options("--classes", "11").data().check().location(), SAMPLES, 1, 10, 100);
    assertThatThrownBy(() -> RestoreCheck.check(run, other, trained("sgd"), Optional.empty()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("made with other classes or columns");
  }

  @Test
  void statesOfAnotherVersionAreNamed() throws IOException {
    checkpoint.write(List.of(samples(9, new int[] {3, 4})));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("the sample source is in version 9 of its format")
        .hasMessageContaining("reads 6");
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(state);
    out.writeInt(0x42524149);
    out.writeInt(4);
    checkpoint.write(List.of(workers(StateChecksum.sealed(state.toByteArray()))));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("the workers' state is in version 4 of its format")
        .hasMessageContaining("reads version 11");
  }

  /** As may be where it is on the disks of a cluster. */
  @Test
  void whereACheckpointCannotBeReadTheUserIsTold() {
    RestoreCheck.Changes changes =
        RestoreCheck.check(
            options("--restore", "/not here/chk-5"), source(), trained("sgd"), Optional.empty());
    assertThat(changes.sentences())
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("cannot be read from here");
    assertThat(changes.dropsEvents()).isFalse();
  }
}
