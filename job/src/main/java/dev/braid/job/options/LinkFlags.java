package dev.braid.job.options;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.exchange.option.Bandwidth;
import dev.braid.exchange.option.TypedTime;
import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Option of {@code braid train} that emulates a slower network. */
final class LinkFlags {

  private static final String OPTION = "--links";

  private static final Duration LONGEST_LATENCY = Duration.ofMinutes(1);

  @Option(
      names = OPTION,
      paramLabel = "RATE|TIME|RATE/TIME",
      description = {
        "Shape the links: RATE limits what each worker sends to and receives from all "
            + "others together, such as 50mbit or 1gbit; TIME delays each message, such as "
            + "2ms. Or both, such as 50mbit/2ms.",
        "Default: links are not shaped"
      })
  private String links;

  /**
   * Returns the shape of links; empty if they are not shaped.
   *
   * @throws UsageException if it is impossible
   */
  Optional<LinkShape> shape() {
    if (links == null) {
      return Optional.empty();
    }
    String[] parts = links.split("/", -1);
    boolean hasRate = parts.length == 2 || parts[0].endsWith("bit");
    boolean hasTime = parts.length == 2 || !hasRate;
    if (parts.length > 2) {
      throw mistake("must be a rate, a time, or RATE/TIME, such as 50mbit/2ms", null);
    }
    try {
      double rate = hasRate ? Bandwidth.bytesPerSecond(parts[0]) : Double.POSITIVE_INFINITY;
      Duration late = hasTime ? TypedTime.read(parts[parts.length - 1]) : Duration.ZERO;
      if (late.compareTo(LONGEST_LATENCY) > 0) {
        throw mistake("at most 1min is possible", null);
      }
      return Optional.of(new LinkShape(rate, late.toNanos()));
    } catch (IllegalArgumentException e) {
      throw mistake(e.getMessage() + (hasRate ? "" : "; or a rate: 50mbit"), e);
    }
  }

  private UsageException mistake(String needed, Throwable cause) {
    return new UsageException(OPTION + " " + links + ": " + needed, cause);
  }

  /** Adds the option for a shape, by its name on the command line. */
  static void put(Map<String, Object> json, LinkShape shape) {
    List<String> parts = new ArrayList<>();
    if (shape.bytesPerSecond() != Double.POSITIVE_INFINITY) {
      parts.add(Bandwidth.title(shape.bytesPerSecond()));
    }
    if (shape.latencyNanos() > 0 || parts.isEmpty()) {
      parts.add(Typed.time(Duration.ofNanos(shape.latencyNanos())));
    }
    json.put("links", String.join("/", parts));
  }
}
