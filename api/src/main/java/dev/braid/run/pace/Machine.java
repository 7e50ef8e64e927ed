package dev.braid.run.pace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** Machine and JVM that a run's times depend on. */
public final class Machine {

  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  private Machine() {}

  /** Describes processor, cores and operating system in a line. */
  public static String describe() {
    return String.format(
        Locale.ROOT,
        "%s, %d cores, %s %s",
        processor(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.version"));
  }

  /** Describes the JVM and its maximum heap in a line. */
  public static String jvm() {
    return String.format(
        Locale.ROOT,
        "%s %s, heap up to %d MiB",
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version"),
        Runtime.getRuntime().maxMemory() >> 20);
  }

  /** Returns the processor's name on Linux; elsewhere its architecture. */
  private static String processor() {
    String otherwise = System.getProperty("os.arch");
    if (!Files.isReadable(PROCESSORS)) {
      return otherwise;
    }
    try (Stream<String> lines = Files.lines(PROCESSORS, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(otherwise);
    } catch (IOException e) {
      return otherwise;
    }
  }
}
