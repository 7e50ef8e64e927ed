package dev.braid.worker;

import dev.braid.learner.Batch;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.TestShare;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one rank has reported of its epochs, up to a checkpoint or the end, and what it has used.
 */
final class EpochRecords {

  /** One report: what it says of the samples that the rank was trained on and tested with. */
  record EpochReport(int epoch, long rounds, long trainSamples, TestShare share) {}

  private final List<EpochReport> reports = new ArrayList<>();
  private final Map<Integer, Long> used = new TreeMap<>();
  private long trained;
  private boolean handedOver;

  /** In reports before the checkpoint that this goes on from: those count. */
  private final Set<Integer> reportedBefore = new HashSet<>();

  void used(Batch batch) {
    int size = batch.usedIds().length;
    trained += size;
    used.merge(batch.epoch(), (long) size, Long::sum);
  }

  /**
   * Says so once; but where a run is restored from after its end, or after the verdict that it is
   * to end, its last epoch may come again, and the report's id tells.
   */
  void reported(int epoch, long rounds, EpochScore score) {
    boolean isThere = reports.stream().anyMatch(report -> report.epoch() == epoch);
    if (isThere && (handedOver || reportedBefore.contains(epoch))) {
      trained = 0;
      return;
    }
    reports.add(new EpochReport(epoch, rounds, trained, score.share()));
    trained = 0;
  }

  void handedOver() {
    handedOver = true;
  }

  List<EpochReport> reports() {
    return reports;
  }

  /** How many samples of an epoch the ledger was told of. */
  long used(int epoch) {
    return used.getOrDefault(epoch, 0L);
  }

  EpochRecords copy() {
    EpochRecords copy = new EpochRecords();
    copy.reports.addAll(reports);
    copy.used.putAll(used);
    copy.trained = trained;
    copy.handedOver = handedOver;
    reports.forEach(report -> copy.reportedBefore.add(report.epoch()));
    return copy;
  }
}
