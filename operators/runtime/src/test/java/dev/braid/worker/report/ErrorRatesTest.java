package dev.braid.worker.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.wire.StateChecksum;
import dev.braid.worker.report.ErrorRates.Rates;
import dev.braid.worker.report.Reports.ModelPart;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ErrorRatesTest {

  private static final float[] TRUTH = {3, 4};

  private final ErrorRates rates = new ErrorRates(Optional.of(TRUTH));

  private static ModelPart whole(int epoch, float... weights) {
    return new ModelPart(epoch, 0, 1, 0, weights.length, 0, weights);
  }

  private static Rates in(ErrorRates known, int epoch) {
    return known.of(epoch).orElse(new Rates(Double.NaN, Double.NaN));
  }

  /** Checks equations 9 and 11. */
  @Test
  void changeAndDistanceAreRelativeToWhatTheyAreHeldAgainst() {
    assertThat(rates.add(whole(1, 3, 0))).isTrue();
    assertThat(rates.add(whole(2, 3, 2))).isTrue();
    assertThat(in(rates, 1).relative()).isNaN();
    assertThat(in(rates, 1).normalized()).isEqualTo(16.0 / 25, within(1e-12));
    assertThat(in(rates, 2).relative()).isEqualTo(4.0 / 9, within(1e-12));
    assertThat(in(rates, 2).normalized()).isEqualTo(4.0 / 25, within(1e-12));
    assertThat(in(rates, 3).relative()).isNaN();
  }

  @Test
  void anEpochWithoutAModelHasNone_norHasTheNextARelativeOne() {
    rates.add(whole(1, 3, 0));
    rates.add(whole(3, 3, 4));
    assertThat(in(rates, 2).normalized()).isNaN();
    assertThat(in(rates, 3).relative()).isNaN();
    assertThat(in(rates, 3).normalized()).isZero();
  }

  @Test
  void partsComeInAnyOrder_andAgainAfterAFailure() {
    assertThat(rates.add(new ModelPart(1, 0, 1, 1, 2, 0, new float[] {0}))).isFalse();
    assertThat(rates.add(new ModelPart(1, 0, 1, 1, 2, 0, new float[] {0}))).isFalse();
    assertThat(rates.add(new ModelPart(1, 0, 1, 0, 2, 0, new float[] {3}))).isTrue();
    assertThat(rates.add(whole(1, 3, 0))).isFalse();
    assertThat(in(rates, 1).normalized()).isEqualTo(16.0 / 25, within(1e-12));
  }

  @Test
  void withoutTheTruthThereIsTheRelativeOne_andNothingWhereNobodyAsks() {
    ErrorRates relative = new ErrorRates(Optional.of(new float[0]));
    relative.add(whole(1, 3, 0));
    relative.add(whole(2, 3, 2));
    assertThat(in(relative, 2).relative()).isEqualTo(4.0 / 9, within(1e-12));
    assertThat(in(relative, 2).normalized()).isNaN();
    ErrorRates none = new ErrorRates(Optional.empty());
    assertThat(none.add(whole(1, 3, 0))).isFalse();
    assertThat(none.save()).isEmpty();
  }

  @Test
  void aCheckpointKeepsThem() throws IOException {
    rates.add(whole(1, 3, 0));
    ErrorRates restored = new ErrorRates(Optional.of(TRUTH));
    restored.restore(rates.save());
    restored.add(whole(2, 3, 2));
    assertThat(in(restored, 1).normalized()).isEqualTo(16.0 / 25, within(1e-12));
    assertThat(in(restored, 2).relative()).isEqualTo(4.0 / 9, within(1e-12));
    byte[] damaged = rates.save().get(0).clone();
    damaged[damaged.length - 9]++;
    assertThatThrownBy(() -> new ErrorRates(Optional.of(TRUTH)).restore(List.of(damaged)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("state is damaged");
    byte[] earlier = StateChecksum.sealed(new byte[] {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
    assertThatThrownBy(() -> new ErrorRates(Optional.of(TRUTH)).restore(List.of(earlier)))
        .isInstanceOf(IOException.class)
        .hasMessage("the state of error rates must be of version 2");
  }
}
