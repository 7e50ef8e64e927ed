package dev.braid.job.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Place in which a process number is valid: not on another machine, in another container, or after
 * a restart. A component is empty where the system does not provide it.
 *
 * @param host the machine's name
 * @param boot id of the machine's last start
 * @param namespace id of the namespace of process numbers, which containers have
 * @param user name of the user who started the process
 */
record ProcessPlace(String host, String boot, String namespace, String user) {

  private static final Path KERNEL = Path.of("/proc/sys/kernel");
  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

  /** Number of the first process, which every user sees unless the system hides processes. */
  private static final long FIRST = 1;

  /** Returns the place of this process. */
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

  /** Returns whether this is the same machine before its last restart. */
  boolean isPast(ProcessPlace now) {
    return host.equals(now.host) && !boot.equals(now.boot);
  }

  /** Returns why processes of this place cannot be seen from another; empty if they can. */
  Optional<String> hidden(ProcessPlace from) {
    if (!boot.equals(from.boot)) {
      return Optional.of("it was started on another machine, " + host);
    }
    if (!namespace.equals(from.namespace)) {
      return Optional.of("it was started in another container (host name " + host + ")");
    }
    return Optional.empty();
  }

  /** Returns whether the system hides this user's processes from another user. */
  boolean isOfHiddenUser(ProcessPlace from) {
    return !user.equals(from.user) && ProcessHandle.of(FIRST).isEmpty();
  }
}
