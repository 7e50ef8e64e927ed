package dev.braid.job.report;

import java.io.Serializable;

/**
 * What the report is told of a run.
 *
 * @param options the run's options, a JSON object, for the history
 * @param out the folder for the history and the model: a path or a URI that the machine where the
 *     report runs can write to
 * @param trainSamples samples that each epoch uses
 * @param epochs epochs at most
 * @param identical whether all replicas must end with the same weights, bit for bit
 */
public record ReportConfig(
    String options,
    String out,
    long trainSamples,
    int epochs,
    boolean identical,
    ModelFormat format)
    implements Serializable {

  /** The history's place. */
  public String historyPath() {
    return inOut("history.jsonl");
  }

  /** The model's place. */
  public String modelPath() {
    return inOut("model.zip");
  }

  private String inOut(String name) {
    return out.endsWith("/") ? out + name : out + "/" + name;
  }
}
