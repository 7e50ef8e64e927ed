package dev.braid.exchange.sharing;

import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Which updates a rank has: of each origin the first so many parts, without a gap. Those that some
 * rank may lack are kept, to be sent to whoever asks.
 *
 * <p>An update over a vector of c chunks has c parts; one without a sample is one message, and
 * counts for as many. So a part's place follows from its update's number and its range, and that a
 * rank has the first so many parts of each origin says all of what it has.
 */
final class UpdateLog {

  /**
   * A part of an update.
   *
   * @param place how many parts of its origin are before it
   * @param next how many are before the one behind it
   */
  record Part(long place, long next, SharedUpdate update) {}

  private final Range whole;
  private final int chunkLength;
  private final int partsPerUpdate;

  /** By origin: how many parts this rank has. */
  private final long[] has;

  /** By origin: how many parts all ranks have, as far as it is known here. */
  private final long[] allHave;

  /** By origin: parts that some rank may lack, by their place. */
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

  /** All ranks have so many updates of an origin, and nothing is kept of them. */
  void begin(int origin, long updates) {
    has[origin] = updates * partsPerUpdate;
    allHave[origin] = has[origin];
    forget(origin, Long.MAX_VALUE);
  }

  /** All ranks have all that this one has, and no part of more. */
  void beginAnew() {
    for (int origin = 0; origin < has.length; origin++) {
      begin(origin, updates(origin));
    }
  }

  /** How many parts this rank has. */
  long has(int origin) {
    return has[origin];
  }

  long[] has() {
    return has.clone();
  }

  /** How many updates of an origin are whole here. */
  long updates(int origin) {
    return has[origin] / partsPerUpdate;
  }

  /** How many parts a number of updates has. */
  long parts(long updates) {
    return updates * partsPerUpdate;
  }

  /** Of so many parts, those of whole updates. */
  long ofWholeUpdates(long parts) {
    return parts - parts % partsPerUpdate;
  }

  /** How many parts all ranks have, as far as it is known here. */
  long allHave(int origin) {
    return allHave[origin];
  }

  /** How many whole updates of an origin this rank has of which another may lack something. */
  long notEverywhere(int origin) {
    return updates(origin) - allHave[origin] / partsPerUpdate;
  }

  /**
   * The part that an update, as it has come, is.
   *
   * @throws IllegalArgumentException if it is none of this vector's, or of these ranks
   */
  Part part(SharedUpdate update) {
    Range range = update.range();
    if (update.origin() >= has.length || update.number() > Long.MAX_VALUE / partsPerUpdate - 1) {
      throw new IllegalArgumentException(
          "update %d of rank %d: there are %d ranks, and no so many updates"
              .formatted(update.number(), update.origin(), has.length));
    }
    long first = parts(update.number());
    if (range.isEmpty()) {
      return new Part(first, first + partsPerUpdate, update);
    }
    int chunk = range.start() / chunkLength;
    if (range.end() > whole.end() || !range.equals(whole.chunk(chunk, chunkLength))) {
      throw new IllegalArgumentException(
          "an update over %s: chunks of %d of %s are needed".formatted(range, chunkLength, whole));
    }
    return new Part(first + chunk, first + chunk + 1, update);
  }

  /**
   * Whether the rank has a part already.
   *
   * @throws IllegalArgumentException if it has some of it only, which goes with other parts
   */
  boolean has(Part part) {
    long here = has[part.update.origin()];
    if (part.place < here && here < part.next) {
      throw new IllegalArgumentException(
          "update %d of rank %d without a sample, of which %d of %d parts are here"
              .formatted(
                  part.update.number(), part.update.origin(), here - part.place, partsPerUpdate));
    }
    return part.place < here;
  }

  /**
   * Adds the part that is next of its origin.
   *
   * @throws IllegalStateException if another is next: what a link carries has no gap
   */
  void add(Part part) {
    int origin = part.update.origin();
    if (part.place != has[origin]) {
      throw new IllegalStateException(
          "part %d of rank %d's updates, where part %d is next"
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
   * The part at a place.
   *
   * @throws IllegalStateException if it is not kept: nobody lacks what all have
   */
  Part get(int origin, long place) {
    Part part = kept.get(origin).get(place);
    if (part == null) {
      throw new IllegalStateException(
          "part %d of rank %d's updates is not kept, of %d that are here and %d that all have"
              .formatted(place, origin, has[origin], allHave[origin]));
    }
    return part;
  }

  /** All ranks have so many parts of an origin; whether that is news. */
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
   * The parts that may be asked for of whoever has this log: what some rank may lack, of all
   * origins.
   */
  List<Part> kept() {
    return kept.stream().flatMap(parts -> parts.values().stream()).toList();
  }

  /**
   * The model is a copy of that of a rank which has so many parts of each origin. What is this
   * rank's own stays, as the copy may lack some.
   *
   * @param staged what that rank keeps, so that this one can answer for it
   * @return this rank's own parts that the copy lacks, in their order
   * @throws IllegalArgumentException if the copy has more of this rank's own than there is, or what
   *     is staged has a gap before what the copy has: then nothing is changed
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
          "a copy with %d parts of rank %d's updates, which has computed %d itself"
              .formatted(ofCopy[own], own, has[own]));
    }
    long[] ends = ofCopy.clone();
    for (int i = staged.size() - 1; i >= 0; i--) {
      Part part = staged.get(i);
      int origin = part.update.origin();
      if (part.next != ends[origin]) {
        throw new IllegalArgumentException(
            "parts %d to %d of rank %d's updates before a copy, where those before part %d are needed"
                .formatted(part.place, part.next, origin, ends[origin]));
      }
      ends[origin] = part.place;
    }
  }

  /** What the values that are kept take. */
  long keptBytes() {
    return keptBytes;
  }
}
