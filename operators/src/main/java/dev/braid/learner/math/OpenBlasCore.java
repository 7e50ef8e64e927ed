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
 * Which of its kernels OpenBLAS computes with. It would take those that were written for the
 * processor it finds itself on, and machines that differ would give other bits for the same
 * product. So it is told to take Haswell's, which every processor with AVX2 can run, and which take
 * no longer for gradients of the default model; or, where speed is asked for, those with AVX-512.
 *
 * <p>OpenBLAS reads its environment when it is loaded, and has no other way to be told. Java cannot
 * change the environment of its own process, hence the C library's {@code setenv}: a launcher could
 * set the variable, but not for the TaskManagers of a cluster.
 */
final class OpenBlasCore {

  private static final Logger LOG = LoggerFactory.getLogger(OpenBlasCore.class);

  private static final String VARIABLE = "OPENBLAS_CORETYPE";

  /**
   * A core with the kernels that OpenBLAS has for it.
   *
   * @param name by which OpenBLAS knows it
   * @param needed what these kernels need of a processor
   */
  private record Core(String name, List<String> needed) {}

  private static final Core HASWELL = new Core("Haswell", List.of("avx2", "fma"));

  /** OpenBLAS does not take them by itself on processors that are younger than it is. */
  private static final Core SKYLAKE_X =
      new Core("SkylakeX", List.of("avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"));

  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final int REPLACE = 1;

  private OpenBlasCore() {}

  /**
   * Takes effect before OpenBLAS is loaded; what the user has set stays. On other systems than
   * Linux, and older processors, OpenBLAS chooses by itself.
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

  /** Whether there are kernels with AVX-512 that this processor can run. */
  static boolean hasLongVectors() {
    return hasAll(SKYLAKE_X.needed);
  }

  /** The core that the user's environment says. */
  static Optional<String> ofUser() {
    return Optional.ofNullable(System.getenv(VARIABLE)).filter(core -> !core.isEmpty());
  }

  private static void set(String variable, String value) {
    try {
      NativeLibrary.getProcess()
          .getFunction("setenv")
          .invokeInt(new Object[] {variable, value, REPLACE});
    } catch (LinkageError | RuntimeException e) {
      // Gradients are as right; where other machines' have other bits, the job will say so.
      LOG.warn("{} cannot be set to {}: OpenBLAS chooses its kernels itself", variable, value, e);
    }
  }

  /** Whether this system tells what the processor has. */
  static boolean knowsFeatures() {
    return Files.isReadable(PROCESSORS);
  }

  /** Whether the processor has these features, by the names that Linux gives them. */
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
