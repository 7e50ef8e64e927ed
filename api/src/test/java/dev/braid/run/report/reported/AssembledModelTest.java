package dev.braid.run.report.reported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.worker.report.Reports.ModelPart;
import org.junit.jupiter.api.Test;

class AssembledModelTest {

  private final AssembledModel model = new AssembledModel();

  @Test
  void partsThatComeAgainChangeNothing() {
    model.add(new ModelPart(ModelPart.FINAL, 0, 2, 0, 3, 7, new float[] {1, 2}));
    model.add(new ModelPart(ModelPart.FINAL, 0, 2, 2, 3, 7, new float[] {3}));
    model.add(new ModelPart(ModelPart.FINAL, 1, 2, 0, 3, 7, new float[] {4, 5, 6}));
    model.add(new ModelPart(ModelPart.FINAL, 0, 2, 0, 3, 7, new float[] {1, 2}));

    assertThat(model.vectors()).isDeepEqualTo(new float[][] {{1, 2, 3}, {4, 5, 6}});
    assertThat(model.steps()).isEqualTo(7);
    assertThat(model.parts()).hasSize(3);
  }

  @Test
  void aMissingPartIsAnError() {
    model.add(new ModelPart(ModelPart.FINAL, 0, 1, 0, 3, 7, new float[] {1, 2}));

    assertThatThrownBy(model::vectors).hasMessage("the final model came with 2 of 3 values");
  }

  /** Servers at three workers, and later at two, serve different ranges. */
  @Test
  void partsOfOtherRangesTakeThePlaceOfEarlierOnes() {
    for (int i = 0; i < 6; i += 2) {
      model.add(new ModelPart(ModelPart.FINAL, 0, 1, i, 6, 8, new float[] {-1, -1}));
    }
    model.add(new ModelPart(ModelPart.FINAL, 0, 1, 3, 6, 9, new float[] {4, 5, 6}));
    model.add(new ModelPart(ModelPart.FINAL, 0, 1, 0, 6, 9, new float[] {1, 2, 3}));
    assertThat(model.vectors()).isDeepEqualTo(new float[][] {{1, 2, 3, 4, 5, 6}});
    assertThat(model.parts()).hasSize(2);
  }

  @Test
  void putsTheModelTogether() {
    model.add(new ModelPart(ModelPart.FINAL, 0, 2, 2, 3, 9, new float[] {3}));
    model.add(new ModelPart(ModelPart.FINAL, 1, 2, 0, 3, 9, new float[] {4, 5, 6}));
    assertThatThrownBy(model::vectors).hasMessageContaining("4 of 6 values");
    model.add(new ModelPart(ModelPart.FINAL, 0, 2, 0, 3, 9, new float[] {1, 2}));
    assertThat(model.vectors()).isDeepEqualTo(new float[][] {{1, 2, 3}, {4, 5, 6}});
    assertThat(model.steps()).isEqualTo(9);
  }
}
