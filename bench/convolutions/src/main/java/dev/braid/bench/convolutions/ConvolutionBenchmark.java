package dev.braid.bench.convolutions;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Measures the convolutions of {@code cnn}, forward and backward, in milliseconds per batch, by one
 * of several implementations. {@code bench/convolutions/run} runs all of them in turns.
 */
public final class ConvolutionBenchmark {

  /** Number of samples in a batch. */
  static final int BATCH = 100;

  private static final int WARM_UP_TURNS = 3;
  private static final int MEASURED_TURNS = 5;

  private ConvolutionBenchmark() {}

  /**
   * A convolution with a border, so that images keep their size.
   *
   * @param side height and width of an image in pixels
   * @param inputs number of channels of an input image
   * @param outputs number of kernels
   */
  record Layer(int side, int inputs, int outputs) {
    static final int KERNEL = 5;
    static final int PADDING = KERNEL / 2;

    /** Returns whether this is the first layer, whose gradient by the images is not needed. */
    boolean isFirst() {
      return inputs == 1;
    }
  }

  static final List<Layer> LAYERS =
      List.of(new Layer(28, 1, 10), new Layer(14, 10, 20), new Layer(7, 20, 100));

  /**
   * Measures one implementation.
   *
   * @param args {@code braid}, {@code nd4j} or {@code dnnl}; and the shortest duration of a turn in
   *     milliseconds
   */
  public static void main(String[] args) {
    double millis = Double.parseDouble(args[1]);
    Runnable steps =
        switch (args[0]) {
          case "braid" -> new BraidConvolutions();
          case "nd4j" -> new Nd4jConvolutions();
          case "dnnl" -> new DnnlConvolutions();
          default -> throw new IllegalArgumentException("braid, nd4j or dnnl, not " + args[0]);
        };
    for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
      millisPerStep(steps, millis);
    }
    double[] measured = new double[MEASURED_TURNS];
    Arrays.setAll(measured, turn -> millisPerStep(steps, millis));
    Arrays.sort(measured);
    System.out.printf(Locale.ROOT, "%s %.3f%n", args[0], measured[MEASURED_TURNS / 2]);
    // ND4J has threads that do not end.
    System.exit(0);
  }

  private static double millisPerStep(Runnable steps, double millis) {
    long begin = System.nanoTime();
    int done = 0;
    double elapsed;
    do {
      steps.run();
      done++;
      elapsed = (System.nanoTime() - begin) / 1e6;
    } while (elapsed < millis);
    return elapsed / done;
  }

  /** Returns random values between -1/2 and 1/2. */
  static float[] noise(int length, long seed) {
    Random random = new Random(seed);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return values;
  }

  /**
   * Checks some outputs, in the order batch, kernel, y, x, because a benchmark of wrong results is
   * meaningless.
   */
  static void check(Layer layer, float[] images, float[] weights, float[] outputs) {
    int side = layer.side();
    for (int place = 0; place < outputs.length; place += 997) {
      int x = place % side;
      int y = place / side % side;
      int kernel = place / (side * side) % layer.outputs();
      int sample = place / (side * side) / layer.outputs();
      double sum = 0;
      for (int channel = 0; channel < layer.inputs(); channel++) {
        for (int v = 0; v < Layer.KERNEL; v++) {
          for (int u = 0; u < Layer.KERNEL; u++) {
            int row = y + v - Layer.PADDING;
            int column = x + u - Layer.PADDING;
            if (row >= 0 && row < side && column >= 0 && column < side) {
              int image = ((sample * layer.inputs() + channel) * side + row) * side + column;
              int tap = ((kernel * layer.inputs() + channel) * Layer.KERNEL + v) * Layer.KERNEL + u;
              sum += (double) images[image] * weights[tap];
            }
          }
        }
      }
      if (Math.abs(sum - outputs[place]) > 1e-4) {
        throw new IllegalStateException(layer + ": " + outputs[place] + " and not " + sum);
      }
    }
  }
}
