package dev.braid.job.scoring;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.braid.files.Printable;
import dev.braid.job.result.Json;
import dev.braid.learner.network.Classifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Has a model answer for samples some at a time, and writes a line for each. */
final class Predictions {

  /** At once: a product of so many rows costs each little more than its share. */
  private static final int ROWS = 256;

  private final Classifier classifier;
  private final Answers answers;
  private final boolean json;
  private final boolean withFiles;
  private final PrintWriter out;
  private final List<String> files = new ArrayList<>();
  private final float[] features;
  private boolean begun;

  /**
   * @param answers what outputs say
   * @param json whether lines are JSON, rather than CSV
   * @param withFiles whether each says which file the sample is from
   */
  Predictions(
      Classifier classifier, Answers answers, boolean json, boolean withFiles, PrintWriter out) {
    this.classifier = classifier;
    this.answers = answers;
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
        head.addAll(answers.head());
        csv.writeRecord(shown(head));
      }
      for (int i = 0; i < files.size(); i++) {
        csv.writeRecord(shown(cells(i, scores)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lines of CSV are often read on a terminal; JSON has names as they are in the data. */
  private static List<String> shown(List<String> cells) {
    return cells.stream().map(Printable::of).toList();
  }

  private List<String> cells(int i, float[] scores) {
    List<String> cells = new ArrayList<>(withFiles ? List.of(files.get(i)) : List.of());
    cells.addAll(answers.cells(outputs(i, scores)));
    return cells;
  }

  private String toJson(int i, float[] scores) {
    Map<String, Object> line = new LinkedHashMap<>();
    if (withFiles) {
      line.put("file", files.get(i));
    }
    line.putAll(answers.json(outputs(i, scores)));
    return Json.write(line);
  }

  private float[] outputs(int i, float[] scores) {
    int width = classifier.shape().outputs();
    return Arrays.copyOfRange(scores, i * width, (i + 1) * width);
  }
}
