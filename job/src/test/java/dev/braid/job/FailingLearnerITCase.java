package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.WorkerConfig.ModelSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job whose learner throws an unexpected exception fails with that cause instead of waiting. */
@Timeout(120)
class FailingLearnerITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final int WORKERS = 2;
  private static final int FEATURES = 2;

  @TempDir private Path folder;

  private enum Kind {
    ASSERTION,
    STACK_OVERFLOW,
    MEMORY,
    STATE;

    private void raise() {
      switch (this) {
        case ASSERTION -> throw new AssertionError("raised by the test");
        case STACK_OVERFLOW -> deeper(1);
        case MEMORY -> throw new OutOfMemoryError("raised by the test");
        case STATE -> throw new IllegalStateException("raised by the test");
      }
    }

    @SuppressWarnings("InfiniteRecursion")
    private static long deeper(long depth) {
      return depth + deeper(depth + 1);
    }

    private String inTheCauses() {
      return this == STACK_OVERFLOW ? "java.lang.StackOverflowError" : "raised by the test";
    }
  }

  private enum Where {
    MAKING,
    INITIAL_WEIGHTS,
    GRADIENT,
    PREPARING,
    EVALUATION,
    CLOSING
  }

  @ParameterizedTest
  @CsvSource({
    "MAKING, ASSERTION",
    "INITIAL_WEIGHTS, STACK_OVERFLOW",
    "GRADIENT, ASSERTION",
    "GRADIENT, STACK_OVERFLOW",
    "GRADIENT, MEMORY",
    "GRADIENT, STATE",
    "PREPARING, ASSERTION",
    "EVALUATION, ASSERTION",
    "CLOSING, ASSERTION",
  })
  void theJobFailsWithTheCause(Where where, Kind kind) throws Exception {
    String row = "0.5,-0.5,0\n-0.5,0.5,1\n";
    Files.writeString(folder.resolve("points.csv"), String.join("", Collections.nCopies(50, row)));
    Files.writeString(folder.resolve("points.test.csv"), row);
    DataLocation data = DataLocation.of(folder.resolve("points.csv").toString()).withClasses(2);
    Configuration configuration = new Configuration();
    configuration.setString("pipeline.object-reuse", "true");
    configuration.setString("restart-strategy.type", "none");
    StreamExecutionEnvironment env = FLINK.environment(WORKERS, configuration);
    TrainingJob.assemble(
        env,
        new SampleSource(data, data.check().train().samples(), 7, 2, 10, 0),
        new WorkerConfig(
            ExchangeType.RING,
            ExchangeOptions.defaults(WORKERS).withBatch(10),
            16,
            new FailingModel(new SoftmaxModel(FEATURES, 2, 0.5f), where, kind),
            data::openTest,
            StoppingRule.NONE),
        WORKERS);

    Throwable failure = catchThrowable(env::execute);

    assertThat(failure).isNotNull();
    assertThat(ExceptionUtils.stringifyException(failure)).contains(kind.inTheCauses());
  }

  /** A run that continued with other samples would use some of them twice and omit others. */
  @Test
  void aFileThatChangesWhileTheJobRuns_endsItAtTheNextRestart() throws Exception {
    List<String> rows =
        IntStream.range(0, 100).mapToObj(i -> "0.5,-0.%02d,%d".formatted(i, i % 2)).toList();
    Path file = folder.resolve("points.csv");
    Files.write(file, rows);
    Files.writeString(folder.resolve("points.test.csv"), "0.5,-0.5,0\n-0.5,0.5,1\n");
    DataLocation.Contents contents = DataLocation.of(file.toString()).check();
    Configuration configuration = new Configuration();
    configuration.setString("pipeline.object-reuse", "true");
    configuration.setString("restart-strategy.type", "fixed-delay");
    configuration.setString("restart-strategy.fixed-delay.attempts", "1000");
    configuration.setString("restart-strategy.fixed-delay.delay", "1ms");
    StreamExecutionEnvironment env = FLINK.environment(WORKERS, configuration);
    TrainingJob.assemble(
        env,
        new SampleSource(contents.location(), contents.train().samples(), 7, 2, 10, 0)
            .checked(contents.checksums(), false),
        new WorkerConfig(
            ExchangeType.RING,
            ExchangeOptions.defaults(WORKERS).withBatch(10),
            16,
            new FileChangingModel(new SoftmaxModel(FEATURES, 2, 0.5f), file.toString()),
            contents.location()::openTest,
            StoppingRule.NONE),
        WORKERS);

    Throwable failure = catchThrowable(env::execute);

    assertThat(failure).isNotNull();
    assertThat(ExceptionUtils.stringifyException(failure))
        .contains(SuppressRestartsException.class.getName(), InvalidDataException.class.getName())
        .contains(contents.checksums().toString().substring(0, 8));
  }

  /**
   * Model that fails in its first gradient, after the rows of a file have been reordered. Only one
   * worker at a time reorders them, because a worker that reads a half-written file would write
   * fewer rows.
   */
  private record FileChangingModel(ModelSource model, String file) implements ForwardingModel {

    private static final long serialVersionUID = 1L;

    @Override
    public Learner learner() throws IOException {
      return new FileChangingLearner(model.learner(), Path.of(file));
    }
  }

  private record FileChangingLearner(Learner learner, Path file)
      implements ForwardingModel.ForwardingLearner {

    @Override
    public double gradient(float[] weights, Batch batch, float[] gradient) {
      synchronized (FileChangingLearner.class) {
        try {
          List<String> rows = new ArrayList<>(Files.readAllLines(file));
          Collections.sort(rows);
          Collections.reverse(rows);
          Files.write(file, rows);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      throw new IllegalStateException("raised by the test");
    }
  }

  private record FailingModel(ModelSource model, Where where, Kind kind)
      implements ForwardingModel {

    private static final long serialVersionUID = 1L;

    @Override
    public Learner learner() throws IOException {
      if (where == Where.MAKING) {
        kind.raise();
      }
      return new FailingLearner(model.learner(), where, kind);
    }
  }

  private record FailingLearner(Learner learner, Where where, Kind kind)
      implements ForwardingModel.ForwardingLearner {

    private void raiseIf(Where here) {
      if (where == here) {
        kind.raise();
      }
    }

    @Override
    public void initialWeights(float[] weights) {
      raiseIf(Where.INITIAL_WEIGHTS);
      learner.initialWeights(weights);
    }

    @Override
    public double gradient(float[] weights, Batch batch, float[] gradient) {
      raiseIf(Where.GRADIENT);
      return learner.gradient(weights, batch, gradient);
    }

    @Override
    public void prepare(Batch batch) {
      raiseIf(Where.PREPARING);
      learner.prepare(batch);
    }

    @Override
    public Score evaluate(float[] weights, Batch batch) {
      raiseIf(Where.EVALUATION);
      return learner.evaluate(weights, batch);
    }

    @Override
    public void close() {
      raiseIf(Where.CLOSING);
      learner.close();
    }
  }
}
