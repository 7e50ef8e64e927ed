package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.RunHistory;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A model of colour images keeps their properties for further training, evaluation and the
 * classification of files. Classes differ by a colour, or by stripes, in noise.
 */
class ColourImagesITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final List<String> CLASSES = List.of("blue", "green", "red", "stripes");
  private static final int SIDE = 12;
  private static final int TRAIN = 30;
  private static final int TEST = 10;

  @TempDir private Path folder;
  private final SplittableRandom random = new SplittableRandom(17);

  /** Returns an image. Stripes are grey; a colour is brighter than the noise. */
  private BufferedImage image(int label, int side) {
    BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < side * side; i++) {
      int noise = random.nextInt(150) << 16 | random.nextInt(150) << 8 | random.nextInt(150);
      boolean bright = i / side * SIDE / side % 4 < 2;
      int more = label < 3 ? 60 << (8 * label) : bright ? 0x3c3c3c : 0;
      image.setRGB(i % side, i / side, noise + more);
    }
    return image;
  }

  private Path write(String name, BufferedImage image, String format) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    assertThat(ImageIO.write(image, format, file.toFile())).isTrue();
    return file;
  }

  private void writeFolder() throws IOException {
    for (int label = 0; label < CLASSES.size(); label++) {
      for (int i = 0; i < TRAIN + TEST; i++) {
        String name = (i < TRAIN ? "images/train/" : "images/test/") + CLASSES.get(label);
        write(name + "/" + i + ".png", image(label, SIDE), "png");
      }
    }
  }

  private void writeCifar() throws IOException {
    Files.createDirectories(folder.resolve("cifar"));
    for (String file : List.of("data_batch_1.bin", "data_batch_2.bin", "test_batch.bin")) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (int record = 0; record < 60; record++) {
        int label = record % CLASSES.size();
        BufferedImage image = image(label, 32);
        out.write(label);
        for (int i = 0; i < 3 * 1024; i++) {
          out.write(image.getRGB(i % 32, i % 1024 / 32) >> (16 - i / 1024 * 8));
        }
      }
      Files.write(folder.resolve("cifar").resolve(file), out.toByteArray());
    }
  }

  private void train(String data, String out, int workers, String... more) throws Exception {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--data=" + (data.startsWith("{") ? data : folder.resolve(data)),
                "--workers=" + workers,
                "--out=" + folder.resolve(out),
                "--batch=10"));
    Collections.addAll(options, more);
    String[] words = options.toArray(String[]::new);
    var env = FLINK.environment(workers, TrainingGraph.settings(words));
    env.execute(TrainingGraph.of(env, words));
  }

  private double accuracy(String out) throws IOException {
    List<Evaluation> evaluations =
        RunHistory.read(folder.resolve(out).resolve("history.jsonl")).evaluations();
    return evaluations.get(evaluations.size() - 1).testAccuracy();
  }

  private String model(String out) {
    return folder.resolve(out).resolve("model.zip").toString();
  }

  /** The model has the scaling, so options need not repeat it and cannot change it. */
  @Test
  void trainingGoesOnWithTheSameScaling() throws Exception {
    writeFolder();
    train(
        "{place: %s, normalize: true, image-size: 6x8}".formatted(folder.resolve("images")),
        "first",
        1,
        "--model=logistic");
    JsonNode card = new ObjectMapper().readTree(folder.resolve("first/model.json").toFile());
    assertThat(card.get("input").toString()).isEqualTo("{\"channels\":3,\"height\":6,\"width\":8}");
    train(
        "{place: %s, flip: true}".formatted(folder.resolve("images")),
        "second",
        1,
        "--model=" + model("first"),
        "--epochs=1");
    assertThat(Files.readString(folder.resolve("second/model.json")))
        .isEqualTo(
            Files.readString(folder.resolve("first/model.json"))
                .replace("\"logistic\"", "\"" + model("first") + "\""));
    assertThat(accuracy("second")).isGreaterThanOrEqualTo(0.7);
    CommandRun.mistake(
        "model.json has the normalization of its images",
        "train",
        "--model",
        model("first"),
        "--data",
        "{place: %s/images, normalize: true}".formatted(folder),
        "--out",
        folder + "/third");
    CommandRun predicted =
        CommandRun.of(
            "predict",
            "--model",
            model("first"),
            write("new/large.png", image(1, 50), "png").toString());
    assertThat(predicted.out().lines().skip(1)).singleElement().asString().startsWith("green,");
    writeCifar();
    CommandRun.mistake(
        "images of 32x32, and 6x8 is asked for: only PNG and JPEG files are scaled",
        "evaluate",
        "--model",
        model("first"),
        "--data",
        folder + "/cifar");
  }

  @Test
  void cifarIsLearnt_evaluated_andClassified() throws Exception {
    writeCifar();
    String[] options = {"--model=logistic", "--epochs=10"};
    train(
        "{place: %s, classes: 4, normalize: true}".formatted(folder.resolve("cifar")),
        "out",
        2,
        options);
    assertThat(accuracy("out")).isGreaterThanOrEqualTo(0.95);
    CommandRun evaluated =
        CommandRun.of("evaluate", "--json", "--model", model("out"), "--data", folder + "/cifar");
    assertThat(new ObjectMapper().readTree(evaluated.out()).get("accuracy").asDouble())
        .isEqualTo(accuracy("out"));
    CommandRun predicted =
        CommandRun.of("predict", "--model", model("out"), folder + "/cifar/test_batch.bin");
    List<String> lines = predicted.out().lines().skip(1).toList();
    assertThat(lines).hasSize(60);
    int right = 0;
    for (int i = 0; i < lines.size(); i++) {
      right += lines.get(i).startsWith(i % 4 + ",") ? 1 : 0;
    }
    assertThat(right / 60.0).isEqualTo(accuracy("out"));
    Files.write(folder.resolve("cut.bin"), new byte[3073 + 9]);
    CommandRun.mistake(
        "cut.bin: ends after 9 of the 3073 bytes",
        "predict",
        "--model",
        model("out"),
        folder + "/cut.bin");
    writeFolder();
    CommandRun.mistake(
        "no class of that name: 0, 1, 2, 3 are needed",
        "evaluate",
        "--model",
        model("out"),
        "--data",
        folder + "/images");
    Files.write(folder.resolve("rows.csv"), Collections.nCopies(12, "1,".repeat(3072) + "0"));
    CommandRun.mistake(
        "rows.csv: rows of numbers: the model takes images of 3x32x32",
        "evaluate",
        "--model",
        model("out"),
        "--data",
        folder + "/rows.csv");
  }
}
