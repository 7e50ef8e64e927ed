package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Colour images from their files to a model that classifies them, as a user does it. */
@Tag("long")
class ImageFolderRunITCase {

  private static final List<String> CLASSES = List.of("blue", "green", "red");
  private static final int TRAIN = 60;
  private static final int TEST = 10;

  @TempDir private Path folder;

  @Test
  void imagesAreLearned_evaluatedAndPredicted() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    for (int label = 0; label < CLASSES.size(); label++) {
      write("train", label, TRAIN, random);
      write("test", label, TEST, random);
    }
    String[] training = {"--model=cnn", "--workers=2", "--batch=10", "--epochs=4"};
    String first = train("one", training);
    assertThat(first).contains("identical: yes (2 of 2)", "used exactly once");
    // Random changes of an image depend only on the seed, the epoch and the image.
    CommandRun second =
        CommandRun.withErrorOutput(
            "train",
            "--config=" + folder.resolve("one/run.yaml"),
            "--out=" + folder.resolve("two"));
    assertThat(second.exitCode()).as(second::err).isZero();
    assertThat(ClusterRun.digest(second.out())).isEqualTo(ClusterRun.digest(first));

    String data = "--data=" + folder.resolve("images");
    String model = folder.resolve("one/model.zip").toString();
    CommandRun evaluation = CommandRun.of("evaluate", "--model", model, data, "--json");
    assertThat(evaluation.exitCode()).as(evaluation::err).isZero();
    Matcher accuracy = Pattern.compile("\"accuracy\":([0-9.]+)").matcher(evaluation.out());
    assertThat(accuracy.find()).as(evaluation::out).isTrue();
    assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThan(0.9);

    Path unseen = folder.resolve("unseen.jpg");
    ImageIO.write(image(2, random), "jpeg", unseen.toFile());
    CommandRun prediction = CommandRun.of("predict", "--model", model, unseen.toString());
    assertThat(prediction.exitCode()).as(prediction::err).isZero();
    assertThat(prediction.out()).contains("\nred,");
  }

  private String train(String out, String... options) {
    List<String> command = new ArrayList<>(List.of("train"));
    command.add(
        "--data={place: %s, image-size: 8x8, normalize: true, flip: true, crop: 1}"
            .formatted(folder.resolve("images")));
    command.add("--out=" + folder.resolve(out));
    command.addAll(List.of(options));
    CommandRun run = CommandRun.withErrorOutput(command.toArray(String[]::new));
    assertThat(run.exitCode()).as(run::err).isZero();
    return run.out();
  }

  private void write(String part, int label, int count, SplittableRandom random)
      throws IOException {
    Path place =
        Files.createDirectories(folder.resolve("images").resolve(part).resolve(CLASSES.get(label)));
    for (int i = 0; i < count; i++) {
      ImageIO.write(image(label, random), "png", place.resolve(i + ".png").toFile());
    }
  }

  /** Returns noise that is brighter in one colour. */
  private static BufferedImage image(int label, SplittableRandom random) {
    BufferedImage image = new BufferedImage(12, 10, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        int noise = (random.nextInt(180) << 16) | (random.nextInt(180) << 8) | random.nextInt(180);
        image.setRGB(x, y, noise + (75 << (8 * label)));
      }
    }
    return image;
  }
}
