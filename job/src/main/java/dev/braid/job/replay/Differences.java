package dev.braid.job.replay;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.run.training.Recomputation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Search for the first differences of two recorded runs. */
final class Differences {

  /** Options that only name places and ports. */
  private static final List<String> PLACES =
      List.of("out:", "checkpoint-dir:", "restore:", "web-port:", "metrics-port:");

  private Differences() {}

  /** Returns the differences, one line each, or a single line if there are none. */
  static List<String> between(RecordedRun one, RecordedRun other) {
    List<String> lines = new ArrayList<>();
    if (!one.began().topicId().equals(other.began().topicId())) {
      lines.add(
          "topics: %s (id %s) and %s (id %s)"
              .formatted(
                  one.began().topic(),
                  one.began().topicId(),
                  other.began().topic(),
                  other.began().topicId()));
    }
    List<String> options = new ArrayList<>(options(one));
    options.removeAll(options(other));
    options.forEach(option -> lines.add("options: only the first run has '" + option + "'"));
    long rounds = Math.min(one.rounds(), other.rounds());
    Optional<Long> deal = firstOtherDeal(one, other, rounds);
    deal.ifPresent(
        round ->
            lines.add(
                "samples: round %,d is the first with different samples: %s and %s"
                    .formatted(round, samples(one, round), samples(other, round))));
    one.digests().entrySet().stream()
        .filter(digest -> other.digests().containsKey(digest.getKey()))
        .filter(digest -> !digest.getValue().equals(other.digests().get(digest.getKey())))
        .findFirst()
        .ifPresent(
            digest ->
                lines.add(
                    "model: round %,d is the first with different digests: %s and %s"
                        .formatted(
                            digest.getKey(),
                            digest.getValue(),
                            other.digests().get(digest.getKey()))));
    if (lines.isEmpty()) {
      lines.add("no difference in the %,d rounds that both runs have".formatted(rounds));
    } else {
      lines.add("the runs differ");
    }
    return lines;
  }

  /** Returns the lines of the options, without those that only name places and ports. */
  private static List<String> options(RecordedRun run) {
    return run.began()
        .runFile()
        .lines()
        .map(String::strip)
        .filter(line -> PLACES.stream().noneMatch(line::startsWith))
        .toList();
  }

  private static Optional<Long> firstOtherDeal(RecordedRun one, RecordedRun other, long rounds) {
    for (long round = 0; round < rounds; round++) {
      if (!samples(one, round).equals(samples(other, round))) {
        return Optional.of(round);
      }
    }
    return Optional.empty();
  }

  private static String samples(RecordedRun run, long round) {
    Deal deal = Recomputation.dealOf(run, round);
    List<String> shares = new ArrayList<>();
    for (int worker = 0; worker < deal.workers(); worker++) {
      shares.add(deal.batch(worker, round).toString());
    }
    return String.join(" | ", shares);
  }
}
