package dev.braid.job.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a cluster's class path has the libraries that Braid expects there, as jars of these
 * names: {@code nd4j-api-1.0.0-M2.1.jar}, or with what further tells their kind behind the version.
 */
final class LibraryCheck {

  private static final String JAR = ".jar";

  /** Where Flink itself is no jar of such a name, the absence of others means nothing. */
  private static final List<String> FLINK = List.of("flink-dist", "flink-runtime");

  private final List<String> files;

  private LibraryCheck(List<String> files) {
    this.files = files;
  }

  /**
   * What is missing or different, in a sentence.
   *
   * @param classPath of the JobManager; no other process's is told
   * @param expected versions by names
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
                + ": copy all of job/target/cluster-lib to Flink's lib folder on every machine, "
                + "and restart Flink");
  }

  /** Of the jars of this name; with the kind behind. */
  private List<String> versions(String name) {
    return files.stream()
        .filter(file -> file.startsWith(name + "-"))
        .map(file -> file.substring(name.length() + 1, file.length() - JAR.length()))
        .filter(version -> !version.isEmpty() && Character.isDigit(version.charAt(0)))
        .toList();
  }
}
