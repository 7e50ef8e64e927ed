package dev.braid.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The conditions on which a benchmark's results depend: machine, JVM, library versions and
 * environment.
 */
public final class Conditions {

  private static final List<String> LIBRARIES =
      List.of("flink-runtime", "deeplearning4j-nn", "nd4j-native", "openblas", "onnxruntime");
  private static final List<String> VARIABLES = List.of("OMP_NUM_THREADS", "OPENBLAS_CORETYPE");

  private Conditions() {}

  /** Returns the conditions of this process, as comment lines that begin with #. */
  public static String here() {
    Runtime runtime = Runtime.getRuntime();
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    String libraries = System.getProperty("java.class.path");
    return String.format(
        Locale.ROOT,
        """
        # machine      %s, %d cores, load %.1f, %s %s
        # jvm          %s %s, heap %d MiB
        # versions     %s
        # environment  %s
        """,
        processor(),
        runtime.availableProcessors(),
        system.getSystemLoadAverage(),
        system.getName(),
        system.getVersion(),
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version"),
        runtime.maxMemory() >> 20,
        LIBRARIES.stream()
            .map(name -> name + " " + version(name, libraries).orElse("-"))
            .collect(Collectors.joining(", ")),
        VARIABLES.stream()
            .map(name -> name + "=" + Optional.ofNullable(System.getenv(name)).orElse(""))
            .collect(Collectors.joining(" ")));
  }

  /** Returns the version of a library, by the name of its jar on this class path. */
  static Optional<String> version(String library, String classPath) {
    Matcher jar =
        Pattern.compile("[/\\\\]" + Pattern.quote(library) + "-(\\d[^/\\\\]*?)\\.jar")
            .matcher(classPath);
    return jar.find() ? Optional.of(jar.group(1)) : Optional.empty();
  }

  private static String processor() {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(info)) {
      return System.getProperty("os.arch");
    }
    try (Stream<String> lines = Files.lines(info)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + info, e);
    }
  }
}
