package dev.braid.chaos.sim.stream;

import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import dev.braid.connectors.stream.StreamState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Intentional mistakes of a {@link SimulatedStream}, to test its checks. */
public enum StreamMistake {
  /** Readers receive deals before the deals are in the lineage. */
  TOLD_BEFORE_APPENDED,

  /** Deals are removed when a checkpoint begins, instead of when it is complete. */
  FORGOTTEN_TOO_EARLY,

  /** A checkpoint contains a deal that is being appended. */
  SNAPSHOT_OF_AN_APPEND,

  /** A checkpoint counts lines that are being appended. */
  LINES_COUNTED_TOO_EARLY,

  /** An enumerator that resumes does not read what was appended after the checkpoint. */
  LINEAGE_NOT_READ,

  /** An enumerator that resumes appends no entry, so that the previous one may still append. */
  NOT_FENCED,

  /** A reader reports a position one round ahead. */
  POSITION_ONE_ROUND_AHEAD,

  /** A reader that is away during an append does not receive the deal later. */
  DEAL_NOT_TOLD_AGAIN,

  /** Added partitions are reported in only one look, which may be lost. */
  PARTITION_REPORTED_ONCE,

  /** A run that must not skip deleted records skips them. */
  DELETED_RECORDS_ALWAYS_SKIPPED,

  /** A version is published when its checkpoint begins, instead of when it is complete. */
  VERSION_BEFORE_ITS_CHECKPOINT,

  /** A restored run does not publish the models that were waiting at the checkpoint. */
  VERSION_FORGOTTEN_AT_A_RESTORE,

  /** Other programs see half of a file while it is written. */
  FILE_VISIBLE_IN_HALF,

  /** The files of a version are removed while it is still visible. */
  FILES_REMOVED_BEFORE_THEIR_DESCRIPTION,

  /** The scoring job loads the newest version, whatever is pinned. */
  PIN_IGNORED;

  /** Returns the state of a checkpoint with this mistake. */
  StreamState of(StreamState state, List<LineageEntry> appending) {
    return switch (this) {
      case LINES_COUNTED_TOO_EARLY ->
          state.at(
              state.entries() + appending.size(),
              state.round(),
              state.next(),
              state.returned(),
              state.deals());
      case SNAPSHOT_OF_AN_APPEND -> with(state, appending);
      default -> state;
    };
  }

  private static StreamState with(StreamState state, List<LineageEntry> appending) {
    List<Dealt> deals = new ArrayList<>(state.deals());
    SortedMap<Integer, Long> next = new TreeMap<>(state.next());
    long round = state.round();
    for (LineageEntry line : appending) {
      if (line instanceof Dealt dealt) {
        deals.add(dealt);
        round += dealt.rounds();
        dealt.deal().shares().stream()
            .flatMap(List::stream)
            .forEach(range -> next.merge(range.partition(), range.end(), Math::max));
      }
    }
    return state.at(state.entries(), round, next, "", deals);
  }
}
