package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.option.Bandwidth;
import dev.braid.exchange.option.TypedTime;
import dev.braid.exchange.option.ValueForm;
import java.time.Duration;

/** Text form of the bandwidth and latency of links, separated by a slash. */
final class LinkFigures {

  static final ValueForm<MeshTraffic.Links> FORM =
      new ValueForm<>(
          MeshTraffic.Links.class,
          "a bandwidth and a latency, such as 10gbit/100us",
          LinkFigures::read,
          LinkFigures::shown);

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_MILLI = 1_000;

  private LinkFigures() {}

  private static MeshTraffic.Links read(String text) {
    String[] parts = text.strip().split("/", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("must be a bandwidth and a latency, such as 10gbit/100us");
    }
    Duration latency = TypedTime.read(parts[1]);
    return new MeshTraffic.Links(
        Bandwidth.bytesPerSecond(parts[0]), latency.toNanos() / NANOS_PER_SECOND);
  }

  private static String shown(MeshTraffic.Links links) {
    return Bandwidth.title(links.bytesPerSecond()) + "/" + time(links.latencySeconds());
  }

  private static String time(double seconds) {
    long nanos = Math.round(seconds * NANOS_PER_SECOND);
    if (nanos % NANOS_PER_MICRO != 0) {
      return nanos + "ns";
    }
    long micros = nanos / NANOS_PER_MICRO;
    return micros > 0 && micros % MICROS_PER_MILLI == 0
        ? micros / MICROS_PER_MILLI + "ms"
        : micros + "us";
  }
}
