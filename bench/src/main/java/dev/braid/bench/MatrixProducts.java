package dev.braid.bench;

import dev.braid.learner.math.MatrixProduct;
import dev.braid.learner.math.NativeMath;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import org.bytedeco.javacpp.FloatPointer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Checks the correctness of the OpenBLAS kernels of this process, and measures their speed.
 * Products of random shapes, transposed or not, are compared with sums in {@code double}. The exit
 * code is 1 if a difference is greater than rounding explains. Then the products of a layer of
 * {@code mlp}, and of a large layer, are measured.
 *
 * <p>{@code OPENBLAS_CORETYPE} selects the kernels.
 */
@Command(
    name = "MatrixProducts",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description = "Correctness and GFLOP/s of the matrix products of this process's kernels.")
public final class MatrixProducts implements Callable<Integer> {

  private static final int[][] MEASURED = {
    {100, 512, 784}, {100, 10, 512}, {100, 4096, 4096}, {4096, 1024, 100}, {2500, 20, 250}
  };

  @Option(names = "--shapes", defaultValue = "3000", description = "How many random shapes.")
  private int shapes;

  @Option(names = "--longest", defaultValue = "700", description = "The longest side of one.")
  private int longest;

  @Option(names = "--seed", defaultValue = "1", description = "What shapes are drawn from.")
  private long seed;

  /** Runs the benchmark; {@code --help} lists the options. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new MatrixProducts()).execute(args));
  }

  @Override
  public Integer call() {
    System.out.print(Conditions.here());
    System.out.println("# kernels      " + NativeMath.describe());
    Random random = new Random(seed);
    double worst = 0;
    int wrong = 0;
    for (int i = 0; i < shapes; i++) {
      // Most sides are short, because mistakes are most likely at the edges of kernels' tiles.
      Operands product =
          new Operands(random, randomShape(random, random.nextInt(8) == 0 ? longest : 70));
      double error = product.error();
      worst = Math.max(worst, error);
      if (!(error <= MatrixProduct.ROUNDING)) {
        wrong++;
        System.out.printf(Locale.ROOT, "wrong: %s: %.2g%n", product, error);
      }
      product.close();
    }
    System.out.printf(
        Locale.ROOT, "%d of %d shapes wrong, largest error %.2g%n", wrong, shapes, worst);
    for (int[] sides : MEASURED) {
      MatrixProduct shape = new MatrixProduct(sides[0], sides[1], sides[2], false, false);
      try (Operands product = new Operands(random, shape)) {
        System.out.printf(
            Locale.ROOT,
            "%4d x %4d x %4d %7.1f GFLOP/s%n",
            sides[0],
            sides[1],
            sides[2],
            product.gigaflops());
      }
    }
    return wrong == 0 ? 0 : 1;
  }

  private static MatrixProduct randomShape(Random random, int longest) {
    return new MatrixProduct(
        1 + random.nextInt(longest),
        1 + random.nextInt(longest),
        1 + random.nextInt(longest),
        random.nextBoolean(),
        random.nextBoolean());
  }

  /** The matrices of a product. */
  private static final class Operands implements AutoCloseable {
    private static final int TURNS = 9;
    private static final double TURN_NANOS = 5e7;

    private final MatrixProduct product;
    private final float[] a;
    private final float[] b;
    private final FloatPointer nativeA;
    private final FloatPointer nativeB;
    private final FloatPointer nativeC;

    Operands(Random random, MatrixProduct product) {
      this.product = product;
      this.a = noise(random, product.rows() * product.depth());
      this.b = noise(random, product.depth() * product.columns());
      this.nativeA = new FloatPointer(a);
      this.nativeB = new FloatPointer(b);
      this.nativeC = new FloatPointer((long) product.rows() * product.columns());
    }

    private static float[] noise(Random random, int length) {
      float[] values = new float[length];
      for (int i = 0; i < length; i++) {
        values[i] = random.nextFloat() - 0.5f;
      }
      return values;
    }

    private void compute() {
      product.compute(nativeA, nativeB, nativeC);
    }

    double error() {
      compute();
      float[] c = new float[product.rows() * product.columns()];
      nativeC.get(c);
      return product.error(a, b, c);
    }

    /** Returns the rate of the fastest of several turns, because other load can only reduce it. */
    double gigaflops() {
      double best = 0;
      for (int turn = 0; turn < TURNS; turn++) {
        long begin = System.nanoTime();
        long products = 0;
        do {
          compute();
          products++;
        } while (System.nanoTime() - begin < TURN_NANOS);
        double nanos = (double) (System.nanoTime() - begin) / products;
        best = Math.max(best, 2.0 * product.rows() * product.columns() * product.depth() / nanos);
      }
      return best;
    }

    @Override
    public void close() {
      nativeA.close();
      nativeB.close();
      nativeC.close();
    }

    @Override
    public String toString() {
      return product.rows()
          + " x "
          + product.columns()
          + " x "
          + product.depth()
          + (product.aTransposed() ? ", A transposed" : "")
          + (product.bTransposed() ? ", B transposed" : "");
    }
  }
}
