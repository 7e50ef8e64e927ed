package dev.braid.connectors.lineage;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import dev.braid.learner.OffsetRange;
import dev.braid.ledger.OffsetUnion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The offsets that were dealt to the first rounds of a run, by its lineage. The rounds must be in a
 * complete checkpoint, because later rounds may be dealt again to another number of workers.
 *
 * @param run id of the Flink job that began the run
 * @param rounds number of rounds
 * @param entries number of entries up to the deal of the last round
 * @param offsets ranges without overlaps
 */
public record DealtOffsets(String run, long rounds, long entries, List<OffsetRange> offsets) {

  /**
   * Reads the offsets of a run's first rounds.
   *
   * @param rounds number of rounds; at least 1
   * @param before offsets of fewer rounds, if they are known: only later entries are read then
   * @throws InvalidDataException if the lineage does not have the rounds
   * @throws IOException if it cannot be read
   */
  public static DealtOffsets of(Lineage lineage, long rounds, Optional<DealtOffsets> before)
      throws IOException {
    String run =
        lineage
            .began()
            .orElseThrow(
                () -> new InvalidDataException(lineage.place() + ": has no lineage of a run"))
            .run();
    Optional<DealtOffsets> known =
        before.filter(it -> it.run().equals(run) && it.rounds() <= rounds && it.entries() > 0);
    // The deal of the last known round may contain further rounds.
    long first = known.map(it -> it.entries() - 1).orElse(0L);
    long knownRounds = known.map(DealtOffsets::rounds).orElse(0L);
    List<LineageEntry> entries = lineage.entries(first);
    List<Deal> deals = new ArrayList<>();
    long end = 0;
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof Dealt dealt && dealt.round() < rounds) {
        if (i > 0 && dealt.round() < knownRounds) {
          // An older checkpoint was restored, and known rounds were done again.
          return of(lineage, rounds, Optional.empty());
        }
        Deal deal = dealt.deal();
        RecordedRun.goBackTo(deal.firstRound(), deals, new TreeMap<>());
        deals.add(deal);
        end = first + i + 1;
      }
    }
    long dealt = deals.isEmpty() ? 0 : deals.get(deals.size() - 1).endRound();
    if (dealt < rounds) {
      throw new InvalidDataException(
          "%s: the lineage has no deal of the rounds %d to %d"
              .formatted(lineage.place(), dealt, rounds - 1));
    }
    OffsetUnion union = new OffsetUnion();
    known.ifPresent(it -> it.offsets().forEach(union::add));
    for (Deal deal : deals) {
      for (int worker = 0; worker < deal.workers(); worker++) {
        deal.until(worker, rounds).forEach(union::add);
      }
    }
    return new DealtOffsets(run, rounds, end, union.ranges());
  }
}
