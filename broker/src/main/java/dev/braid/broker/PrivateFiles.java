package dev.braid.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Files with secrets: only their owner can read them, from their first byte on. */
final class PrivateFiles {

  private PrivateFiles() {}

  /** Makes a folder, unless it is there: then what is in it stays. */
  static void folder(Path folder) throws IOException {
    Set<PosixFilePermission> owners = PosixFilePermissions.fromString("rwx------");
    if (Files.isDirectory(folder)) {
      Files.setPosixFilePermissions(folder, owners);
    } else {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(owners));
    }
  }

  /**
   * Writes a file of properties, as Kafka's clients read them: a line for each. The file is there
   * only when it is whole.
   */
  static void write(Path file, String comment, Map<String, String> properties) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.deleteIfExists(part);
    Files.createFile(
        part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    String lines =
        properties.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + escaped(entry.getValue()))
            .collect(Collectors.joining("\n", "# " + comment + "\n", "\n"));
    Files.writeString(part, lines, StandardCharsets.UTF_8);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n");
  }
}
