package dev.braid.chaos.sim.condition;

import dev.braid.chaos.shape.VirtualQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Links of a network: each has a latency and a bandwidth, sends one message at a time and keeps
 * their order.
 *
 * <p>A message of b bytes leaves the link b / bandwidth after the previous one has left, and
 * arrives a latency later, plus a jitter that never lets it overtake. The draws of a link depend
 * only on the seed and the link, not on the order in which links are first used.
 */
public final class SoundLinks implements LinkModel {

  /**
   * Bounds between which links are drawn.
   *
   * @param minLatencyNanos the least latency
   * @param maxLatencyNanos the greatest latency
   * @param minBytesPerSecond the least bandwidth
   * @param maxBytesPerSecond the greatest bandwidth
   * @param maxJitterNanos greatest additional delay of a message
   */
  public record Bounds(
      long minLatencyNanos,
      long maxLatencyNanos,
      double minBytesPerSecond,
      double maxBytesPerSecond,
      long maxJitterNanos) {

    public Bounds {
      if (minLatencyNanos < 0 || maxLatencyNanos < minLatencyNanos) {
        throw new IllegalArgumentException(
            "latency of %d to %d ns: must be 0 <= least <= greatest"
                .formatted(minLatencyNanos, maxLatencyNanos));
      }
      if (!(minBytesPerSecond > 0) || !(maxBytesPerSecond >= minBytesPerSecond)) {
        throw new IllegalArgumentException(
            "bandwidth of %s to %s bytes/s: must be 0 < least <= greatest"
                .formatted(minBytesPerSecond, maxBytesPerSecond));
      }
      if (maxJitterNanos < 0) {
        throw new IllegalArgumentException(
            "jitter of %d ns: must be 0 or more".formatted(maxJitterNanos));
      }
    }
  }

  private final long seed;
  private final Bounds bounds;
  private final Map<Ends, Link> links = new HashMap<>();

  /** Creates links that each draw their latency and bandwidth from the seed. */
  public SoundLinks(long seed, Bounds bounds) {
    this.seed = seed;
    this.bounds = bounds;
  }

  /** Returns links that are all alike. */
  public static SoundLinks uniform(long latencyNanos, double bytesPerSecond) {
    return new SoundLinks(
        0, new Bounds(latencyNanos, latencyNanos, bytesPerSecond, bytesPerSecond, 0));
  }

  @Override
  public long arrivalNanos(int from, int to, long bytes, long nowNanos) {
    return links
        .computeIfAbsent(
            new Ends(from, to), key -> new Link(Seeds.of(seed, Seeds.pair(key.from(), key.to()))))
        .arrivalNanos(bytes, nowNanos);
  }

  /** Key of a link; a pair packed into a long would have few different hash codes. */
  private record Ends(int from, int to) {}

  private final class Link {
    private final SplittableRandom random;
    private final long latencyNanos;
    private final VirtualQueue line;
    private long lastArrivalNanos;

    Link(SplittableRandom random) {
      this.random = random;
      this.latencyNanos = Seeds.between(random, bounds.minLatencyNanos(), bounds.maxLatencyNanos());
      double spread = bounds.maxBytesPerSecond() - bounds.minBytesPerSecond();
      this.line = new VirtualQueue(bounds.minBytesPerSecond() + random.nextDouble() * spread);
    }

    long arrivalNanos(long bytes, long nowNanos) {
      long sentNanos = line.send(bytes, nowNanos);
      long jitterNanos = Seeds.between(random, 0, bounds.maxJitterNanos());
      lastArrivalNanos = Math.max(lastArrivalNanos, sentNanos + latencyNanos + jitterNanos);
      return lastArrivalNanos;
    }
  }
}
