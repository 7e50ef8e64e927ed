package dev.braid.exchange.sharing;

import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The updates that a rank has: the first parts of each origin, without a gap. The log keeps those
 * parts that some rank may lack, to send them on request.
 *
 * <p>An update over a vector of c chunks has c parts. An update without samples is a single message
 * and counts as c parts. A part's place therefore follows from its update's number and range, and
 * one number for each origin describes all that a rank has.
 */
final class UpdateLog {

  /**
   * A part of an update.
   *
   * @param place number of the origin's parts before this one
   * @param next place of the part after this one
   */
  record Part(long place, long next, SharedUpdate update) {}

  private final Range whole;
  private final int chunkLength;
  private final int partsPerUpdate;

  /** By origin: number of parts that this rank has. */
  private final long[] has;

  /** By origin: number of parts that all ranks have, as far as this rank knows. */
  private final long[] allHave;

  /** By origin: parts that some rank may lack, by place. */
  private final List<NavigableMap<Long, Part>> kept = new ArrayList<>();

  private long keptBytes;

  UpdateLog(int ranks, int length, int chunkLength, long completedRounds) {
    this.whole = Range.ofLength(length);
    this.chunkLength = chunkLength;
    this.partsPerUpdate = whole.chunks(chunkLength);
    this.has = new long[ranks];
    this.allHave = new long[ranks];
    for (int origin = 0; origin < ranks; origin++) {
      kept.add(new TreeMap<>());
      begin(origin, completedRounds);
    }
  }

  /**
   * Notes that all ranks have exactly the given number of an origin's updates, and keeps none of
   * them.
   */
  void begin(int origin, long updates) {
    has[origin] = updates * partsPerUpdate;
    allHave[origin] = has[origin];
    forget(origin, Long.MAX_VALUE);
  }

  /** Notes that all ranks have exactly the complete updates that this rank has. */
  void beginAnew() {
    for (int origin = 0; origin < has.length; origin++) {
      begin(origin, updates(origin));
    }
  }

  /** Returns the number of parts of an origin that this rank has. */
  long has(int origin) {
    return has[origin];
  }

  long[] has() {
    return has.clone();
  }

  /** Returns the number of complete updates of an origin that this rank has. */
  long updates(int origin) {
    return has[origin] / partsPerUpdate;
  }

  /** Returns the number of parts of a number of updates. */
  long parts(long updates) {
    return updates * partsPerUpdate;
  }

  /** Returns how many of a number of parts belong to complete updates. */
  long ofWholeUpdates(long parts) {
    return parts - parts % partsPerUpdate;
  }

  /** Returns the number of parts of an origin that all ranks have, as far as this rank knows. */
  long allHave(int origin) {
    return allHave[origin];
  }

  /**
   * Returns the number of complete updates of an origin that this rank has and of which another
   * rank may lack a part.
   */
  long notEverywhere(int origin) {
    return updates(origin) - allHave[origin] / partsPerUpdate;
  }

  /**
   * Returns the part that a received update represents.
   *
   * @throws IllegalArgumentException if its origin, number or range is impossible
   */
  Part part(SharedUpdate update) {
    Range range = update.range();
    if (update.origin() >= has.length || update.number() > Long.MAX_VALUE / partsPerUpdate - 1) {
      throw new IllegalArgumentException(
          "update %d of rank %d: the rank must be less than %d, and the number countable in parts"
              .formatted(update.number(), update.origin(), has.length));
    }
    long first = parts(update.number());
    if (range.isEmpty()) {
      return new Part(first, first + partsPerUpdate, update);
    }
    int chunk = range.start() / chunkLength;
    if (range.end() > whole.end() || !range.equals(whole.chunk(chunk, chunkLength))) {
      throw new IllegalArgumentException(
          "update over %s: must be a chunk of %d elements of %s"
              .formatted(range, chunkLength, whole));
    }
    return new Part(first + chunk, first + chunk + 1, update);
  }

