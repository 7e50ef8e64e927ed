package dev.braid.run.training;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Models;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.UpdaterSpec;
import java.util.OptionalDouble;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.Test;

class TrainedModelTest {

  /** On a TaskManager that has run another job before, a restart would fail repeatedly. */
  @Test
  void aProcessWithOtherKernelsFailsTheJobForGood() {
    Shape shape = Shape.rows(6, 3);
    ModelSpec spec = Models.of("logistic", shape, 1);
    Optimiser optimiser = Optimiser.of(UpdaterSpec.of("sgd", OptionalDouble.empty()));
    EpochSteps steps = new EpochSteps(100, 10, 0, false);
    try (Learner portable =
        new TrainedModel(spec, shape, optimiser, steps, MathChoice.PORTABLE).learner()) {
      portable.kernels();
    }
    assertThatThrownBy(new TrainedModel(spec, shape, optimiser, steps, MathChoice.FASTEST)::learner)
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseMessage(
            "`math` fastest: this process has already loaded the kernels of `math` portable: use"
                + " that, or start a new process");
  }
}
