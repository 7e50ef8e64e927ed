package dev.braid.chaos.event;

import dev.braid.topology.Mesh;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Events in words, for people.
 *
 * <pre>
 *   cut link 3–1                              as it was asked for
 *   link 3–1 cut                              when it begins
 *   link 3–1 is cut                           while it is in force
 *   link 3–1: cut                             while it is in force, in a list
 * </pre>
 */
public final class EventText {

  private static final String BOTH_WAYS = "–";
  private static final String ONE_WAY = "→";

  /** Matches the name of a rank or of a link. */
  private static final Pattern NAMED =
      Pattern.compile("(?:rank|links of rank|link) (\\d+)(?:[–→](\\d+))? ");

  private static final Pattern BLOCK = Pattern.compile("(?:links of )?block (\\S+) of (\\S+) ");

  private EventText() {}

  private static boolean isIn(String block, String mesh, int rank) {
    try {
      return MeshPlaces.block(block, Mesh.of(mesh)).contains(rank);
    } catch (InvalidEventException | IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns what has happened when the event has begun: {@code link 3–1 cut}. */
  public static String begun(ChaosEvent event) {
    return target(event) + " " + state(event.action());
  }

  /** Returns the state while the event is in force: {@code link 3–1 is cut}. */
  public static String inForce(ChaosEvent event) {
    return target(event) + (isPlural(event) ? " are " : " is ") + state(event.action());
  }

  /**
   * Returns whether a sentence of {@link #inForce} names a rank: the rank itself, one of its links,
   * or a block that contains it. Ranks of a level and random ones are not named.
   */
  public static boolean names(int rank, String inForce) {
    Matcher block = BLOCK.matcher(inForce);
    if (block.lookingAt()) {
      return isIn(block.group(1), block.group(2), rank);
    }
    Matcher subject = NAMED.matcher(inForce);
    return subject.lookingAt()
        && Stream.of(subject.group(1), subject.group(2)).anyMatch(Integer.toString(rank)::equals);
  }

  /** Returns what has happened when the event's time is over: {@code link 3–1 no longer cut}. */
  public static String over(ChaosEvent event) {
    return target(event) + " no longer " + state(event.action());
  }

  /** Returns the event as it was asked for: {@code cut link 3–1}. */
  public static String wanted(ChaosEvent event) {
    return event.action().title() + " " + target(event);
  }

  /** Returns the links or ranks of the event: {@code link 3–1}. */
  public static String target(ChaosEvent event) {
    Target target = event.target();
    if (target instanceof Target.OfLink of) {
      String between = of.oneWay() ? ONE_WAY : BOTH_WAYS;
      return "link " + of.link().from() + between + of.link().to();
    }
    boolean ofRanks = event.action().concernsRanks();
    if (target instanceof Target.OfRank of) {
      return (ofRanks ? "rank " : "links of rank ") + of.rank();
    }
    if (target instanceof Target.OfLevel of) {
      return (ofRanks ? "ranks of level " : "links up from level ") + of.level();
    }
    if (target instanceof Target.OfBlock of) {
      return (ofRanks ? "block " : "links of block ") + of.block() + " of " + of.mesh();
    }
    Target.Drawn drawn = (Target.Drawn) target;
    String what = ofRanks ? "rank" : "link";
    return String.format(
        Locale.ROOT,
        "%d %s drawn with seed %d",
        drawn.count(),
        drawn.count() == 1 ? what : what + "s",
        drawn.seed());
  }

  private static boolean isPlural(ChaosEvent event) {
    Target target = event.target();
    if (target instanceof Target.Drawn drawn) {
      return drawn.count() > 1;
    }
    boolean isOne =
        (target instanceof Target.OfRank || target instanceof Target.OfBlock)
            && event.action().concernsRanks();
    return !isOne && !(target instanceof Target.OfLink);
  }

  /** Returns the state of links or ranks under an action: {@code cut}. */
  public static String state(Action action) {
    if (action instanceof Action.Delay delay) {
      long most = delay.delayMillis() + delay.jitterMillis();
      String atMost = delay.jitterMillis() == 0 ? "" : " to " + most;
      return "delayed by " + delay.delayMillis() + atMost + " ms";
    }
    if (action instanceof Action.Drop drop) {
      return "losing " + percent(drop.probability());
    }
    if (action instanceof Action.Duplicate duplicate) {
      return "repeating " + percent(duplicate.probability());
    }
    if (action instanceof Action.Reorder reorder) {
      return "holding back "
          + percent(reorder.probability())
          + " for up to "
          + reorder.withinMillis()
          + " ms";
    }
    if (action instanceof Action.Corrupt corrupt) {
      return "corrupting " + percent(corrupt.probability());
    }
    if (action instanceof Action.Throttle throttle) {
      return "throttled to " + rate(throttle.bytesPerSecond());
    }
    if (action instanceof Action.Straggle straggle) {
      return "slowed down " + number(straggle.factor()) + " times";
    }
    if (action instanceof Action.Isolate) {
      return "isolated";
    }
    if (action instanceof Action.Cut) {
      return "cut";
    }
    return action instanceof Action.Heal ? "healed" : "rejoined";
  }

  private static String percent(double probability) {
    return number(100 * probability) + " % of messages";
  }

  private static String rate(long bytesPerSecond) {
    if (bytesPerSecond >= 1_000_000) {
      return number(bytesPerSecond / 1e6) + " MB/s";
    }
    return bytesPerSecond >= 1000
        ? number(bytesPerSecond / 1e3) + " kB/s"
        : bytesPerSecond + " B/s";
  }

  /** Returns a number with as many decimals as it has, up to three. */
  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value).replaceAll("\\.?0+$", "");
  }
}
