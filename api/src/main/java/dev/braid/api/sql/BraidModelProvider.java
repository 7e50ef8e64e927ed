package dev.braid.api.sql;

import dev.braid.run.scoring.VersionChoice;
import org.apache.flink.table.functions.PredictFunction;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.table.ml.PredictRuntimeProvider;

/** A model of Flink SQL. */
record BraidModelProvider(VersionChoice choice, RowForm form) implements PredictRuntimeProvider {

  @Override
  public PredictFunction createPredictFunction(ModelProvider.Context context) {
    return new RowScoring(choice, form);
  }

  @Override
  public ModelProvider copy() {
    return this;
  }
}
