package dev.braid.chaos.sim;

import dev.braid.exchange.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Links among ranks of which some are parted from the others for a time: nothing passes between the
 * two sides.
 */
record PartingLinks(LinkModel sound, List<Parting> partings) implements LinkModel {

  private static final long MILLIS = 1_000_000;

  /** One side, for a time, at both of its ends. */
  record Parting(IntPredicate side, long beginNanos, long endNanos, String name) {

    boolean parts(int from, int to, long nanos) {
      return beginNanos <= nanos && nanos < endNanos && side.test(from) != side.test(to);
    }

    @Override
    public String toString() {
      return "%s from %d to %d ms".formatted(name, beginNanos / MILLIS, endNanos / MILLIS);
    }
  }

  static Parting isolate(int rank, long beginNanos, long endNanos) {
    return new Parting(one -> one == rank, beginNanos, endNanos, "isolate " + rank);
  }

  static Parting below(int rank, long beginNanos, long endNanos) {
    return new Parting(one -> one < rank, beginNanos, endNanos, "part ranks below " + rank);
  }

  static Parting leftSubtree(long beginNanos, long endNanos) {
    return new Parting(
        PartingLinks::isInLeftSubtree, beginNanos, endNanos, "part the left subtree");
  }

  private static boolean isInLeftSubtree(int rank) {
    int ancestor = rank;
    while (ancestor > 2) {
      ancestor = (ancestor - 1) / 2;
    }
    return ancestor == 1;
  }

  /** Ranks isolated, also two at once or again and again, and halves parted from each other. */
  static List<Parting> random(long seed, int ranks, long horizonNanos) {
    SplittableRandom random = Seeds.of(seed, -40);
    List<Parting> partings = new ArrayList<>();
    int count = random.nextInt(1, 5);
    for (int i = 0; i < count; i++) {
      long begin = Seeds.between(random, 0, horizonNanos);
      long end = begin + Seeds.between(random, 10 * MILLIS, horizonNanos / 2);
      int rank = random.nextInt(ranks);
      switch (random.nextInt(6)) {
        case 0 -> partings.add(below(random.nextInt(1, Math.max(2, ranks)), begin, end));
        case 1 -> partings.add(leftSubtree(begin, end));
        case 2 -> {
          partings.add(isolate(rank, begin, end));
          partings.add(isolate(random.nextInt(ranks), begin, end));
        }
        case 3 -> {
          long period = Seeds.between(random, 50 * MILLIS, 2_000 * MILLIS);
          IntStream.range(0, random.nextInt(2, 6))
              .mapToLong(n -> begin + n * period)
              .forEach(n -> partings.add(isolate(rank, n, n + period * 3 / 4)));
        }
        default -> partings.add(isolate(rank, begin, end));
      }
    }
    return partings;
  }

  @Override
  public void carry(Message message, long bytes, long nowNanos, LongConsumer arriveAt) {
    boolean lost = partings.stream().anyMatch(p -> p.parts(message.from(), message.to(), nowNanos));
    if (!lost) {
      sound.carry(message, bytes, nowNanos, arriveAt);
    }
  }
}
