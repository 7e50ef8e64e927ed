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
 * Under what conditions runs were made: what was the same for all, and what was each one's own.
 *
 * @param common by name
 * @param own of each run that has a history, by the run's name
 */
record RunConditions(Map<String, String> common, Map<String, Map<String, String>> own) {

  private static final List<String> MUST_BE_COMMON =
      List.of("--model", "--data", "--updater", "--learning-rate", "--validation");

  /** Each run has a folder of its own; and where it was kept changes nothing. */
  private static final Set<String> LEFT_OUT = Set.of("out");

  /** Those of these runs. */
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

  /** What makes figures of runs mean different things; none if nothing does. */
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

  /** What its workers computed with; of a history that does not say, what Braid would have. */
  private static String mathOf(RunHistory.Head head) {
    return head.math().isEmpty()
        ? head.nativeLibrary()
        : head.math().stream()
            .map(use -> use.kernels().describe())
            .collect(Collectors.joining(", and "));
  }

  /** The value that all runs have. */
  Optional<String> common(String name) {
    return Optional.ofNullable(common.get(name));
  }
}
