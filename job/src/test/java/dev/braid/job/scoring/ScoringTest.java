package dev.braid.job.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableOptions;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.plan.RunPlan;
import dev.braid.run.training.ModelCard;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import picocli.CommandLine;

/** {@code braid predict}, alone and with {@code braid evaluate}, on models with known answers. */
class ScoringTest extends ScoringCase {

  @Test
  void standardizedColumnsAreScaledAsTheTrainingRowsWere() throws Exception {
    String model = saveTableModel(true);
    JsonNode card = new ObjectMapper().readTree(folder.resolve("model.json").toFile());
    JsonNode first = card.get("table").get("features").get(0);
    double mean = first.get("mean").asDouble();
    double deviation = first.get("deviation").asDouble();
    Result line = run("predict", "--model", model, write("new.csv", "a,b", "7,3").toString());
    JsonNode second = card.get("table").get("features").get(1);
    double difference =
        (7 - mean) / deviation
            - (3 - second.get("mean").asDouble()) / second.get("deviation").asDouble();
    double left = 1 / (1 + Math.exp(-4 * difference));
    String[] cells = line.out().lines().toList().get(1).split(",", -1);
    assertThat(Double.parseDouble(cells[1])).isCloseTo(left, within(1e-5));
  }

  @Test
  void predictsAClassAndItsProbabilitiesForEachRow() throws Exception {
    String model = saveTableModel(false);
    Path rows = write("new.csv", "2;1", "1;3");
    Result csv = run("predict", "--model", model, rows.toString());
    assertThat(csv.err()).isEmpty();
    assertThat(csv.out().lines())
        .satisfiesExactly(
            head -> assertThat(head).isEqualTo("class,left,right,error"),
            row -> assertThat(row).startsWith("left,0.98").endsWith(","),
            row -> assertThat(row).startsWith("right,3.3"));
    Result json = run("predict", "--json", "--model", model, rows.toString(), rows.toString());
    assertThat(json.out().lines()).hasSize(4).allMatch(line -> line.contains("\"probabilities\""));
    assertThat(
            new ObjectMapper()
                .readTree(json.out().lines().findFirst().orElseThrow())
                .get("file")
                .asText())
        .isEqualTo(rows.toString());
  }

  /** The scores equal those of Deeplearning4j. */
  @Test
  void deeplearning4jGivesTheSame() throws Exception {
    String model = saveTableModel(false);
    MultiLayerNetwork network = MultiLayerNetwork.load(Path.of(model).toFile(), false);
    INDArray output = network.output(Nd4j.create(new float[] {2, 1}, 1, 2));
    Result line = run("predict", "--model", model, write("new.csv", "2,1").toString());
    assertThat(line.out()).contains("left," + output.getFloat(0, 0) + "," + output.getFloat(0, 1));
  }

