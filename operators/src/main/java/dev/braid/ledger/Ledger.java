package dev.braid.ledger;

import dev.braid.worker.report.Reports.OffsetUse;
import dev.braid.worker.report.Reports.Usage;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** The ledger's part of the job: from the samples that workers used to its closing summaries. */
public final class Ledger {

  /** Its share of the work is small, and every one more has a channel from each rank. */
  private static final int MOST_SUBTASKS = 32;

  private Ledger() {}

  /** How many subtasks it has in a run of so many ranks. */
  public static int subtasks(int ranks) {
    return Math.min(ranks, MOST_SUBTASKS);
  }

  /**
   * Notes which offsets of a stream workers use.
   *
   * @param usage what the workers report
   * @return one summary when the input has ended
   */
  public static SingleOutputStreamOperator<LedgerSummary> attachTo(DataStream<OffsetUse> usage) {
    return usage
        .transform("Ledger", TypeInformation.of(LedgerSummary.class), new OffsetLedgerOperator())
        .setParallelism(1)
        .uid("ledger");
  }

  /**
   * Notes which samples workers use.
   *
   * @param usage what the workers report; each of its subtasks is grouped where it is
   * @return one summary of each of the ledger's subtasks, when the input has ended
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
