package dev.braid.connectors.lineage;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.LineageEntry.Began;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import dev.braid.connectors.lineage.LineageEntry.Digested;
import dev.braid.learner.OffsetRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The final contents of a lineage: the valid deals, and the digests of the models after them. If
 * rounds were done again with other workers, only their last deals and digests are included.
 *
 * @param began the beginning of the run
 * @param deals consecutive deals, from round 0
 * @param digests SHA-256 of the weights, by the number of completed rounds
 */
public record RecordedRun(Began began, List<Deal> deals, SortedMap<Long, String> digests) {

  /**
   * Reads the lineage in a folder.
   *
   * @throws InvalidDataException if there is none, or it is incomplete
   * @throws IOException if it cannot be read
   */
  public static RecordedRun read(String folder) throws IOException {
    try (Lineage lineage = FolderLineage.open(folder)) {
      return read(lineage);
    }
  }

  /**
   * Reads a lineage.
   *
   * @throws InvalidDataException if it is empty or incomplete
   * @throws IOException if it cannot be read
   */
  public static RecordedRun read(Lineage lineage) throws IOException {
    return read(lineage, lineage.size());
  }

  /**
   * Reads a lineage as it was when it had {@code size} entries.
   *
   * @throws InvalidDataException if it is empty, incomplete or shorter
   * @throws IOException if it cannot be read
   */
  public static RecordedRun read(Lineage lineage, long size) throws IOException {
    String place = lineage.place();
    Began began =
        lineage
            .began()
            .orElseThrow(() -> new InvalidDataException(place + ": has no lineage of a run"));
    if (lineage.size() < size) {
      throw new InvalidDataException(
          "%s: the lineage has %,d entries, and %,d are expected: it is that of another run, or was moved (to OUT/earlier by a later run)"
              .formatted(place, lineage.size(), size));
    }
    List<LineageEntry> entries = lineage.entries(1);
    return of(place, began, entries.subList(0, (int) Math.max(0, size - 1)));
  }

  /**
   * Returns the run that the entries after the first one describe.
   *
   * @param place name of the lineage in messages
   * @throws InvalidDataException if the lineage is incomplete
   */
  public static RecordedRun of(String place, Began began, List<LineageEntry> entries) {
    List<Deal> deals = new ArrayList<>();
    SortedMap<Long, String> digests = new TreeMap<>();
    for (LineageEntry entry : entries) {
      if (entry instanceof Dealt dealt) {
        Deal deal = dealt.deal();
        goBackTo(deal.firstRound(), deals, digests);
        if (end(deals) != deal.firstRound()) {
          throw new InvalidDataException(
              "%s: the lineage has no deal of the rounds %d to %d"
                  .formatted(place, end(deals), deal.firstRound() - 1));
        }
        deals.add(deal);
      } else if (entry instanceof Digested digest) {
        digests.put(digest.rounds(), digest.sha256());
      }
    }
    return new RecordedRun(
        began, Collections.unmodifiableList(deals), Collections.unmodifiableSortedMap(digests));
  }

  private static long end(List<Deal> deals) {
    return deals.isEmpty() ? 0 : deals.get(deals.size() - 1).endRound();
  }

  /** Removes deals and digests from a round on, because these rounds were done again. */
  static void goBackTo(long round, List<Deal> deals, SortedMap<Long, String> digests) {
    boolean goesBack = end(deals) > round;
    while (end(deals) > round) {
      Deal last = deals.remove(deals.size() - 1);
      if (last.firstRound() < round) {
        deals.add(before(last, round));
      }
    }
    if (goesBack) {
      digests.tailMap(round + 1).clear();
    }
  }

  private static Deal before(Deal deal, long round) {
    int rounds = (int) (round - deal.firstRound());
    List<List<OffsetRange>> shares =
        deal.shares().stream()
            .map(share -> OffsetRange.slice(share, 0, (long) rounds * deal.batchSize()))
            .toList();
    return new Deal(deal.firstRound(), rounds, deal.batchSize(), shares);
  }

  /** Returns the number of rounds that were dealt. */
  public long rounds() {
    return end(deals);
  }
}
