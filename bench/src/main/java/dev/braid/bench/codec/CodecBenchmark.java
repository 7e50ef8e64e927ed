package dev.braid.bench.codec;

import dev.braid.codec.HalfPrecision;
import dev.braid.codec.LevelQuantizer;
import dev.braid.codec.SparseCodec;
import dev.braid.codec.SparseReader;
import dev.braid.codec.SparseValues;
import dev.braid.codec.ThresholdQuantizer;
import dev.braid.codec.ThresholdRule;
import dev.braid.codec.TopK;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.util.Optional;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of compressing a gradient, in comparison with one pass over it: finding a
 * threshold, taking the elements beyond it, writing them in the shortest form, and adding them up
 * again.
 *
 * <p>{@code bench/run org.openjdk.jmh.Main CodecBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {

  /** Length of the vector: that of the default model, and one that fits into no cache. */
  @Param({"407050", "16000000"})
  int length;

  /** Share of the elements that is sent. */
  @Param({"0.001", "0.01"})
  double density;

  private final SparseCodec codec = new SparseCodec();
  private final SparseValues taken = new SparseValues(0);
  private final TopK topK = new TopK();
  private ThresholdRule rule;
  private Range whole;
  private float[] gradient;
  private float[] residual;
  private float tau;
  private float[] unsent;
  private float[] sent;
  private float[] sum;
  private byte[] encoded;
  private float[] levels;
  private byte[] encodedLevels;

  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    whole = Range.ofLength(length);
    rule = new ThresholdRule.TargetDensity(density);
    gradient = new float[length];
    for (int i = 0; i < length; i++) {
      gradient[i] = (float) random.nextGaussian();
    }
    unsent = gradient.clone();
    residual = new float[length];
    for (int i = 0; i < length; i++) {
      residual[i] = (float) (0.1 * random.nextGaussian());
    }
    tau = rule.tau(Optional.empty(), residual, gradient, whole);
    sum = new float[length];
    sent = new float[length];
    ThresholdQuantizer.take(residual, gradient, whole, tau, taken);
    taken.copyTo(sent, whole);
    encoded = codec.encodeIfShorter(sent, whole).orElseThrow();
    levels = new float[length];
    LevelQuantizer.take(residual, gradient, whole, taken);
    taken.copyTo(levels, whole);
    encodedLevels = codec.encodeIfShorter(levels, whole).orElseThrow();
  }

  /** Reads the gradient in one pass, for comparison with the other benchmarks. */
  @Benchmark
  public double read() {
    return Vectors.norm(gradient, whole);
  }

  @Benchmark
  public boolean readFast() {
    return Vectors.allFinite(gradient);
  }

  @Benchmark
  public float findThreshold() {
    return rule.tau(Optional.empty(), residual, gradient, whole);
  }

  /**
   * Takes the elements to send from residual and gradient, which do not change, as a worker does
   * before it sends.
   */
  @Benchmark
  public int takeBeyondThreshold() {
    float found = rule.tau(Optional.empty(), residual, gradient, whole);
    ThresholdQuantizer.take(residual, gradient, whole, found, taken);
    return taken.size();
  }

  /** Takes the elements to send with a given threshold instead of searching for one. */
  @Benchmark
  public int takeBeyondFixed() {
    ThresholdQuantizer.take(residual, gradient, whole, tau, taken);
    return taken.size();
  }

  /** Adds the gradient to the residual, as a worker does after sending. */
  @Benchmark
  public float[] leave() {
    Vectors.add(unsent, gradient, whole);
    return unsent;
  }

  /**
   * Reads residual and gradient in one pass, for comparison with {@link #takeBeyondThreshold} and
   * {@link #leave}.
   */
  @Benchmark
  public double readBoth() {
    double sum = 0;
    double other = 0;
    for (int i = 0; i < length; i++) {
      sum += residual[i];
      other += gradient[i];
    }
    return sum + other;
  }

  @Benchmark
  public int copyAndTakeLargest() {
    System.arraycopy(gradient, 0, unsent, 0, length);
    topK.take(unsent, whole, (int) (density * length), taken);
    return taken.size();
  }

  @Benchmark
  public Optional<byte[]> encode() {
    return codec.encodeIfShorter(sent, whole);
  }

  @Benchmark
  public float[] decodeAndAdd() {
    new SparseReader(encoded, whole).addTo(sum);
    return sum;
  }

  /** Rounds all elements to 4 bits, whatever the density is. */
  @Benchmark
  public int takeLevels() {
    LevelQuantizer.take(residual, gradient, whole, taken);
    return taken.size();
  }

  @Benchmark
  public Optional<byte[]> encodeLevels() {
    return codec.encodeIfShorter(levels, whole);
  }

  @Benchmark
  public float[] decodeLevelsAndAdd() {
    new SparseReader(encodedLevels, whole).addTo(sum);
    return sum;
  }

  /** Adds the whole gradient, which replaces encoding and decoding if nothing is compressed. */
  @Benchmark
  public float[] addDense() {
    Vectors.add(sum, gradient, whole);
    return sum;
  }

  @Benchmark
  public float[] roundToBfloat16() {
    Payload.Half.round(
        HalfPrecision.BFLOAT16, Slice.view(gradient, whole), Slice.view(unsent, whole));
    return unsent;
  }

  @Benchmark
  public float[] roundToFloat16() {
    Payload.Half.round(
        HalfPrecision.FLOAT16, Slice.view(gradient, whole), Slice.view(unsent, whole));
    return unsent;
  }
}
