package dev.braid.worker.report;

import dev.braid.worker.report.Reports.Began;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.Reports.ModelPart;
import dev.braid.worker.report.Reports.OffsetUse;
import dev.braid.worker.report.Reports.Progress;
import dev.braid.worker.report.Reports.Usage;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/** The side outputs of the workers; their main output is the loop. */
public final class WorkerOutputs {

  public static final OutputTag<Began> BEGAN = tag("began", Began.class);
  public static final OutputTag<Usage> USAGE = tag("usage", Usage.class);
  public static final OutputTag<OffsetUse> OFFSETS = tag("offsets", OffsetUse.class);
  public static final OutputTag<Progress> PROGRESS = tag("progress", Progress.class);
  public static final OutputTag<Evaluated> EVALUATED = tag("evaluated", Evaluated.class);
  public static final OutputTag<Finished> FINISHED = tag("finished", Finished.class);
  public static final OutputTag<ModelPart> MODEL =
      new OutputTag<>("model", ModelPartSerializer.TYPE);

  private WorkerOutputs() {}

  private static <T> OutputTag<T> tag(String name, Class<T> type) {
    return new OutputTag<>(name, TypeInformation.of(type));
  }
}
