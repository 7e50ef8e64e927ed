package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Update.GradientSum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a model counts its steps, from which a schedule has its learning rate. */
class ModelStepsTest {

  private final Model model = new Model(TestUpdaters.summing(), new float[10], new float[0][], 7);

  private static GradientSum over(int start, int end) {
    return new GradientSum(new Range(start, end), Slice.view(new float[10], start, end - start), 1);
  }

  @Test
  void aStepOverTheWholeVectorIsOne() {
    model.apply(over(0, 10));
    model.apply(over(0, 10));
    assertThat(model.steps()).isEqualTo(9);
  }

  /** Chunks of 4, 4 and 2 of two workers, one of which is ahead. */
  @Test
  void aServerCountsGradientsWhosePartsComeMixed() {
    model.serve(Range.ofLength(10));
    for (int gradient = 0; gradient < 5; gradient++) {
      model.apply(over(0, 4));
      model.apply(over(4, 8));
      model.apply(over(0, 4));
      model.apply(over(8, 10));
      model.apply(over(4, 8));
      model.apply(over(8, 10));
    }
    assertThat(model.steps()).isEqualTo(7 + 10);
  }

  @Test
  void whereOthersGradientsAreAppliedBesides_aRankCountsItsOwn() {
    model.countOwnSteps();
    model.apply(over(0, 10));
    model.apply(over(0, 4));
    model.ownStep();
    assertThat(model.steps()).isEqualTo(8);
    assertThat(model.after(List.of(over(0, 10))).steps()).isEqualTo(8);
  }
}