  /**
   * Returns whether this rank already has a part.
   *
   * @throws IllegalArgumentException if it is an update without samples of which this rank has some
   *     but not all parts
   */
  boolean has(Part part) {
    long here = has[part.update.origin()];
    if (part.place < here && here < part.next) {
      throw new IllegalArgumentException(
          "update %d of rank %d without samples: %d of its %d parts are here; must be none or all"
              .formatted(
                  part.update.number(), part.update.origin(), here - part.place, partsPerUpdate));
    }
    return part.place < here;
  }

  /**
   * Adds the next part of its origin.
   *
   * @throws IllegalStateException if another part is next, because a link carries parts without
   *     gaps
   */
  void add(Part part) {
    int origin = part.update.origin();
    if (part.place != has[origin]) {
      throw new IllegalStateException(
          "part %d of rank %d's updates: must be part %d, which is next"
              .formatted(part.place, origin, has[origin]));
    }
    has[origin] = part.next;
    keep(part);
  }

  private void keep(Part part) {
    kept.get(part.update.origin()).put(part.place, part);
    keptBytes += part.update.payload().bytes();
  }

  /**
   * Returns the part at a place.
   *
   * @throws IllegalStateException if it is not kept; no rank lacks a part that all ranks have
   */
  Part get(int origin, long place) {
    Part part = kept.get(origin).get(place);
    if (part == null) {
      throw new IllegalStateException(
          "part %d of rank %d's updates is not kept: this rank has %d parts, and all ranks have %d"
              .formatted(place, origin, has[origin], allHave[origin]));
    }
    return part;
  }

  /**
   * Notes the number of parts of an origin that all ranks have; returns whether it is larger than
   * before.
   */
  boolean allHave(int origin, long parts) {
    if (parts <= allHave[origin]) {
      return false;
    }
    allHave[origin] = parts;
    forget(origin, parts);
    return true;
  }

  private void forget(int origin, long parts) {
    NavigableMap<Long, Part> before = kept.get(origin).headMap(parts, false);
    keptBytes -= before.values().stream().mapToLong(part -> part.update.payload().bytes()).sum();
    before.clear();
  }

  /**
   * Returns the parts of all origins that some rank may lack, which any rank with this log must be
   * able to send.
   */
  List<Part> kept() {
    return kept.stream().flatMap(parts -> parts.values().stream()).toList();
  }

  /**
   * Adopts the log of a rank whose model this rank has copied. This rank's own parts stay, because
   * the copy may lack some.
   *
   * @param own this rank
   * @param ofCopy by origin: number of parts in the copy
   * @param staged parts that the other rank keeps, so that this rank can send them, too
   * @return this rank's own parts that the copy lacks, in order
   * @throws IllegalArgumentException if the copy has more of this rank's own parts than exist, or
   *     the staged parts have a gap before the end of the copy; nothing changes in that case
   */
  Collection<Part> adopt(int own, long[] ofCopy, List<Part> staged) {
    checkCopy(own, ofCopy, staged);
    for (int origin = 0; origin < has.length; origin++) {
      if (origin != own) {
        forget(origin, Long.MAX_VALUE);
        has[origin] = ofCopy[origin];
        allHave[origin] = has[origin];
      }
    }
    for (Part part : staged) {
      int origin = part.update.origin();
      if (origin != own) {
        allHave[origin] = Math.min(allHave[origin], part.place);
        keep(part);
      }
    }
    return List.copyOf(kept.get(own).tailMap(ofCopy[own], true).values());
  }

  private void checkCopy(int own, long[] ofCopy, List<Part> staged) {
    if (ofCopy[own] > has[own]) {
      throw new IllegalArgumentException(
          "copy with %d parts of rank %d's updates: must be at most %d, the computed ones"
              .formatted(ofCopy[own], own, has[own]));
    }
    long[] ends = ofCopy.clone();
    for (int i = staged.size() - 1; i >= 0; i--) {
      Part part = staged.get(i);
      int origin = part.update.origin();
      if (part.next != ends[origin]) {
        throw new IllegalArgumentException(
            "parts %d to %d of rank %d's updates before a copy: must end before part %d"
                .formatted(part.place, part.next, origin, ends[origin]));
      }
      ends[origin] = part.place;
    }
  }

  /** Returns the size of the kept values, in bytes. */
  long keptBytes() {
    return keptBytes;
  }
}
