package dev.braid.job.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Check that a cluster's class path has the libraries that Braid expects, as jars with names such
 * as {@code nd4j-api-1.0.0-M2.1.jar}, optionally with a classifier after the version.
 */
final class LibraryCheck {

  private static final String JAR = ".jar";

  /** Jars of Flink itself. If none has such a name, other missing names prove nothing. */
  private static final List<String> FLINK = List.of("flink-dist", "flink-runtime");

  private final List<String> files;

  private LibraryCheck(List<String> files) {
    this.files = files;
  }

  /**
   * Returns a sentence on missing or different libraries; empty if there are none.
   *
   * @param classPath the JobManager's class path; Flink does not report that of other processes
   * @param expected versions by name
   */
  static Optional<String> of(List<String> classPath, Map<String, String> expected) {
    LibraryCheck check =
        new LibraryCheck(
            classPath.stream()
                .map(entry -> entry.substring(entry.lastIndexOf('/') + 1))
                .filter(file -> file.endsWith(JAR))
                .toList());
    return FLINK.stream().allMatch(name -> check.versions(name).isEmpty())
        ? Optional.empty()
        : check.complaint(expected);
  }

  private Optional<String> complaint(Map<String, String> expected) {
    List<String> complaints = new ArrayList<>();
    expected.forEach(
        (name, version) -> {
          List<String> found = versions(name);
          if (found.isEmpty()) {
            complaints.add("no " + name);
          } else if (found.stream().noneMatch(it -> (it + "-").startsWith(version + "-"))) {
            complaints.add(name + " " + found.get(0) + ", not " + version);
          }
        });
    return complaints.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the JobManager's class path has "
                + String.join("; ", complaints)
                + ": copy all jars of the folder cluster-lib, which is next to braid.jar, to "
                + "Flink's lib folder on every machine, and restart Flink");
  }

  /** Returns the versions of the jars with this name, each with its classifier. */
  private List<String> versions(String name) {
    return files.stream()
        .filter(file -> file.startsWith(name + "-"))
        .map(file -> file.substring(name.length() + 1, file.length() - JAR.length()))
        .filter(version -> !version.isEmpty() && Character.isDigit(version.charAt(0)))
        .toList();
  }
}
