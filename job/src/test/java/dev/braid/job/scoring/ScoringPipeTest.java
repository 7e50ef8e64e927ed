package dev.braid.job.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.braid.connectors.text.TableOptions;
import dev.braid.job.CommandRun;
import dev.braid.job.TrainedTable;
import dev.braid.job.console.ExitCodes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * {@code braid predict} on rows some of which cannot be scored. Each row must have one answer, in
 * order, because other programs wait for it.
 */
class ScoringPipeTest {

  /** Weights of the features blue, red and size: the class is left while the size is below 10. */
  private static final float[] LEFT_BELOW_TEN = {0, 0, 0, 0, -4, 4, 40, -40};

  @TempDir private Path folder;

  private String model;

  private record Answered(int exitCode, List<String> out, String err) {

    /** Returns the class of each row, or its error. */
    List<String> csv() {
      try (CsvReader<CsvRecord> reader = CsvReader.builder().ofCsvRecord(String.join("\n", out))) {
        return reader.stream()
            .skip(1)
            .map(row -> row.getField(0).isEmpty() ? row.getField(3) : row.getField(0))
            .toList();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  @BeforeEach
  void save() throws IOException {
    List<String> rows = new ArrayList<>(List.of("colour,size,kind"));
    for (int i = 0; i < 40; i++) {
      rows.add((i % 2 == 0 ? "red" : "blue") + "," + i + "," + (i < 20 ? "left" : "right"));
    }
    model = TrainedTable.save(folder, TableOptions.DEFAULT, LEFT_BELOW_TEN, rows);
  }

  @Test
  void eachRowHasItsAnswer_andABadOneItsError() {
    String rows = "red,1\nred,many\nblue,30\n\nred\nblue,2,left,more\nblue,40\n";
    Answered csv = predict(rows);
    assertThat(csv.out().get(0)).isEqualTo("class,left,right,error");
    assertThat(csv.csv())
        .satisfiesExactly(
            row -> assertThat(row).isEqualTo("left"),
            row -> assertThat(row).contains("standard input:2: ").contains("'many'"),
            row -> assertThat(row).isEqualTo("right"),
            row -> assertThat(row).contains("standard input:5: "),
            row -> assertThat(row).contains("standard input:6: "),
            row -> assertThat(row).isEqualTo("right"));
    assertThat(csv.out().get(1)).matches("left,[^,]+,[^,]+,");
    assertThat(csv.err()).contains("3 of 6").contains("'many'").hasLineCount(1);
    assertThat(csv.exitCode()).isEqualTo(ExitCodes.FAILED);
  }

  @Test
  void answersAsJsonHaveTheErrorInsteadOfAClass() throws IOException {
    Answered json = predict("red,1\nred,many\nblue,30\n", "--json");
    List<JsonNode> answers = new ArrayList<>();
    for (String line : json.out()) {
      answers.add(new ObjectMapper().readTree(line));
    }
    assertThat(answers).hasSize(3);
    assertThat(answers.get(0).get("class").asText()).isEqualTo("left");
    assertThat(answers.get(1).get("error").asText()).contains("'many'");
    assertThat(answers.get(1).has("class")).isFalse();
    assertThat(answers.get(2).get("class").asText()).isEqualTo("right");
    assertThat(answers.get(2).has("error")).isFalse();
    assertThat(json.exitCode()).isEqualTo(ExitCodes.FAILED);
  }

  @Test
  void strictEndsAtTheFirst() {
    Answered strict = predict("red,1\nred,many\nblue,30\n", "--strict");
    assertThat(strict.out())
        .satisfiesExactly(
            head -> assertThat(head).isEqualTo("class,left,right"),
            row -> assertThat(row).startsWith("left,"));
    assertThat(strict.err()).contains("standard input:2: ").hasLineCount(1);
    assertThat(strict.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(predict("red,1\nblue,30\n", "--strict").exitCode()).isEqualTo(ExitCodes.OK);
  }

  /** A bad first row must not determine the columns that later rows are compared with. */
  @ParameterizedTest
  @ValueSource(strings = {"red", "red,1,left,more", "?,?", "red;1;left;1", "", "\"red,1"})
  void aBadFirstRowDoesNotSpoilThoseAfterIt(String first) {
    Answered answered = predict(first + "\nred,1\nblue,30\n");
    List<String> classes = answered.csv();
    assertThat(classes.subList(classes.size() - 2, classes.size()))
        .containsExactly("left", "right");
    assertThat(classes).hasSize(first.isEmpty() ? 2 : 3);
  }

  /** No row can be scored without the column, so no answer would be right. */
  @ParameterizedTest
  @ValueSource(strings = {"colour,weight", "farbe,groesse", "colour,weight,length,kind"})
  void aHeaderWithoutAColumnEndsAll(String header) {
    Answered answered = predict(header + "\nred,1\n");
    assertThat(answered.out()).isEmpty();
    assertThat(answered.err()).contains("no column ").hasLineCount(1);
    assertThat(answered.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aQuoteThatIsNotClosedIsItsLinesOnly() {
    Answered answered = predict("red,1\n\"red,1\nblue,30\n\"blue\",30\nr\"ed,1\nblue,30\n");
    assertThat(answered.csv()).hasSize(6);
    assertThat(answered.csv().get(1)).contains("standard input:2: ").contains("quote");
    assertThat(answered.csv().subList(2, 6)).containsExactly("right", "right", "left", "right");
  }

  /** In a file, a quoted cell may span several lines, as usual in CSV. */
  @Test
  void filesMayHaveCellsOfSeveralLines() throws IOException {
    Path rows =
        Files.writeString(
            folder.resolve("new.csv"),
            "note,colour,size\n\"one\ntwo\",red,1\nplain,blue,30\n\"open,red,1\nplain,blue,30\n");
    CommandRun run = CommandRun.of("predict", "--model", model, rows.toString());
    Answered answered = new Answered(run.exitCode(), run.out().lines().toList(), run.err());
    assertThat(answered.csv())
        .satisfiesExactly(
            row -> assertThat(row).isEqualTo("left"),
            row -> assertThat(row).isEqualTo("right"),
            row -> assertThat(row).contains("new.csv:5: ").contains("quote"),
            row -> assertThat(row).isEqualTo("right"));
  }

  @Test
  void bytesThatAreNoTextAreTheirLinesOnly() {
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    rows.writeBytes("red,1\nred,".getBytes(StandardCharsets.UTF_8));
    rows.writeBytes(new byte[] {(byte) 0xff, (byte) 0xc0});
    rows.writeBytes("\nblue,30\n".getBytes(StandardCharsets.UTF_8));
    Answered answered = predict(new ByteArrayInputStream(rows.toByteArray()));
    assertThat(answered.csv()).hasSize(3);
    assertThat(answered.csv().get(1)).contains("standard input:2: ").contains("UTF-8");
    assertThat(answered.csv().get(2)).isEqualTo("right");
  }

  /** The line is longer than any row may be: it is neither kept nor does it end the stream. */
  @Test
  void aVeryLongLineIsOneError() {
    String rows = "red,1\n" + "x".repeat((1 << 24) + 1) + "\nblue,30\n";
    Answered answered = predict(new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)));
    assertThat(answered.csv()).hasSize(3);
    assertThat(answered.csv().get(1)).contains("standard input:2: ").contains("16777216");
    assertThat(answered.csv().get(2)).isEqualTo("right");
    assertThat(predict("red,1\n" + "x".repeat(1 << 17) + ",1\nblue,30\n").csv()).hasSize(3);
  }

  /** Such numbers overflow in the model, so that no class would be right. */
  @Test
  void outputsThatAreNoNumbersAreAnError() {
    Answered answered = predict("red,1\nred,3e38\nblue,30\n", "--json");
    assertThat(answered.out()).hasSize(3);
    assertThat(answered.out().get(1)).contains("\"error\"");
    assertThat(answered.out().get(2)).contains("\"class\":\"right\"");
  }

  @Test
  void rowsOfLibSvmAreAnsweredLikewise() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add("%d,%d,%s".formatted(i % 2, i, i < 20 ? "left" : "right"));
    }
    model =
        TrainedTable.save(folder, TableOptions.DEFAULT, new float[] {0, 0, -1, 1, 10, -10}, rows);
    Answered answered = predict("1:1 2:1\n2:1 1:5\n+1 2:30\n9:1\n", "--format", "libsvm");
    assertThat(answered.csv())
        .satisfiesExactly(
            row -> assertThat(row).isEqualTo("left"),
            row -> assertThat(row).contains("standard input:2: "),
            row -> assertThat(row).isEqualTo("right"),
            row -> assertThat(row).contains("standard input:4: "));
  }

  /** Each row is answered before the next one arrives, however short, and whether good or bad. */
  @Test
  void answersComeAtOnce() throws Exception {
    LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    LinkedBlockingQueue<String> warnings = new LinkedBlockingQueue<>();
    try (PipedInputStream in = new PipedInputStream()) {
      CompletableFuture<Integer> code;
      try (PipedOutputStream input = new PipedOutputStream(in)) {
        code =
            CompletableFuture.supplyAsync(
                () ->
                    new CommandLine(new PredictCommand(in, false))
                        .setErr(into(warnings))
                        .setOut(into(lines))
                        .execute("--model", model, "--json"));
        for (String row : List.of("x", "red,1", "\"red", "?,?", "blue,30")) {
          input.write((row + "\n").getBytes(StandardCharsets.UTF_8));
          input.flush();
          assertThat(lines.poll(60, TimeUnit.SECONDS))
              .contains(row.matches("\\w+,\\d+") ? "class" : "error");
        }
        assertThat(warnings).isEmpty();
        input.write("teal,1\n".getBytes(StandardCharsets.UTF_8));
        input.flush();
        assertThat(lines.poll(60, TimeUnit.SECONDS)).contains("class");
        assertThat(warnings.poll(60, TimeUnit.SECONDS)).contains("'teal'").contains("colour");
        input.write("teal,1\ngrey,2\n".getBytes(StandardCharsets.UTF_8));
        input.flush();
        assertThat(warnings.poll(60, TimeUnit.SECONDS)).contains("'grey'");
      }
      assertThat(code.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.FAILED);
    }
  }

  private static PrintWriter into(LinkedBlockingQueue<String> lines) {
    return new PrintWriter(
        new ByteArrayOutputStream() {
          @Override
          public synchronized void flush() {
            toString(StandardCharsets.UTF_8).lines().forEach(lines::add);
            reset();
          }
        },
        true,
        StandardCharsets.UTF_8);
  }

  private Answered predict(String rows, String... more) {
    return predict(new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)), more);
  }

  private Answered predict(InputStream rows, String... more) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> words = new ArrayList<>(List.of("--model", model));
    words.addAll(List.of(more));
    int code =
        new CommandLine(new PredictCommand(rows, false))
            .setExecutionExceptionHandler(
                (mistake, line, parsed) -> {
                  line.getErr().println(mistake.getMessage());
                  return ExitCodes.USAGE;
                })
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(words.toArray(String[]::new));
    return new Answered(code, out.toString().lines().toList(), err.toString());
  }
}
