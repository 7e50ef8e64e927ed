package dev.braid.learner.math;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.zip.CRC32;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.nd4j.common.config.ND4JClassLoading;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOpsHolder;

/**
 * The native math library of this process, limited to one thread per worker. Parallelism comes from
 * workers: two OpenMP threads on two cores made a gradient five to seven times slower than one.
 *
 * <p>Gradients have the same bits in all processes with the same {@link #describe()}: bits depend
 * on the library, its version, and the processor core whose kernels OpenBLAS uses.
 */
public final class NativeMath {

  /** The OpenBLAS cores of current 64-bit x86 and ARM machines. */
  private static final List<String> CORES =
      List.of(
          "SKYLAKEX",
          "COOPERLAKE",
          "SAPPHIRERAPIDS",
          "ZEN",
          "HASWELL",
          "SANDYBRIDGE",
          "NEHALEM",
          "EXCAVATOR",
          "STEAMROLLER",
          "PILEDRIVER",
          "BULLDOZER",
          "BARCELONA",
          "PRESCOTT",
          "ARMV8",
          "CORTEXA57",
          "CORTEXA72",
          "NEOVERSEN1",
          "THUNDERX2T99",
          "VORTEX");

  static {
    // Must come before anything in this class loads the library.
    OpenBlasCore.choose(MathChoice.ofProcess());
    // Otherwise ND4J keeps the class loader of the thread that first uses it, and loads further
    // classes from there on first use. A job's class loader is closed with the job. ND4J outlives
    // the job, and would then fail in all later jobs.
    ND4JClassLoading.setNd4jClassloaderFromClass(Nd4j.class);
  }

  private NativeMath() {}

  /**
   * Loads the library, and limits it to one thread for work that the calling thread requests. Every
   * thread that computes must call this method; calls after the first take microseconds.
   *
   * @throws IllegalStateException if the native library for this platform does not exist or does
   *     not load
   */
  public static void useOneThread() {
    NativeLibraries.choose();
    try {
      // ND4J sets its thread counts during initialisation, which would undo earlier settings.
      Nd4j.factory().blas().setMaxThreads(1);
      NativeOpsHolder.getInstance().getDeviceNativeOps().setOmpNumThreads(1);
      NativeGarbage.hold();
    } catch (LinkageError | RuntimeException e) {
      throw new IllegalStateException(
          "ND4J's native library does not load on "
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + " ("
              + String.valueOf(rootOf(e).getMessage()).lines().findFirst().orElse("")
              + ")",
          e);
    }
  }

  /** Returns a one-line description of everything that decides the bits of a gradient. */
  public static String describe() {
    return kernels().describe();
  }

  /** Returns everything that decides the bits of a gradient that the calling thread computes. */
  public static MathKernels kernels() {
    useOneThread();
    String library =
        String.format(
            Locale.ROOT,
            "ND4J %s, OpenBLAS %s",
            version("org.nd4j", "nd4j-native"),
            version("org.bytedeco", "openblas"));
    return new MathKernels(library, core(), productChecksum());
  }

  private static String version(String group, String artifact) {
    String path = "/META-INF/maven/" + group + "/" + artifact + "/pom.properties";
    try (InputStream in = NativeMath.class.getResourceAsStream(path)) {
      if (in == null) {
        return "of unknown version";
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "of unknown version");
    } catch (IOException e) {
      return "of unknown version";
    }
  }

  /**
   * Returns the name of the core whose kernels OpenBLAS uses; its variable {@code gotoblas} points
   * to them.
   */
  private static String core() {
    Pointer chosen = Loader.addressof("gotoblas");
    if (chosen == null) {
      return "core not known";
    }
    try (PointerPointer<Pointer> variable = new PointerPointer<>(chosen)) {
      Pointer kernels = variable.get(0);
      for (String core : CORES) {
        Pointer candidate = Loader.addressof("gotoblas_" + core);
        if (candidate != null && kernels != null && candidate.address() == kernels.address()) {
          return core;
        }
      }
      return "core not known";
    }
  }

  /**
   * Returns a checksum of two matrix products and of a {@link MultiplyAdd}. The small product has
   * sides that are no multiples of any kernel's tile, so that edges count. The other is as large as
   * a layer's, so that its sums are split into blocks. Kernels may agree on one of the products and
   * differ on the other.
   */
  private static int productChecksum() {
    CRC32 checksum = new CRC32();
    addProduct(77, 77, 77, checksum);
    addProduct(100, 512, 784, checksum);
    addBits(MultiplyAdd.of(1.1f, 1.1f, -1.2f), checksum);
    return (int) checksum.getValue();
  }

  private static void addProduct(int rows, int columns, int depth, CRC32 checksum) {
    float[] values = new float[rows * columns];
    try (FloatPointer a = new FloatPointer(values(rows * depth, 7919));
        FloatPointer b = new FloatPointer(values(columns * depth, 6007));
        FloatPointer c = new FloatPointer(values.length)) {
      new MatrixProduct(rows, columns, depth, false, true).compute(a, b, c);
      c.get(values);
    }
    for (float value : values) {
      addBits(value, checksum);
    }
  }

  private static void addBits(float value, CRC32 checksum) {
    int bits = Float.floatToIntBits(value);
    for (int shift = 0; shift < 32; shift += 8) {
      checksum.update(bits >>> shift);
    }
  }

  /**
   * Returns {@code count} test values between -1/2 and 1/2, without a pattern for which sums would
   * be exact.
   */
  static float[] values(int count, int step) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = ((long) i * step % 1009) / 1009f - 0.5f;
    }
    return values;
  }

  private static Throwable rootOf(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
