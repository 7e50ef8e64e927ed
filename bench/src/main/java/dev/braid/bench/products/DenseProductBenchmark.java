package dev.braid.bench.products;

import dev.braid.learner.math.NativeMath;
import dev.braid.learner.matrix.Matrix;
import dev.braid.learner.matrix.MatrixMultiplier;
import dev.braid.learner.matrix.MatrixMultipliers;
import java.util.SplittableRandom;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the three products of a fully connected layer with 100 dense samples: with Java's
 * vectors, which are used after some seconds, and with OpenBLAS, including its copies to and from
 * native memory.
 *
 * <pre>
 *   bench/run org.openjdk.jmh.Main DenseProductBenchmark
 *   bench/run org.openjdk.jmh.Main DenseProductBenchmark -jvmArgsAppend -Dbraid.vectors=false
 *   ... -jvmArgsAppend "-Dbraid.vectors=false -Dbraid.math=fastest"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DenseProductBenchmark {

  private static final int SAMPLES = 100;

  /** Number of inputs and outputs of the layer. */
  @Param({"784x512", "1000x512", "1600x200", "4096x4096"})
  String layer;

  private MatrixMultiplier multiplier;
  private Matrix input;
  private Matrix inputDelta;
  private Matrix weights;
  private Matrix weightGradient;
  private Matrix output;
  private Matrix delta;

  @Setup
  public void fill() {
    NativeMath.useOneThread();
    String[] sides = layer.split("x", -1);
    int inputs = Integer.parseInt(sides[0]);
    int outputs = Integer.parseInt(sides[1]);
    SplittableRandom random = new SplittableRandom(1);
    input = matrix(SAMPLES, inputs, random);
    inputDelta = matrix(SAMPLES, inputs, random);
    weights = matrix(inputs, outputs, random);
    weightGradient = matrix(inputs, outputs, random);
    output = matrix(SAMPLES, outputs, random);
    delta = matrix(SAMPLES, outputs, random);
    multiplier = MatrixMultipliers.of(outputs);
  }

  private static Matrix matrix(int rows, int columns, SplittableRandom random) {
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return Matrix.byRow(values, 0, rows, columns);
  }

  @TearDown
  public void close() {
    multiplier.close();
  }

  @Benchmark
  public float[] forward() {
    multiplier.multiply(input, weights, output);
    return output.values();
  }

  @Benchmark
  public float[] gradient() {
    multiplier.multiply(input.transposed(), delta, weightGradient);
    return weightGradient.values();
  }

  @Benchmark
  public float[] backpropagation() {
    multiplier.multiply(delta, weights.transposed(), inputDelta);
    return inputDelta.values();
  }
}
