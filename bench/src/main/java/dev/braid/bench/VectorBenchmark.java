package dev.braid.bench;

import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures sums and steps over the values of one message and over those of the default model, with
 * one common index and with two indices. This shows the benefit of copying values to a common index
 * first.
 *
 * <p>{@code bench/run org.openjdk.jmh.Main VectorBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class VectorBenchmark {

  private static final int SHIFT = 16;

  /** Number of values. */
  @Param({"6250", "407050"})
  int length;

  private final Updater updater = new UpdaterSpec.Momentum(0.1, 0.9).create();
  private Range range;
  private float[] weights;
  private float[][] velocity;
  private float[] gradient;
  private float[] total;
  private float[] result;
  private Slice same;
  private Slice shifted;

  /** Fills the vectors with values that neither grow nor become subnormal. */
  @Setup
  public void fill() {
    range = new Range(SHIFT, SHIFT + length);
    weights = new float[range.end()];
    velocity = new float[1][range.end()];
    gradient = new float[range.end()];
    total = new float[range.end()];
    result = new float[range.end()];
    Arrays.fill(gradient, 1e-3f);
    same = Slice.view(gradient, range);
    shifted = Slice.view(gradient, 0, length);
  }

  @Benchmark
  public float[] addAtOneIndex() {
    Vectors.add(total, SHIFT, same);
    return total;
  }

  @Benchmark
  public float[] addAtTwoIndices() {
    Vectors.add(total, SHIFT, shifted);
    return total;
  }

  /** Adds values at two indices; one of the vectors is copied first. */
  @Benchmark
  public float[] copyAndAdd() {
    Vectors.sum(result, weights, SHIFT, shifted);
    return result;
  }

  @Benchmark
  public float[] stepAtOneIndex() {
    updater.step(weights, velocity, 0, new Step(range, same, 100, 1, 0));
    return weights;
  }

  /** Takes a step along values at another index; blocks of all vectors are copied first. */
  @Benchmark
  public float[] copyAndStep() {
    updater.step(weights, velocity, 0, new Step(range, shifted, 100, 1, 0));
    return weights;
  }
}
