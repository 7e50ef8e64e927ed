package dev.braid.connectors.stream;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/** A message between the enumerator of a stream and one of its readers. */
sealed interface StreamEvent extends SourceEvent {

  /**
   * A worker's share of a deal, from the enumerator to the reader.
   *
   * @param json the line of a lineage for this deal, with the offsets of this worker only
   */
  record DealtShare(String json) implements StreamEvent {

    private static final long serialVersionUID = 1L;

    static DealtShare of(Deal deal, int worker) {
      Deal share =
          new Deal(
              deal.firstRound(),
              deal.rounds(),
              deal.batchSize(),
              List.of(deal.shares().get(worker)));
      return new DealtShare(Dealt.of(share).toJson());
    }

    Deal deal() {
      return ((Dealt) LineageEntry.parse("a share", json)).deal();
    }
  }

  /**
   * The digest of the model at the end of a window, from a worker to the lineage.
   *
   * @param rounds number of completed rounds
   * @param sha256 SHA-256 of the weights, in hexadecimal
   */
  record ModelDigest(long rounds, String sha256) implements StreamEvent {

    private static final long serialVersionUID = 1L;
  }

  /**
   * Notification that a reader requests batches again after a checkpoint.
   *
   * @param checkpoint id of the checkpoint
   */
  record ResumedBehind(long checkpoint) implements StreamEvent {

    private static final long serialVersionUID = 1L;
  }
}
