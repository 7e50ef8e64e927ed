package dev.braid.ledger;

import dev.braid.worker.report.Reports.OffsetUse;
import dev.braid.worker.report.Reports.Usage;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The ledger's part of the job: from the workers' reports of used samples to the closing summaries.
 */
public final class Ledger {

  /**
   * Highest number of subtasks. The ledger's share of the work is small, and each subtask has a
   * channel from each rank.
   */
  private static final int MOST_SUBTASKS = 32;

  private Ledger() {}

  /** Returns the number of subtasks in a run of {@code ranks} ranks. */
  public static int subtasks(int ranks) {
    return Math.min(ranks, MOST_SUBTASKS);
  }

  /**
   * Attaches a ledger of the offsets of a stream that workers use.
   *
   * @param usage the workers' reports
   * @return one summary at the end of the input
   */
  public static SingleOutputStreamOperator<LedgerSummary> attachTo(DataStream<OffsetUse> usage) {
    return usage
        .transform("Ledger", TypeInformation.of(LedgerSummary.class), new OffsetLedgerOperator())
        .setParallelism(1)
        .uid("ledger");
  }

  /**
   * Attaches a ledger of the samples that workers use.
   *
   * @param usage the workers' reports, which are grouped in the subtasks that send them
   * @return one summary of each of the ledger's subtasks, at the end of the input
   */
  public static SingleOutputStreamOperator<LedgerSummary> attach(DataStream<Usage> usage) {
    return usage
        .transform("Used samples", TypeInformation.of(PageUsage.class), new UsageGrouper())
        .setParallelism(usage.getParallelism())
        .uid("usage-grouper")
        .keyBy(PageUsage::page, TypeInformation.of(Integer.class))
        .transform("Ledger", TypeInformation.of(LedgerSummary.class), new LedgerOperator())
        .setParallelism(subtasks(usage.getParallelism()))
        .uid("ledger");
  }
}
