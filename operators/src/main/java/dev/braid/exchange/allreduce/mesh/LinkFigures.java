package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshCost;
import dev.braid.exchange.option.Bandwidth;
import dev.braid.exchange.option.TypedTime;
import dev.braid.exchange.option.ValueForm;
import java.time.Duration;
import java.util.Locale;

/** What links are like, as users type it: a bandwidth, a slash and a latency. */
final class LinkFigures {

  static final ValueForm<MeshCost.Links> FORM =
      new ValueForm<>(MeshCost.Links.class, LinkFigures::read, LinkFigures::shown);

  private static final double NANOS_PER_SECOND = 1e9;

  private LinkFigures() {}

  private static MeshCost.Links read(String text) {
    String[] parts = text.strip().split("/", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException(
          "a bandwidth and a latency are needed, such as 10gbit/100us");
    }
    Duration latency = TypedTime.read(parts[1]);
    return new MeshCost.Links(
        Bandwidth.bytesPerSecond(parts[0]), latency.toNanos() / NANOS_PER_SECOND);
  }

  private static String shown(MeshCost.Links links) {
    return String.format(
        Locale.ROOT,
        "%s/%dns",
        Bandwidth.title(links.bytesPerSecond()),
        Math.round(links.latencySeconds() * NANOS_PER_SECOND));
  }
}
