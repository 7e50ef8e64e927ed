package dev.braid.connectors.stream;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.stream.LineageEntry.Dealt;
import dev.braid.learner.OffsetRange;
import dev.braid.ledger.OffsetUnion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The offsets that were dealt to the first rounds of a run, as its lineage says. The rounds must be
 * in a complete checkpoint: later rounds may be dealt again to another number of workers.
 *
 * @param run id of the Flink job that began the run
 * @param entries number of entries that need not be read for the offsets of more rounds
 * @param offsets ranges without overlaps
 */
public record DealtOffsets(String run, long entries, List<OffsetRange> offsets) {

  /**
   * Reads the offsets of a run's first rounds.
   *
   * @param rounds how many rounds; at least 1
   * @param before those of fewer rounds, if they are known: only what follows is read then
   * @throws InvalidDataException if the lineage does not have the rounds
   * @throws IOException if it cannot be read
   */
  public static DealtOffsets of(Lineage lineage, long rounds, Optional<DealtOffsets> before)
      throws IOException {
    String run =
        lineage
            .began()
            .orElseThrow(
                () -> new InvalidDataException(lineage.place() + ": no lineage of a run is there"))
            .run();
    Optional<DealtOffsets> known = before.filter(it -> it.run().equals(run));
    long read = known.map(DealtOffsets::entries).orElse(0L);
    long settled = read;
    List<Deal> deals = new ArrayList<>();
    for (LineageEntry entry : lineage.entries(read)) {
      read++;
      if (entry instanceof Dealt dealt && dealt.round() < rounds) {
        Deal deal = dealt.deal();
        RecordedRun.goBackTo(deal.firstRound(), deals, new TreeMap<>());
        deals.add(deal);
        // What was dealt twice is read again, too.
        settled = deal.endRound() <= rounds ? read : settled;
      }
    }
    if (deals.isEmpty() && known.isPresent()) {
      return known.get();
    }
    long end = deals.isEmpty() ? 0 : deals.get(deals.size() - 1).endRound();
    if (end < rounds) {
      throw new InvalidDataException(
          "%s: the lineage has no deal of the rounds %d to %d"
              .formatted(lineage.place(), end, rounds - 1));
    }
    OffsetUnion union = new OffsetUnion();
    known.ifPresent(it -> it.offsets().forEach(union::add));
    for (Deal deal : deals) {
      for (int worker = 0; worker < deal.workers(); worker++) {
        deal.until(worker, rounds).forEach(union::add);
      }
    }
    return new DealtOffsets(run, settled, union.ranges());
  }
}
