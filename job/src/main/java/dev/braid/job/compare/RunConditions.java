package dev.braid.job.compare;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.run.result.RunHistory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Conditions of runs: those common to all, and each run's own.
 *
 * @param common values by name
 * @param own values by name of each run that has a history, by the run's name
 */
record RunConditions(Map<String, String> common, Map<String, Map<String, String>> own) {

  private static final List<String> MUST_BE_COMMON =
      List.of("--model", "--data", "--updater", "--learning-rate", "--validation");

  /** Options left out, because the place of a run's results does not affect its figures. */
  private static final Set<String> LEFT_OUT = Set.of("out");

  /** Returns the conditions of these runs. */
  static RunConditions of(List<ComparedRun> runs) {
    Map<String, Map<String, String>> own = new LinkedHashMap<>();
    for (ComparedRun run : runs) {
      run.history().ifPresent(history -> own.put(run.name(), all(history.head())));
    }
    Map<String, String> common =
        new LinkedHashMap<>(own.values().stream().findFirst().orElse(Map.of()));
    common
        .entrySet()
        .removeIf(
            entry ->
                own.values().stream()
                    .anyMatch(run -> !entry.getValue().equals(run.get(entry.getKey()))));
    own.values().forEach(run -> run.keySet().removeAll(common.keySet()));
    return new RunConditions(common, own);
  }

  /** Returns a warning if conditions differ that make the figures incomparable. */
  Optional<String> warning() {
    List<String> different =
        MUST_BE_COMMON.stream()
            .filter(name -> own.values().stream().anyMatch(run -> run.containsKey(name)))
            .toList();
    return different.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The runs differ in "
                + String.join(" and ", different)
                + ", so the exchange is not the only cause of different figures.");
  }

  private static Map<String, String> all(RunHistory.Head head) {
    Map<String, String> all = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> option : head.options().properties()) {
      if (!LEFT_OUT.contains(option.getKey())) {
        all.put("--" + option.getKey(), option.getValue().asText());
      }
    }
    all.put("Braid", head.braid());
    all.put("Flink", head.flink());
    all.put("JVM", head.java());
    all.put("math library", mathOf(head));
    all.put("machine", head.machine());
    all.put("started", head.started());
    return all;
  }

  /**
   * Returns the math library of the workers; if the history does not record it, the native library.
   */
  private static String mathOf(RunHistory.Head head) {
    return head.math().isEmpty()
        ? head.nativeLibrary()
        : head.math().stream()
            .map(use -> use.kernels().describe())
            .collect(Collectors.joining(", and "));
  }

  /** Returns the value that all runs have; empty if they differ. */
  Optional<String> common(String name) {
    return Optional.ofNullable(common.get(name));
  }
}
