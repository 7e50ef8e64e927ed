package dev.braid.job.options;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.exchange.option.Bandwidth;
import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code braid train} that make a slow network of a fast one. */
final class LinkFlags {

  private static final String BANDWIDTH = "--link-bandwidth";
  private static final String LATENCY = "--link-latency";

  private static final Duration LONGEST_LATENCY = Duration.ofMinutes(1);

  @Option(
      names = BANDWIDTH,
      paramLabel = "RATE",
      description = {
        "Shape the links: each worker sends no more than this to all others together, such as"
            + " 50mbit, 1gbit, and receives no more.",
        "Default: as the network is"
      })
  private String bandwidth;

  @Option(
      names = LATENCY,
      paramLabel = "TIME",
      description = {
        "Shape the links: every message is late by this, such as 2ms.",
        "Default: as the network is"
      })
  private Duration latency;

  /**
   * The shape that links are to have, if any.
   *
   * @throws UsageException if it is impossible
   */
  Optional<LinkShape> shape() {
    if (bandwidth == null && latency == null) {
      return Optional.empty();
    }
    if (latency != null && latency.compareTo(LONGEST_LATENCY) > 0) {
      throw new UsageException(LATENCY + " " + Typed.time(latency) + ": at most 1min is possible");
    }
    return Optional.of(
        new LinkShape(
            bandwidth == null ? Double.POSITIVE_INFINITY : bytesPerSecond(bandwidth),
            latency == null ? 0 : latency.toNanos()));
  }

  /** Adds the options that give this shape, by their names. */
  static void put(Map<String, Object> json, LinkShape shape) {
    if (shape.bytesPerSecond() != Double.POSITIVE_INFINITY) {
      json.put("link-bandwidth", Bandwidth.title(shape.bytesPerSecond()));
    }
    if (shape.latencyNanos() > 0) {
      json.put("link-latency", Duration.ofNanos(shape.latencyNanos()).toString());
    }
  }

  private static double bytesPerSecond(String text) {
    try {
      return Bandwidth.bytesPerSecond(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(BANDWIDTH + " " + text + ": " + e.getMessage(), e);
    }
  }
}
