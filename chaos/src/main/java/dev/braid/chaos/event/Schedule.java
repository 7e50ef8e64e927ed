package dev.braid.chaos.event;

import dev.braid.topology.BackupTree;
import dev.braid.topology.BinaryTree;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random schedule of link failures, as in the evaluation of the fault-tolerant tree: links of the
 * binary tree are cut one after the other, each for a while.
 *
 * <p>From three ranks on, a way is always left in the fault-tolerant tree. As its backup links are
 * not cut, only the root can be cut off, so its two links never fail at the same time.
 *
 * @param seed decides which and when
 * @param ranks how many there are, two at least
 * @param perSecond how many links are cut in a second, on average: a Poisson process
 * @param durationMillis from the first moment to the last in which a link is cut
 * @param cutMillis how long a link stays cut, on average: between half and one and a half times
 */
public record Schedule(
    long seed, int ranks, double perSecond, long durationMillis, long cutMillis) {

  private static final double MILLIS_PER_SECOND = 1000;

  /** An event that is played live takes effect a little earlier or later than it should. */
  private static final long LATENESS_MILLIS = 250;

  public Schedule {
    if (ranks < 2 || !(perSecond > 0) || durationMillis < 1 || cutMillis < 1) {
      throw new IllegalArgumentException(
          "%d ranks, %s cuts a second for %d ms each in %d ms: at least 2, and more than 0 of each"
              .formatted(ranks, perSecond, cutMillis, durationMillis));
    }
  }

  /** The events, in the order of their start, which is a time after the start of training. */
  public List<ChaosEvent> events() {
    SplittableRandom random = new SplittableRandom(seed);
    BinaryTree tree = new BinaryTree(ranks);
    List<ChaosEvent> events = new ArrayList<>();
    double[] cutUntil = new double[ranks];
    double at = interval(random);
    while (at < durationMillis) {
      int child = 1 + random.nextInt(ranks - 1);
      while (isolatesRoot(child, at, cutUntil)) {
        child = 1 + random.nextInt(ranks - 1);
      }
      long lasts = Math.max(1, Math.round(cutMillis * (0.5 + random.nextDouble())));
      cutUntil[child] = Math.max(cutUntil[child], at + lasts + LATENESS_MILLIS);
      events.add(
          ChaosEvent.of(
                  new Action.Cut(), new Target.OfLink(new Link(child, tree.parent(child)), false))
              .withId("generated-" + seed + "/" + events.size())
              .withStart(new Start.After((long) at))
              .withDuration(lasts));
      at += interval(random);
    }
    return events;
  }

  /** By the child, the end of each link's failure. */
  private boolean isolatesRoot(int child, double at, double[] cutUntil) {
    BackupTree overlay = new BackupTree(ranks);
    return overlay.tree().parent(child) == BinaryTree.ROOT
        && overlay.brother(child).isPresent()
        && cutUntil[overlay.brother(child).getAsInt()] >= at;
  }

  /** Milliseconds to the next failure. */
  private double interval(SplittableRandom random) {
    return -Math.log(1 - random.nextDouble()) / perSecond * MILLIS_PER_SECOND;
  }
}