  /** A row is answered before the next one arrives. */
  @Test
  void answersRowsFromAStreamAsTheyCome() throws Exception {
    String model = saveTableModel(false);
    LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    StringWriter err = new StringWriter();
    OutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public synchronized void flush() {
            toString(StandardCharsets.UTF_8).lines().forEach(lines::add);
            reset();
          }
        };
    try (PipedInputStream in = new PipedInputStream()) {
      CompletableFuture<Integer> code;
      try (PipedOutputStream input = new PipedOutputStream(in)) {
        code =
            CompletableFuture.supplyAsync(
                () ->
                    new CommandLine(new PredictCommand(in, true))
                        .setErr(new PrintWriter(err, true))
                        .setOut(new PrintWriter(out, false, StandardCharsets.UTF_8))
                        .execute("--model", model));
        for (String row : List.of("2,1", "1,2", "5,1")) {
          input.write((row + "\n").getBytes(StandardCharsets.UTF_8));
          input.flush();
          String line = lines.poll(60, TimeUnit.SECONDS);
          if (line != null && line.startsWith("class")) {
            line = lines.poll(60, TimeUnit.SECONDS);
          }
          assertThat(line).startsWith(row.equals("1,2") ? "right," : "left,");
        }
      }
      assertThat(code.get(60, TimeUnit.SECONDS)).isZero();
      assertThat(err.toString()).contains("from the keyboard").hasLineCount(1);
    }
  }

  /** Pixels are bytes in any format, and are divided by 255. */
  @Test
  void picturesIdxFilesAndRowsOfPixelsGiveTheSame() throws Exception {
    String model = saveImageModel();
    BufferedImage grey = new BufferedImage(2, 2, BufferedImage.TYPE_BYTE_GRAY);
    BufferedImage colour = new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB);
    int[] pixels = {0, 51, 102, 255};
    byte[] idx = new byte[16 + 4];
    ByteBuffer.wrap(idx).putInt(0x803).putInt(1).putInt(2).putInt(2);
    for (int i = 0; i < 4; i++) {
      grey.getRaster().setSample(i % 2, i / 2, 0, pixels[i]);
      colour.setRGB(i % 2, i / 2, 0x010101 * pixels[i]);
      idx[16 + i] = (byte) pixels[i];
    }
    ImageIO.write(grey, "png", folder.resolve("grey.png").toFile());
    ImageIO.write(colour, "png", folder.resolve("colour.png").toFile());
    Files.write(folder.resolve("images-idx3-ubyte"), idx);
    write("rows.csv", "0,51,102,255");
    write("rows.svm", "1 2:51 3:102 4:255");
    List<String> words = new ArrayList<>(List.of("predict", "--model", model));
    for (String name :
        List.of("grey.png", "colour.png", "images-idx3-ubyte", "rows.csv", "rows.svm")) {
      words.add(folder.resolve(name).toString());
    }
    Result result = run(words.toArray(String[]::new));
    assertThat(result.err()).isEmpty();
    double first = 1 / (1 + Math.exp(-0.4));
    assertThat(result.out().lines().skip(1).map(line -> line.substring(line.indexOf(',') + 1)))
        .hasSize(5)
        .allSatisfy(
            line -> {
              assertThat(line).startsWith("zero,");
              assertThat(Double.parseDouble(line.split(",", -1)[1])).isCloseTo(first, within(1e-6));
            })
        .containsOnly(result.out().lines().toList().get(1).replaceFirst("[^,]*,", ""));
  }

  /**
   * A picture is a sample: one that the model cannot accept has an error, and the next has its
   * answer.
   */
  @Test
  void aPictureThatCannotBeScoredIsAnError() throws Exception {
    String model = saveImageModel();
    for (int side : new int[] {2, 3}) {
      BufferedImage picture = new BufferedImage(side, 2, BufferedImage.TYPE_BYTE_GRAY);
      ImageIO.write(picture, "png", folder.resolve("side" + side + ".png").toFile());
    }
    String good = folder.resolve("side2.png").toString();
    String bad = folder.resolve("side3.png").toString();
    Result run = run("predict", "--json", "--model", model, good, bad, good);
    assertThat(run.out().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("\"class\""),
            line -> assertThat(line).contains("\"error\"").contains("3 pixels wide"),
            line -> assertThat(line).contains("\"class\""));
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
  }

  @Test
  void hostilePicturesAreRefusedBeforeTheyAreDecoded() throws Exception {
    String model = saveImageModel();
    BufferedImage large = new BufferedImage(3, 2, BufferedImage.TYPE_BYTE_GRAY);
    ImageIO.write(large, "png", folder.resolve("large.png").toFile());
    byte[] png = Files.readAllBytes(folder.resolve("large.png"));
    mistakes(model, "large.png", "large.png: 3 pixels wide, 2 high: the model takes images of 2x2");
    // A header that claims four thousand million pixels.
    png[16] = 0x00;
    png[17] = 0x01;
    png[21] = 0x01;
    Files.write(folder.resolve("huge.png"), png);
    assertThat(predict(model, "huge.png").exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(predict(model, "huge.png").err()).hasLineCount(1);
    BufferedImage clear = new BufferedImage(2, 2, BufferedImage.TYPE_INT_ARGB);
    ImageIO.write(clear, "png", folder.resolve("clear.png").toFile());
    mistakes(model, "clear.png", "clear.png: has transparent pixels");
    BufferedImage whole = new BufferedImage(2, 2, BufferedImage.TYPE_BYTE_GRAY);
    ImageIO.write(whole, "png", folder.resolve("whole.png").toFile());
    byte[] bytes = Files.readAllBytes(folder.resolve("whole.png"));
    for (int length = 4; length < bytes.length - 12; length++) {
      Files.write(folder.resolve("cut.png"), Arrays.copyOf(bytes, length));
      Result result = predict(model, "cut.png");
      // A cut file may still have all its pixels.
      assertThat(result.exitCode()).isIn(ExitCodes.OK, ExitCodes.USAGE);
      assertThat(result.err()).hasLineCount(result.exitCode() == ExitCodes.OK ? 0 : 1);
      assertThat(length > 41 || result.exitCode() == ExitCodes.USAGE).isTrue();
    }
  }

  @Test
  void mistakesAreALineEach() throws Exception {
    String model = saveTableModel(false);
    write("text.csv", "2,1", "x,1");
    Result result = predict(model, "text.csv");
    assertThat(result.out().lines()).as("what came before is answered").hasSize(2);
    assertThat(result.err())
        .contains("text.csv:2: 'x' in column 1 (a) is not a number")
        .hasLineCount(1);
    mistakes(model, "none.csv", "none.csv: no such file");
    write("wide.csv", "1,2,3,4");
    mistakes(model, "wide.csv", "wide.csv:1: 4 columns: 2, or 3 with the label, are needed");
    assertThat(run("predict", "--model", model, "--format", "gif").err())
        .contains("--format gif: unknown name; must be one of csv, libsvm, idx, cifar, png, jpeg");
    assertThat(run("evaluate", "--model", model, "--data", "mnist").err())
        .contains("mnist: images, whose numbers are divided by 255: the model takes rows");
    write("labels.csv", "a,b,kind", "1,2,up");
    assertThat(run("evaluate", "--model", model, "--data", folder + "/labels.csv").err())
        .contains("labels.csv:2: label up: the labels are left, right");
    Files.delete(folder.resolve("model.json"));
    mistakes(model, "text.csv", "model.zip: no model.json beside it");
    for (String card :
        List.of(
            "",
            "{}",
            "[1]",
            "{\"version\":2}",
            "{\"version\":1,\"model\":\"m\",\"data\":\"d\",\"input\":{\"channels\":1,\"height\":1,"
                + "\"width\":-1},\"divisor\":1,\"classes\":[\"a\",\"b\"]}",
            "{\"version\":1,\"model\":\"m\",\"data\":\"d\",\"input\":{\"channels\":1,\"height\":1,"
                + "\"width\":2},\"divisor\":1,\"classes\":[\"a\",\"a\"]}",
            "[".repeat(10_000))) {
      Files.writeString(folder.resolve("model.json"), card);
      Result broken = predict(model, "text.csv");
      assertThat(broken.err()).contains("model.json: ").hasLineCount(1);
      assertThat(broken.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
  }

  @Test
  void aCardLargerThanAnyIsNotRead() throws Exception {
    String model = saveTableModel(false);
    try (RandomAccessFile card =
        new RandomAccessFile(folder.resolve("model.json").toFile(), "rw")) {
      card.setLength((64 << 20) + 1);
    }
    mistakes(model, "text.csv", "more than 67108864 bytes");
  }

  @ParameterizedTest
  @CsvSource({"h5, Keras model (HDF5)", "keras, Keras model (.keras)"})
  void modelsOfKerasAreNamed(String kind, String message) throws Exception {
    Path model = folder.resolve("model." + kind);
    if (kind.equals("h5")) {
      Files.write(model, new byte[] {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 0, 0});
    } else {
      try (var zip = new ZipOutputStream(Files.newOutputStream(model))) {
        for (String name : List.of("metadata.json", "config.json", "model.weights.h5")) {
          zip.putNextEntry(new ZipEntry(name));
          zip.write("{}".getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    for (String command : List.of("train --out " + folder + "/out", "predict")) {
      Result result = run((command + " --model " + model).split(" "));
      assertThat(result.err())
          .contains("--model " + model + ": is a " + message)
          .contains("KerasModelImport")
          .hasLineCount(1);
      assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
  }

  @ParameterizedTest
  @CsvSource({"train, not an ONNX model", "predict, is an ONNX model"})
  void damagedOnnxModelsAreNamed(String command, String message) throws Exception {
    Path model = Files.write(folder.resolve("model.onnx"), new byte[] {8, 8, 58, 100, 10});
    Result result = run(command, "--model", model.toString());
    assertThat(result.err()).contains("--model " + model + ": " + message).hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aRunSaysWhatTheDataIs() throws Exception {
    saveTableModel(false);
    RunPlan plan = RunPlan.of(options("--data", folder + "/train.csv"));
    assertThat(plan.describeData())
        .isEqualTo("2 features, 2 classes; samples of class left: 14, right: 13");
    assertThat(RunPlan.of(options("--data", "mnist")).describeData())
        .startsWith("784 features, 10 classes; samples of class 0: 5,923, 1: 6,742,");
  }

  /** Names of classes and columns from foreign tables must not control the terminal. */
  @Test
  void controlCharactersInNamesAreShownEscaped() throws Exception {
    List<String> rows = new ArrayList<>(List.of("a,b,kind"));
    IntStream.range(0, 30)
        .mapToObj(i -> i + "," + i % 7 + "," + (i < 15 ? "\u001b[31mred" : "\"c\u202e\nd\""))
        .forEach(rows::add);
    Path data = write("train.csv", rows.toArray(String[]::new));
    DataLocation.Contents contents = DataLocation.of(data.toString()).check();
    save(ModelCard.of("logistic", contents.location(), contents.shape()), GREATEST);
    String model = folder.resolve("model.zip").toString();
    String red = "\\u001b[31mred";
    String hidden = "c\\u202e\\nd";
    Path wrong = write("wrong.csv", "a,b,kind", "1,2,\u001b[2J");
    for (Result result :
        List.of(
            run("evaluate", "--model", model, "--data", data.toString()),
            run("predict", "--model", model, write("new.csv", "1,2").toString()),
            run("evaluate", "--model", model, "--data", wrong.toString()))) {
      String shown = result.out() + result.err();
      assertThat(shown).contains(red, hidden);
      assertThat(shown.replace("\n", "")).doesNotContainPattern("[\\p{Cc}\\p{Cf}]");
    }
    String json = run("predict", "--json", "--model", model, folder + "/new.csv").out().strip();
    assertThat(json).doesNotContainPattern("[\\p{Cc}\\p{Cf}]");
    assertThat(new ObjectMapper().readTree(json).get("probabilities").fieldNames())
        .toIterable()
        .containsExactly("\u001b[31mred", "c\u202e\nd");
  }

  /** A model that is trained further keeps its columns and classes. */
  @Test
  void goesOnWithTheColumnsOfTheModel() throws Exception {
    String model = saveTableModel(true);
    Path more = write("more.csv", "kind,b,a", "right,1,3", "right,2,9", "left,3,4");
    write("more.test.csv", "kind,b,a", "left,1,3");
    RunPlan plan =
        RunPlan.of(options("--model", model, "--data", more.toString(), "--workers", "1"));
    assertThat(plan.describeData()).endsWith("samples of class left: 1, right: 2");
    for (String same :
        List.of(
            "label: kind",
            "label: 3",
            "classes: 2",
            "classes: [left, right]",
            "standardize: true",
            "ignore: id",
            "missing: fail",
            "header: yes")) {
      String data = "{place: %s, %s}".formatted(more, same);
      RunPlan again = RunPlan.of(options("--model", model, "--data", data, "--workers", "1"));
      assertThat(again.describeData()).as(same).isEqualTo(plan.describeData());
    }
    for (String other :
        List.of(
            "label: a",
            "label: 1",
            "classes: 3",
            "classes: [right, left]",
            "ignore: b",
            "categories: a",
            "dates: 1",
            "missing: mean",
            "header: no")) {
      String data = "{place: %s, %s}".formatted(more, other);
      Result result = run("train", "--model", model, "--data", data, "--workers", "1");
      assertThat(result.err())
          .containsPattern("in model.json: (--)?" + other.replaceFirst(":.*", ""))
          .hasLineCount(1);
      assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
  }

  /** Evaluation and prediction fill gaps and read dates as in training. */
  @Test
  void modelsFillGapsAndReadDatesAsInTraining() throws Exception {
    List<String> rows = new ArrayList<>(List.of("a,b,kind"));
    IntStream.range(0, 30)
        .mapToObj(
            i -> (i == 4 ? "NA" : i) + ",2026-11-%02d,%s".formatted(1 + i % 28, i < 15 ? "l" : "r"))
        .forEach(rows::add);
    Path data = write("train.csv", rows.toArray(String[]::new));
    String model = folder.resolve("model.zip").toString();
    for (Missing missing : List.of(Missing.MEAN, Missing.MEDIAN, Missing.DROP)) {
      DataLocation.Contents contents =
          DataLocation.of(data.toString())
              .withTable(TableOptions.DEFAULT.withMissing(missing).withTime(List.of("b")))
              .check();
      save(ModelCard.of("logistic", contents.location(), contents.shape()), GREATEST);
      JsonNode card = new ObjectMapper().readTree(folder.resolve("model.json").toFile());
      assertThat(card.at("/table/missing").asText()).isEqualTo(missing.typed());
      assertThat(card.at("/table/features/1/time").asBoolean()).isTrue();
      JsonNode fill = card.at("/table/features/0/fill");
      assertThat(fill.isMissingNode()).isEqualTo(missing == Missing.DROP);
      Path gap = write("gap.csv", "a,b,kind", "NA,2026-11-05,l", "9,2026-11-05T06:00,l");
      Path filled =
          write(
              "filled.csv",
              "a,b,kind",
              (fill.isMissingNode() ? 9 : fill.asDouble()) + ",2026-11-05,l",
              "9,2026-11-05 07:00+01:00,l");
      Result evaluated = run("evaluate", "--json", "--model", model, "--data", gap.toString());
      assertThat(evaluated.exitCode()).isZero();
      JsonNode samples = new ObjectMapper().readTree(evaluated.out()).get("samples");
      Result predicted = run("predict", "--model", model, gap.toString());
      if (missing == Missing.DROP) {
        assertThat(samples.asInt()).isEqualTo(1);
        assertThat(evaluated.err()).contains("1 of 2 rows have gaps").hasLineCount(1);
        assertThat(predicted.err()).contains("gap.csv:2: column 1 (a) has no number");
      } else {
        assertThat(samples.asInt()).isEqualTo(2);
        assertThat(evaluated.err()).isEmpty();
        assertThat(predicted.out())
            .isEqualTo(run("predict", "--model", model, filled.toString()).out())
            .hasLineCount(3);
      }
    }
  }
}
