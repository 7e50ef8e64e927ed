package dev.braid.run.report.reported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.run.result.EpochLines;
import dev.braid.run.result.Evaluation;
import dev.braid.wire.StateChecksum;
import dev.braid.worker.report.Reports.ModelPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpochModelsTest {

  private final EpochModels models = new EpochModels(true);
  private final List<Evaluation> evaluations = new ArrayList<>();

  private static ModelPart part(int epoch, int start, float... values) {
    return new ModelPart(epoch, 0, 1, start, 3, 0, values);
  }

  /** Adds both parts of an epoch's model, then its evaluation; returns whether it is the best. */
  private boolean epoch(int epoch, double accuracy) {
    models.add(part(epoch, 2, epoch));
    models.add(part(epoch, 0, epoch, epoch));
    return evaluated(epoch, accuracy);
  }

  private boolean evaluated(int epoch, double accuracy) {
    evaluations.add(EpochLines.of(epoch, accuracy));
    return models.compare(evaluations, (evaluation, model) -> {});
  }

  @Test
  void keepsTheFirstWithTheBestAccuracy() {
    assertThat(epoch(1, 0.9)).isTrue();
    assertThat(epoch(2, 0.95)).isTrue();
    assertThat(epoch(3, 0.95)).isFalse();
    assertThat(epoch(4, 0.8)).isFalse();
    EpochModels.Best best = models.best().orElseThrow();
    assertThat(best.epoch()).isEqualTo(2);
    assertThat(best.quality()).isEqualTo(0.95);
    assertThat(best.weights()).containsExactly(2, 2, 2);
  }

  @Test
  void partsMayComeBehindTheEvaluation_andAgain() {
    models.add(part(1, 0, 7, 7));
    assertThat(evaluated(1, 0.9)).isFalse();
    models.add(part(1, 0, 1, 1));
    assertThat(models.compare(evaluations, (evaluation, model) -> {})).isFalse();
    models.add(part(1, 2, 1));
    assertThat(models.compare(evaluations, (evaluation, model) -> {})).isTrue();
    assertThat(models.best().orElseThrow().weights()).containsExactly(1, 1, 1);
  }

  /** Epochs take milliseconds, and the last one is the best. */
  @Test
  void smallModelsMayComeManyEpochsAheadOfTheirEvaluations() {
    for (int epoch = 1; epoch <= 1000; epoch++) {
      models.add(part(epoch, 2, epoch));
      models.add(part(epoch, 0, epoch, epoch));
    }
    for (int epoch = 1; epoch <= 1000; epoch++) {
      evaluated(epoch, epoch / 1000.0);
    }
    assertThat(models.best().orElseThrow().epoch()).isEqualTo(1000);
  }

  @Test
  void ofLargeModelsFewEpochsWait() {
    int length = 1 << 21;
    for (int epoch = 1; epoch <= 6; epoch++) {
      models.add(new ModelPart(epoch, 0, 1, 0, length, 0, new float[length]));
    }
    for (int epoch = 1; epoch <= 6; epoch++) {
      evaluated(epoch, epoch / 10.0);
    }
    assertThat(models.best().orElseThrow().epoch()).isEqualTo(4);
  }

  /** The rest of the test set, from a worker that was excluded, decides which model is the best. */
  @Test
  void whatWasTestedInPartIsComparedAgain() {
    epoch(1, 0.9);
    models.add(part(2, 0, 2, 2, 2));
    evaluations.add(EpochLines.ofPart(2, 0.8));
    assertThat(models.compare(evaluations, (evaluation, model) -> {})).isFalse();
    assertThat(epoch(3, 0.85)).isFalse();
    evaluations.set(1, EpochLines.of(2, 0.95));
    assertThat(models.compare(evaluations, (evaluation, model) -> {})).isTrue();
    assertThat(models.best().orElseThrow().epoch()).isEqualTo(2);
    assertThat(models.best().orElseThrow().weights()).containsExactly(2, 2, 2);
  }

  @Test
  void theBestHasTheQualityOfAllThatIsKnown() {
    models.add(part(1, 0, 1, 1, 1));
    evaluations.add(EpochLines.ofPart(1, 0.95));
    assertThat(models.compare(evaluations, (evaluation, model) -> {})).isTrue();
    evaluations.set(0, EpochLines.of(1, 0.9));
    assertThat(models.compare(evaluations, (evaluation, model) -> {})).isFalse();
    assertThat(models.best().orElseThrow().quality()).isEqualTo(0.9);
    assertThat(epoch(2, 0.92)).isTrue();
  }

  /** A worker may be away for many epochs. */
  @Test
  void whatWasTestedInPartMakesRoom() {
    int length = 1 << 20;
    models.add(new ModelPart(1, 0, 1, 0, length, 0, new float[length]));
    evaluations.add(EpochLines.ofPart(1, 0.99));
    models.compare(evaluations, (evaluation, model) -> {});
    for (int epoch = 2; epoch <= 20; epoch++) {
      models.add(new ModelPart(epoch, 0, 1, 0, length, 0, new float[length]));
      evaluations.add(EpochLines.ofPart(epoch, epoch == 20 ? 0.995 : 0.9));
      models.compare(evaluations, (evaluation, model) -> {});
    }
    assertThat(models.best().orElseThrow().epoch()).isEqualTo(20);
    assertThat(models.save()).hasSizeLessThan(6);
  }

  @Test
  void anEpochWithoutAModelIsNotTheBest() {
    epoch(1, 0.9);
    assertThat(evaluated(2, 0.99)).isFalse();
    assertThat(epoch(3, 0.95)).isTrue();
    assertThat(models.best().orElseThrow().epoch()).isEqualTo(3);
  }

  @Test
  void aCheckpointHasTheBestAndWhatWaits() throws Exception {
    epoch(1, 0.9);
    models.add(part(2, 0, 2, 2));
    EpochModels restored = new EpochModels(true);
    restored.restore(models.save());
    assertThat(restored.best().orElseThrow().weights()).containsExactly(1, 1, 1);
    restored.add(part(2, 2, 2));
    evaluated(2, 0.95);
    assertThat(restored.compare(evaluations, (evaluation, model) -> {})).isTrue();
    assertThat(restored.best().orElseThrow().weights()).containsExactly(2, 2, 2);
  }

  /** Offsets in a checkpoint's bytes: 14 for the length, 18 for the start, 22 for the values. */
  @ParameterizedTest
  @CsvSource({
    "22,2147483647",
    "22,-1",
    "22,3",
    "14,1",
    "14,-1",
    "14,-2147483648",
    "18,-1",
    "18,2",
    "18,2147483647"
  })
  void aLengthThatIsForgedIsDamage(int at, int forged) {
    models.add(part(2, 0, 2, 2));
    byte[] bytes = models.save().get(0);
    ByteBuffer.wrap(bytes).putInt(at, forged);
    StateChecksum.seal(bytes);
    assertRefused(bytes, "damaged");
  }

  @Test
  void anotherWeightIsDamage() {
    models.add(part(2, 0, 2, 2));
    byte[] bytes = models.save().get(0);
    bytes[bytes.length - StateChecksum.BYTES - 1] ^= 1;
    assertRefused(bytes, "damaged");
  }

  @Test
  void anotherVersionIsNamed() {
    models.add(part(2, 0, 2, 2));
    byte[] bytes = models.save().get(0);
    bytes[0] = 1;
    StateChecksum.seal(bytes);
    assertRefused(bytes, "version 1, not 2");
  }

  @Test
  void aModelThatIsCutOffIsDamage() {
    models.add(part(2, 0, 2, 2));
    byte[] whole = models.save().get(0);
    for (int length = 0; length < whole.length; length++) {
      assertRefused(Arrays.copyOf(whole, length), "damaged");
    }
  }

  private static void assertRefused(byte[] bytes, String why) {
    assertThatThrownBy(() -> new EpochModels(true).restore(List.of(bytes)))
        .as("%d bytes", bytes.length)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why);
  }
}
