package dev.braid.job;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.braid.job.report.Json;
import dev.braid.learner.Classifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Classifies samples some at a time, and writes a line for each. */
final class Predictions {

  /** At once: a product of so many rows costs each little more than its share. */
  private static final int ROWS = 256;

  private final Classifier classifier;
  private final List<String> classes;
  private final boolean json;
  private final boolean withFiles;
  private final PrintWriter out;
  private final List<String> files = new ArrayList<>();
  private final float[] features;
  private boolean begun;

  /**
   * @param classes the label of each output
   * @param json whether lines are JSON, rather than CSV
   * @param withFiles whether each says which file the sample is from
   */
  Predictions(
      Classifier classifier,
      List<String> classes,
      boolean json,
      boolean withFiles,
      PrintWriter out) {
    this.classifier = classifier;
    this.classes = classes;
    this.json = json;
    this.withFiles = withFiles;
    this.out = out;
    this.features = new float[rows(classifier) * classifier.shape().features()];
  }

  /** Fewer where samples are large. */
  private static int rows(Classifier classifier) {
    return Math.max(1, Math.min(ROWS, (1 << 24) / classifier.shape().features()));
  }

  void add(String file, float[] sample) {
    System.arraycopy(sample, 0, features, files.size() * sample.length, sample.length);
    files.add(file);
    if ((files.size() + 1L) * sample.length > features.length) {
      flush();
    }
  }

  /** Writes a line for each sample that waits for one. */
  void flush() {
    if (files.isEmpty()) {
      return;
    }
    int width = classifier.shape().features();
    float[] waiting = new float[files.size() * width];
    System.arraycopy(features, 0, waiting, 0, waiting.length);
    float[] scores = classifier.scores(waiting);
    StringWriter text = new StringWriter();
    if (json) {
      for (int i = 0; i < files.size(); i++) {
        text.append(toJson(i, scores)).append('\n');
      }
    } else {
      writeCsv(scores, text);
    }
    files.clear();
    out.print(text);
    out.flush();
  }

  private void writeCsv(float[] scores, StringWriter text) {
    try (CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text)) {
      if (!begun) {
        begun = true;
        List<String> head = new ArrayList<>(withFiles ? List.of("file") : List.of());
        head.add("class");
        head.addAll(classes);
        csv.writeRecord(head);
      }
      for (int i = 0; i < files.size(); i++) {
        csv.writeRecord(cells(i, scores));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> cells(int i, float[] scores) {
    List<String> cells = new ArrayList<>(withFiles ? List.of(files.get(i)) : List.of());
    cells.add(classes.get(best(i, scores)));
    for (int c = 0; c < classes.size(); c++) {
      cells.add(Float.toString(scores[i * classes.size() + c]));
    }
    return cells;
  }

  private String toJson(int i, float[] scores) {
    Map<String, Object> line = new LinkedHashMap<>();
    if (withFiles) {
      line.put("file", files.get(i));
    }
    line.put("class", classes.get(best(i, scores)));
    Map<String, Float> probabilities = new LinkedHashMap<>();
    for (int c = 0; c < classes.size(); c++) {
      probabilities.put(classes.get(c), scores[i * classes.size() + c]);
    }
    line.put("probabilities", probabilities);
    return Json.write(line);
  }

  private int best(int i, float[] scores) {
    int best = 0;
    for (int c = 1; c < classes.size(); c++) {
      if (scores[i * classes.size() + c] > scores[i * classes.size() + best]) {
        best = c;
      }
    }
    return best;
  }
}
