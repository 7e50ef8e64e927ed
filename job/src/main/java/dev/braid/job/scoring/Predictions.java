package dev.braid.job.scoring;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.network.Classifier;
import dev.braid.run.result.Json;
import dev.braid.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Predictions for samples in batches, written as one line for each sample, in their order. */
final class Predictions {

  /**
   * Maximum number of samples in a batch. A matrix product of so many rows costs little more per
   * row than its share.
   */
  private static final int ROWS = 256;

  private static final String ERROR = "error";

  private final Classifier classifier;
  private final Answers answers;
  private final Form form;
  private final PrintWriter out;
  private final List<Waiting> waiting = new ArrayList<>();
  private final float[] features;
  private int scored;
  private boolean begun;
  private long samples;
  private long mistakes;
  private String firstMistake = "";

  /**
   * Form of the lines.
   *
   * @param json whether they are JSON instead of CSV
   * @param strict whether a sample that cannot be scored stops the command instead of having an
   *     answer
   * @param withFiles whether each line names the file of the sample
   */
  record Form(boolean json, boolean strict, boolean withFiles) {}

  /**
   * A sample that waits for its answer.
   *
   * @param mistake reason why it cannot be scored; empty if it can
   */
  private record Waiting(String file, Optional<String> mistake) {}

  /**
   * @param answers interpretation of outputs
   */
  Predictions(Classifier classifier, Answers answers, Form form, PrintWriter out) {
    this.classifier = classifier;
    this.answers = answers;
    this.form = form;
    this.out = out;
    this.features = new float[rows(classifier) * classifier.shape().features()];
  }

  /** Returns the number of samples in a batch, which is smaller for large samples. */
  private static int rows(Classifier classifier) {
    return Math.max(1, Math.min(ROWS, (1 << 24) / classifier.shape().features()));
  }

  void add(String file, float[] sample) {
    System.arraycopy(sample, 0, features, scored * sample.length, sample.length);
    scored++;
    add(new Waiting(file, Optional.empty()));
  }

  /**
   * Adds a sample that cannot be scored.
   *
   * @throws InvalidDataException if such a sample stops the command
   */
  void addMistake(String file, String mistake) {
    add(new Waiting(file, Optional.of(mistake)));
  }

  private void add(Waiting next) {
    waiting.add(next);
    if (waiting.size() >= rows(classifier) || (form.strict && next.mistake.isPresent())) {
      flush();
    }
  }

  /**
   * Returns the number of samples that could not be scored, and the first reason; empty if there
   * were none.
   */
  Optional<String> mistakes() {
    return mistakes == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%,d of %,d samples could not be scored; the first: %s",
                mistakes,
                samples,
                firstMistake));
  }

  /**
   * Writes a line for each waiting sample.
   *
   * @throws InvalidDataException for the first that cannot be scored, if such a sample stops the
   *     command
   */
  void flush() {
    if (waiting.isEmpty()) {
      return;
    }
    List<Waiting> taken = List.copyOf(waiting);
    float[] scores = scores();
    waiting.clear();
    scored = 0;
    StringWriter text = new StringWriter();
    try (CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text)) {
      int row = 0;
      for (Waiting sample : taken) {
        boolean isScored = sample.mistake.isEmpty();
        float[] outputs = isScored ? outputs(row++, scores) : new float[0];
        Optional<String> mistake = isScored ? mistake(sample.file, outputs) : sample.mistake;
        if (mistake.isPresent()) {
          count(mistake.get());
        }
        samples++;
        if (form.json) {
          csv.flush();
          text.append(toJson(sample.file, outputs, mistake)).append('\n');
        } else {
          writeHead(csv);
          csv.writeRecord(shown(cells(sample.file, outputs, mistake)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      out.print(text);
      out.flush();
    }
  }

  private float[] scores() {
    return scored == 0
        ? new float[0]
        : classifier.scores(Arrays.copyOf(features, scored * classifier.shape().features()));
  }

  private void count(String mistake) {
    if (form.strict) {
      throw new InvalidDataException(mistake);
    }
    if (mistakes++ == 0) {
      firstMistake = mistake;
    }
  }

  /** Returns an error if an output is not finite, as for numbers that are too large. */
  private static Optional<String> mistake(String file, float[] outputs) {
    for (float output : outputs) {
      if (!Float.isFinite(output)) {
        return Optional.of(
            "%s: the model predicts %s for a sample: its numbers are too large"
                .formatted(file, output));
      }
    }
    return Optional.empty();
  }

  private void writeHead(CsvWriter csv) {
    if (begun) {
      return;
    }
    begun = true;
    List<String> head = new ArrayList<>(form.withFiles ? List.of("file") : List.of());
    head.addAll(answers.head());
    if (!form.strict) {
      head.add(ERROR);
    }
    csv.writeRecord(shown(head));
  }

  /**
   * Escapes control characters for CSV, which is often read on a terminal; JSON has names as they
   * are in the data.
   */
  private static List<String> shown(List<String> cells) {
    return cells.stream().map(Printable::of).toList();
  }

  private List<String> cells(String file, float[] outputs, Optional<String> mistake) {
    List<String> cells = new ArrayList<>(form.withFiles ? List.of(file) : List.of());
    cells.addAll(
        mistake.isPresent()
            ? Collections.nCopies(answers.head().size(), "")
            : answers.cells(outputs));
    if (!form.strict) {
      cells.add(mistake.orElse(""));
    }
    return cells;
  }

  private String toJson(String file, float[] outputs, Optional<String> mistake) {
    Map<String, Object> line = new LinkedHashMap<>();
    if (form.withFiles) {
      line.put("file", file);
    }
    mistake.ifPresentOrElse(why -> line.put(ERROR, why), () -> line.putAll(answers.json(outputs)));
    return Json.write(line);
  }

  private float[] outputs(int i, float[] scores) {
    int width = classifier.shape().outputs();
    return Arrays.copyOfRange(scores, i * width, (i + 1) * width);
  }
}
