package dev.braid.learner.math;

import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The choice of the kernels with which OpenBLAS computes. By default OpenBLAS takes kernels for the
 * processor that it runs on, so that different machines compute different bits for the same
 * product. Braid therefore selects Haswell's kernels, which run on every processor with AVX2 and
 * take no longer for gradients of the default model. If the user prefers speed, it selects kernels
 * with AVX-512.
 *
 * <p>OpenBLAS reads an environment variable when it is loaded, and has no other setting. Java
 * cannot change the environment of its own process, so this class calls the C library's {@code
 * setenv}. A launcher could set the variable, but not for the TaskManagers of a cluster.
 */
final class OpenBlasCore {

  private static final Logger LOG = LoggerFactory.getLogger(OpenBlasCore.class);

  private static final String VARIABLE = "OPENBLAS_CORETYPE";

  /**
   * A processor core for which OpenBLAS has kernels.
   *
   * @param name OpenBLAS's name for the core
   * @param needed processor features that the core's kernels need
   */
  private record Core(String name, List<String> needed) {}

  private static final Core HASWELL = new Core("Haswell", List.of("avx2", "fma"));

  /**
   * Kernels with AVX-512. OpenBLAS does not choose them automatically on processors that are newer
   * than its own version.
   */
  private static final Core SKYLAKE_X =
      new Core("SkylakeX", List.of("avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"));

  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final int REPLACE = 1;

  private OpenBlasCore() {}

  /**
   * Selects kernels; must be called before OpenBLAS is loaded. A core that the user has set is
   * kept. OpenBLAS chooses by itself on systems other than Linux, and on processors without AVX2.
   */
  static void choose(MathChoice choice) {
    if (ofUser().isPresent()) {
      return;
    }
    if (choice == MathChoice.FASTEST && hasLongVectors()) {
      set(VARIABLE, SKYLAKE_X.name);
    } else if (hasAll(HASWELL.needed)) {
      set(VARIABLE, HASWELL.name);
    }
  }

  /** Returns whether this processor can run the kernels with AVX-512. */
  static boolean hasLongVectors() {
    return hasAll(SKYLAKE_X.needed);
  }

  /** Returns the core that the user's environment sets; empty if it sets none. */
  static Optional<String> ofUser() {
    return Optional.ofNullable(System.getenv(VARIABLE)).filter(core -> !core.isEmpty());
  }

  private static void set(String variable, String value) {
    try {
      NativeLibrary.getProcess()
          .getFunction("setenv")
          .invokeInt(new Object[] {variable, value, REPLACE});
    } catch (LinkageError | RuntimeException e) {
      // Gradients are still correct; if other machines compute other bits, the job reports it.
      LOG.warn("{} cannot be set to {}: OpenBLAS chooses its kernels itself", variable, value, e);
    }
  }

  /** Returns whether this system lists the processor's features. */
  static boolean knowsFeatures() {
    return Files.isReadable(PROCESSORS);
  }

  /** Returns whether the processor has all of these features, in Linux's names. */
  static boolean hasAll(List<String> features) {
    if (!knowsFeatures()) {
      return false;
    }
    try (Stream<String> lines = Files.lines(PROCESSORS, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.startsWith("flags"))
          .findFirst()
          .map(line -> Arrays.asList(line.substring(line.indexOf(':') + 1).strip().split(" ", -1)))
          .filter(flags -> flags.containsAll(features))
          .isPresent();
    } catch (IOException e) {
      return false;
    }
  }
}
