package dev.braid.api;

import dev.braid.api.score.PublishedModels;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ChosenExchange;
import dev.braid.run.report.Publishing;
import dev.braid.run.report.reported.PendingVersions;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.training.InvalidTrainingException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Settings of a training. A change is made to a copy; nothing else changes an instance. */
final class Settings {

  private static final int MOST_WORKERS = 1024;

  final Network network;
  int workers = 2;
  ChosenExchange exchange = ChosenExchange.of("ring");
  Optional<Optimizer> optimizer = Optional.empty();
  int batchSize = 100;
  long seed = 1;
  Duration maxBatchWait = Duration.ofMillis(200);
  int window = 1000;
  double holdout;
  boolean standardized;
  private Optional<String> results = Optional.empty();
  private Optional<Publish> publish = Optional.empty();

  /** Registry of versions of the model, and the time between two versions. */
  private record Publish(PublishedModels models, Duration every) {}

  Settings(Network network) {
    this.network = network;
  }

  /** Returns a copy with a change. */
  Settings with(Consumer<Settings> change) {
    Settings copy = new Settings(network);
    copy.workers = workers;
    copy.exchange = exchange;
    copy.optimizer = optimizer;
    copy.batchSize = batchSize;
    copy.seed = seed;
    copy.maxBatchWait = maxBatchWait;
    copy.window = window;
    copy.holdout = holdout;
    copy.standardized = standardized;
    copy.results = results;
    copy.publish = publish;
    change.accept(copy);
    copy.check();
    return copy;
  }

  void results(String folder) {
    results = Optional.of(folder);
  }

  void publish(PublishedModels models, Duration every) {
    publish = Optional.of(new Publish(models, every));
  }

  /**
   * Returns where versions of the model are published; empty if they are not.
   *
   * @param data what the model is trained on
   * @param lineage place of the lineage; empty if there is none
   * @param samples topic of the samples, if they come from one
   */
  List<Publishing> publishing(String data, String lineage, List<StreamTopic> samples) {
    return publish.stream()
        .map(
            it ->
                new Publishing(
                    it.models.registry(),
                    new PendingVersions.Pace(0, it.every.toMillis()),
                    data,
                    lineage,
                    samples))
        .toList();
  }

  private void check() {
    require(workers >= 1 && workers <= MOST_WORKERS, "workers", workers, "1 to " + MOST_WORKERS);
    require(batchSize >= 1, "batch size", batchSize, "1 or more");
    require(window >= 1, "window", window, "1 round or more");
    require(
        !maxBatchWait.isNegative() && maxBatchWait.toMillis() > 0,
        "longest wait for a batch",
        maxBatchWait.toMillis() + " ms",
        "1 ms or more");
    require(
        publish.stream().noneMatch(it -> it.every.isNegative()),
        "time between versions",
        publish.map(it -> it.every.toMillis() + " ms").orElse(""),
        "0 or more");
    require(holdout >= 0 && holdout < 1, "holdout", holdout, "0 or more, and less than 1,");
  }

  private static void require(boolean isRight, String name, Object value, String needed) {
    if (!isRight) {
      throw new InvalidTrainingException(name, "%s: %s is needed".formatted(value, needed));
    }
  }

  ExchangeOptions exchangeOptions() {
    ExchangeOptions options = new ExchangeOptions(workers, batchSize, exchange.chosen());
    exchange
        .type()
        .descriptor()
        .mistake(options)
        .ifPresent(
            mistake -> {
              throw new InvalidTrainingException("exchange", exchange + ": " + mistake);
            });
    return options;
  }

  /** Returns the number of workers and of servers that compute nothing. */
  int ranks() {
    return workers + exchangeOptions().dedicatedServers();
  }

  String place() {
    return results.orElseThrow(
        () ->
            new InvalidTrainingException(
                "results", "are not given: a run needs a folder for the model and its history"));
  }

  String lineage() {
    return EarlierResults.in(place(), EarlierResults.LINEAGE);
  }

  /** Returns the settings by name, for the history. */
  Map<String, Object> shown() {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("workers", workers);
    shown.put("exchange", exchange.toString());
    shown.put("model", network.model());
    shown.put("batch", batchSize);
    shown.put("seed", seed);
    shown.put("out", place());
    if (standardized) {
      shown.put("standardize", true);
    }
    return shown;
  }
}
