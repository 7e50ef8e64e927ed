package dev.braid.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes files with secrets, which only their owner can read from the moment they exist. */
final class PrivateFiles {

  private PrivateFiles() {}

  /** Creates a folder for its owner only. If the folder exists, its contents are kept. */
  static void folder(Path folder) throws IOException {
    Set<PosixFilePermission> owners = PosixFilePermissions.fromString("rwx------");
    if (Files.isDirectory(folder)) {
      Files.setPosixFilePermissions(folder, owners);
    } else {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(owners));
    }
  }

  /**
   * Writes a properties file for Kafka's clients, one line per property. The file becomes visible
   * only when it is complete.
   */
  static void write(Path file, String comment, Map<String, String> properties) throws IOException {
    Stream<String> lines =
        properties.entrySet().stream().map(entry -> line(entry.getKey(), entry.getValue()));
    write(file, Stream.concat(Stream.of("# " + comment), lines));
  }

  /** Replaces or adds one property of such a file; all other lines are kept. */
  static void replace(Path file, String key, String value) throws IOException {
    List<String> before = Files.readAllLines(file, StandardCharsets.UTF_8);
    Stream<String> others = before.stream().filter(line -> !line.startsWith(key + "="));
    write(file, Stream.concat(others, Stream.of(line(key, value))));
  }

  private static void write(Path file, Stream<String> lines) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.deleteIfExists(part);
    Files.createFile(
        part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(
        part, lines.collect(Collectors.joining("\n", "", "\n")), StandardCharsets.UTF_8);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String line(String key, String value) {
    return key + "=" + escaped(value);
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n");
  }
}
