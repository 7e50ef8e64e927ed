package dev.braid.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Collectors;

/** Files with secrets: only their owner can read them, from their first byte on. */
final class PrivateFiles {

  private PrivateFiles() {}

  /** Makes a folder, unless it is there: then it stays as it is, with what is in it. */
  static void folder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /** Writes a file of properties, as Kafka's clients read them: a line for each. */
  static void write(Path file, String comment, Map<String, String> properties) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    String lines =
        properties.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + escaped(entry.getValue()))
            .collect(Collectors.joining("\n", "# " + comment + "\n", "\n"));
    Files.writeString(file, lines, StandardCharsets.UTF_8);
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n");
  }
}
