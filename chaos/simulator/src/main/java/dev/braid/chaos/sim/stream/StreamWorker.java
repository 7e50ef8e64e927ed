package dev.braid.chaos.sim.stream;

import dev.braid.chaos.sim.FaultCounts.Incident;
import dev.braid.chaos.sim.stream.StreamChecks.Offsets;
import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.stream.Dealer;
import dev.braid.connectors.stream.SimulatedRecords;
import dev.braid.connectors.stream.SimulatedRecords.Read;
import dev.braid.connectors.stream.StreamPosition;
import dev.braid.learner.OffsetRange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A worker with its reader. */
final class StreamWorker {

  private final StreamAttempt attempt;
  private final SimulatedStream stream;
  final int worker;
  private final int ofGeneration;
  private final Deque<Deal> deals = new ArrayDeque<>();

  /** Offsets that this reader has used since the current readers of the job began. */
  final Offsets used = new Offsets();

  /** Records of the topic; empty in a run whose topic keeps all records. */
  private final Optional<SimulatedRecords> records;

  Optional<StreamPosition> position = Optional.empty();
  private long endRound;
  boolean hasAllDeals;

  /** Number of used-up deals that have not been reported to the enumerator. */
  private int unheard;

  /** Highest number of deals that the reader may have had, as far as the enumerator knows. */
  int mostDeals = Dealer.AHEAD;

  StreamWorker(StreamAttempt attempt, int worker) {
    this.attempt = attempt;
    stream = attempt.stream;
    ofGeneration = attempt.generation;
    this.worker = worker;
    boolean skipsLost =
        stream.skipsLost || stream.makes(StreamMistake.DELETED_RECORDS_ALWAYS_SKIPPED);
    records =
        stream.hasRetention()
            ? Optional.of(new SimulatedRecords(stream.firsts, stream.ends, skipsLost))
            : Optional.empty();
  }

  boolean isAlive() {
    return attempt.isAlive && ofGeneration == attempt.generation;
  }

  void begin(StreamPosition at) {
    StreamChecks.require(position.isEmpty(), "reader %s has a position already", worker);
    position = Optional.of(at);
    endRound = at.round();
    if (!stream.isInStep) {
      attempt.every(1, stream.between(2, 15), this::useIfThere);
    }
  }

  void receive(Deal deal) {
    if (!isAlive()) {
      return;
    }
    stream.checks.told(deal);
    StreamChecks.require(!hasAllDeals, "reader %s has all deals, and gets another", worker);
    boolean isFirst = deals.isEmpty() && endRound == position.orElseThrow().round();
    boolean follows =
        isFirst
            ? deal.firstRound() <= endRound && deal.endRound() > endRound
            : deal.firstRound() == endRound;
    StreamChecks.require(
        follows, "reader %s at %s gets a deal of round %s", worker, endRound, deal.firstRound());
    deals.addLast(deal);
    mostDeals = Math.max(mostDeals, deals.size() + unheard);
    endRound = deal.endRound();
  }

  boolean isIdle() {
    return position.isEmpty() || deals.isEmpty();
  }

  private void useIfThere() {
    if (isAlive() && !isIdle()) {
      var unused = use();
    }
  }

  /** Uses the batch of the next round, and returns it. */
  List<OffsetRange> use() {
    long round = position.orElseThrow().round();
    Deal deal = deals.getFirst();
    List<OffsetRange> batch = deal.batch(worker, round);
    if (!isRead(batch)) {
      stream.count(Incident.STOPPED_BY_RETENTION);
      stream.isStopped = true;
      return batch;
    }
    stream.checks.used(round, worker, batch);
    batch.forEach(range -> attempt.used.add(range));
    batch.forEach(used::add);
    stream.count(Incident.ROUND);
    position = Optional.of(position.get().at(round + 1));
    if (deal.endRound() == round + 1) {
      deals.removeFirst();
      unheard++;
      stream.in(
          stream.between(0, 5),
          () -> {
            if (isAlive() && attempt.isEnumeratorAlive) {
              unheard--;
              attempt.dealer.orElseThrow().used(worker);
            }
          });
    }
    return batch;
  }

  /** Reads the records of a batch, and returns whether the run can continue. */
  private boolean isRead(List<OffsetRange> batch) {
    if (records.isEmpty()) {
      return true;
    }
    Read read = records.get().read(batch);
    stream.checks.read(batch, read);
    if (read.lost() > 0) {
      stream.count(Incident.RECORDS_SKIPPED);
    }
    return read.failure().isEmpty();
  }

  StreamPosition snapshot() {
    StreamPosition at = position.orElseThrow();
    return stream.makes(StreamMistake.POSITION_ONE_ROUND_AHEAD) ? at.at(at.round() + 1) : at;
  }
}
