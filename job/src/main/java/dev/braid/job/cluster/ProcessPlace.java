package dev.braid.job.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a process runs: a number of a process means nothing on another machine, in another
 * container, or after a restart. Each text is empty where the system does not tell.
 *
 * @param host the machine's name
 * @param boot what the system is called since its last start
 * @param namespace the container, as far as numbers of processes go
 * @param user whose process it is
 */
record ProcessPlace(String host, String boot, String namespace, String user) {

  private static final Path KERNEL = Path.of("/proc/sys/kernel");
  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

  /** The first process of a system, which everybody sees unless the system hides processes. */
  private static final long FIRST = 1;

  /** The place of this process. */
  static ProcessPlace here() {
    return new ProcessPlace(
        line(KERNEL.resolve("hostname")),
        line(KERNEL.resolve("random/boot_id")),
        link(NAMESPACE),
        word(System.getProperty("user.name", "")));
  }

  private static String line(Path file) {
    try {
      return word(Files.readString(file));
    } catch (IOException e) {
      return "";
    }
  }

  private static String link(Path link) {
    try {
      return word(Files.readSymbolicLink(link).toString());
    } catch (IOException e) {
      return "";
    }
  }

  private static String word(String text) {
    return text.strip().replaceAll("\\s", "_");
  }

  /** Whether the machine has been started again since a process ran at this place. */
  boolean isPast(ProcessPlace now) {
    return host.equals(now.host) && !boot.equals(now.boot);
  }

  /** Why a process of this place cannot be seen from another; empty if it can. */
  Optional<String> hidden(ProcessPlace from) {
    if (!boot.equals(from.boot)) {
      return Optional.of("it was started on another machine, " + host);
    }
    if (!namespace.equals(from.namespace)) {
      return Optional.of("it was started in another container (host name " + host + ")");
    }
    return Optional.empty();
  }

  /** Whether this process's system hides the processes of that user. */
  boolean isOfHiddenUser(ProcessPlace from) {
    return !user.equals(from.user) && ProcessHandle.of(FIRST).isEmpty();
  }
}
