package dev.braid.chaos.sim;

import dev.braid.chaos.sim.LinkFault.Effect.Cut;
import dev.braid.chaos.sim.LinkFault.Effect.Delay;
import dev.braid.chaos.sim.LinkFault.Effect.Drop;
import dev.braid.chaos.sim.LinkFault.Effect.Duplicate;
import dev.braid.chaos.sim.LinkFault.Effect.Reorder;
import dev.braid.chaos.sim.LinkFault.Effect.Throttle;
import dev.braid.exchange.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * Links with faults on top of others. Faults hit a message when it is sent, and those that overlap
 * add up.
 */
public final class FaultyLinks implements LinkModel {

  private static final double NANOS_PER_SECOND = 1e9;

  private final LinkModel sound;
  private final long seed;
  private final Map<Long, Link> links = new HashMap<>();

  /**
   * @param sound what carries the messages that get through
   * @param seed for what happens with a probability
   */
  public FaultyLinks(LinkModel sound, long seed, List<LinkFault> faults) {
    this.sound = sound;
    this.seed = seed;
    for (LinkFault fault : faults) {
      link(fault.from(), fault.to()).faults.add(fault);
    }
  }

  @Override
  public void carry(Message message, long bytes, long nowNanos, LongConsumer arriveAt) {
    link(message.from(), message.to()).carry(message, bytes, nowNanos, arriveAt);
  }

  private Link link(int from, int to) {
    return links.computeIfAbsent(Seeds.pair(from, to), key -> new Link(Seeds.of(seed, key)));
  }

  private final class Link {
    private final SplittableRandom random;
    private final List<LinkFault> faults = new ArrayList<>();
    private long busyUntilNanos;

    Link(SplittableRandom random) {
      this.random = random;
    }

    void carry(Message message, long bytes, long nowNanos, LongConsumer arriveAt) {
      List<LinkFault.Effect> effects =
          faults.stream().filter(f -> f.isActive(nowNanos)).map(LinkFault::effect).toList();
      if (effects.stream().noneMatch(this::loses)) {
        long departNanos = departNanos(effects, bytes, nowNanos);
        long lateNanos = lateNanos(effects);
        sound.carry(message, bytes, departNanos, at -> arrive(effects, at + lateNanos, arriveAt));
      }
    }

    private boolean loses(LinkFault.Effect effect) {
      return effect instanceof Cut
          || (effect instanceof Drop drop && random.nextDouble() < drop.probability());
    }

    private long departNanos(List<LinkFault.Effect> effects, long bytes, long nowNanos) {
      for (LinkFault.Effect effect : effects) {
        if (effect instanceof Throttle throttle) {
          long sendingNanos = Math.round(bytes / throttle.bytesPerSecond() * NANOS_PER_SECOND);
          busyUntilNanos = Math.max(nowNanos, busyUntilNanos) + sendingNanos;
        }
      }
      // What was queued while the link was slow stays ahead of what comes after.
      return Math.max(nowNanos, busyUntilNanos);
    }

    private long lateNanos(List<LinkFault.Effect> effects) {
      long nanos = 0;
      for (LinkFault.Effect effect : effects) {
        if (effect instanceof Delay delay) {
          nanos += delay.nanos();
        } else if (effect instanceof Reorder reorder
            && random.nextDouble() < reorder.probability()) {
          nanos += Seeds.between(random, 0, reorder.byNanos());
        }
      }
      return nanos;
    }

    private void arrive(List<LinkFault.Effect> effects, long nanos, LongConsumer arriveAt) {
      arriveAt.accept(nanos);
      for (LinkFault.Effect effect : effects) {
        if (effect instanceof Duplicate duplicate
            && random.nextDouble() < duplicate.probability()) {
          arriveAt.accept(nanos + Seeds.between(random, 0, duplicate.withinNanos()));
        }
      }
    }
  }
}
