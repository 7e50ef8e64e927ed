package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.braid.learner.math.MathKernels;
import dev.braid.learner.math.NativeMath;
import dev.braid.run.result.Outcome;
import java.nio.file.Path;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Digest of the default training. Users compare it between versions, so it must stay the same, bit
 * for bit.
 *
 * <p>A digest changes with the order of the samples, the initial weights, the order of any sum, the
 * updater's arithmetic and the math library. A change that is meant to change one of these writes
 * the new digest here, and names the cause in its commit message. It also updates the digest in the
 * README's example.
 */
class DefaultDigestITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final String CORE = "HASWELL";
  private static final String LIBRARY = "ND4J 1.0.0-M2.1, OpenBLAS 0.3.19-1.5.7";

  /** Digest of {@code ./braid train --epochs 1}. */
  private static final String AFTER_ONE_EPOCH =
      "83f7367b1d95af1e900281d715fe3afcd7c629e93f8344b591ec305da445a368";

  @TempDir private Path folder;

  @Test
  void isWhatItWas() throws Exception {
    MathKernels kernels = NativeMath.kernels();
    assumeTrue(
        kernels.core().equals(CORE),
        () -> "the digest is of the kernels of " + CORE + ", and this is " + kernels.describe());
    assertThat(kernels.library()).isEqualTo(LIBRARY);
    String[] options = {"--epochs=1", "--out=" + folder.resolve("out")};
    StreamExecutionEnvironment env = FLINK.environment(4, TrainingGraph.settings(options));
    JobClient job = env.executeAsync(TrainingGraph.of(env, options));

    Outcome outcome = TrainingCluster.end(job).outcome().orElseThrow();

    assertThat(outcome.ranks()).isEqualTo(4);
    assertThat(outcome.digest()).isEqualTo(AFTER_ONE_EPOCH);
  }
}
