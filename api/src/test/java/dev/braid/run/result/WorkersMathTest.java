package dev.braid.run.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.math.MathKernels;
import dev.braid.worker.report.Reports.Began;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkersMathTest {

  private static final MathKernels HASWELL = new MathKernels("BLAS 1", "HASWELL", 0xaa);
  private static final MathKernels ZEN = new MathKernels("BLAS 1", "ZEN", 0xaa);
  private static final MathKernels SKYLAKE = new MathKernels("BLAS 1", "SKYLAKEX", 0xbb);
  private static final MathKernels OTHER_LIBRARY = new MathKernels("BLAS 2", "HASWELL", 0xaa);

  @Test
  void workersOfTheSameBits_areOneKind_whateverTheirCoresAreCalled() {
    WorkersMath math = began(HASWELL, ZEN, HASWELL);
    assertThat(math.isComplete()).isTrue();
    assertThat(math.differences()).isEmpty();
    assertThat(math.uses())
        .containsExactly(
            new MathUse(HASWELL, List.of(0, 1, 2), List.of("host 0", "host 1"), false));
    assertThat(math.chunkLength()).isEqualTo(100);
  }

  @Test
  void workersOfOtherBits_areTold_withTheirHosts() {
    WorkersMath math = began(HASWELL, SKYLAKE, HASWELL);
    assertThat(math.uses())
        .containsExactly(
            new MathUse(HASWELL, List.of(0, 2), List.of("host 0"), false),
            new MathUse(SKYLAKE, List.of(1), List.of("host 1"), false));
    assertThat(math.differences())
        .singleElement()
        .asString()
        .startsWith(
            "the math kernels of the workers give different bits (workers [0, 2] on host 0: BLAS 1"
                + " (HASWELL), one thread, product 000000aa; workers [1] on host 1: BLAS 1"
                + " (SKYLAKEX), one thread, product 000000bb)");
  }

  @Test
  void anotherLibrary_isADifference_thoughTheProductIsTheSame() {
    assertThat(began(HASWELL, OTHER_LIBRARY, HASWELL).differences()).hasSize(1);
  }

  @Test
  void nothingIsSaidBeforeAllHaveBegun() {
    WorkersMath math = new WorkersMath();
    math.add(new Began(0, 3, "a", 100, HASWELL));
    math.add(new Began(1, 3, "b", 100, SKYLAKE));
    math.add(new Began(1, 3, "b", 100, SKYLAKE));
    assertThat(math.isComplete()).isFalse();
    assertThat(math.differences()).isEmpty();
  }

  @Test
  void aRestoredRunWithTheSameKernels_isOneKind() {
    WorkersMath restored = restored(began(HASWELL, HASWELL, HASWELL), ZEN);
    assertThat(restored.differences()).isEmpty();
    assertThat(restored.uses()).hasSize(1).noneMatch(MathUse::before);
  }

  @Test
  void aRestoredRunWithOtherKernels_isTold_andStaysSoForGood() {
    WorkersMath restored = restored(began(HASWELL, HASWELL, HASWELL), SKYLAKE);
    assertThat(restored.differences())
        .singleElement()
        .asString()
        .startsWith("the checkpoint was made with math kernels that give other bits (workers [0,")
        .contains("HASWELL")
        .contains("than those here")
        .contains("SKYLAKEX");
    assertThat(restored.uses()).extracting(MathUse::before).containsExactly(false, true);

    WorkersMath back = restored(restored, HASWELL);
    assertThat(back.uses())
        .as("a part of the run is of other bits, whatever computes now")
        .extracting(MathUse::kernels)
        .containsExactly(HASWELL, SKYLAKE);
    assertThat(back.differences()).hasSize(1);
  }

  @Test
  void whatDiffers_isARefusal_whichSaysWhatToSet() {
    assertThat(began(HASWELL, ZEN, HASWELL).refusal()).isEmpty();
    assertThat(began(HASWELL, SKYLAKE, HASWELL).refusal())
        .get()
        .asString()
        .startsWith(
            "`require` same-bits: the math kernels of the workers give different bits (workers [0,"
                + " 2] on host 0: BLAS 1 (HASWELL)")
        .contains("workers [1] on host 1: BLAS 1 (SKYLAKEX)")
        .contains("): use one `math` for the run", "OPENBLAS_CORETYPE");
    assertThat(restored(began(HASWELL, HASWELL, HASWELL), ZEN).refusal()).isEmpty();
    assertThat(restored(began(HASWELL, HASWELL, HASWELL), SKYLAKE).refusal())
        .get()
        .asString()
        .startsWith(
            "`require` same-bits: the checkpoint was made with math kernels that give other bits"
                + " (");
    assertThat(restored(began(HASWELL, SKYLAKE, HASWELL), SKYLAKE).refusal())
        .as("a part of the run is of other bits")
        .isPresent();
  }

  @Test
  void nothingIsRefusedBeforeAllHaveBegun() {
    WorkersMath math = new WorkersMath();
    math.add(new Began(0, 3, "a", 100, HASWELL));
    math.add(new Began(1, 3, "b", 100, SKYLAKE));
    assertThat(math.refusal()).isEmpty();
  }

  /** Returns workers with these kernels, alternately on two hosts. */
  private static WorkersMath began(MathKernels... kernels) {
    WorkersMath math = new WorkersMath();
    for (int rank = 0; rank < kernels.length; rank++) {
      math.add(new Began(rank, kernels.length, "host " + rank % 2, 100, kernels[rank]));
    }
    return math;
  }

  private static WorkersMath restored(WorkersMath saved, MathKernels now) {
    WorkersMath math = new WorkersMath();
    for (MathUse use : saved.uses()) {
      math.restore(Json.readStrictly(Json.write(use), MathUse.class));
    }
    math.add(new Began(0, 2, "a", 100, now));
    math.add(new Began(1, 2, "a", 100, now));
    return math;
  }
}
