package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.DocumentedCommands;
import dev.braid.job.Main;
import dev.braid.job.SmallMnist;
import dev.braid.job.cli.Examples;
import dev.braid.job.console.Terminal;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The examples of the helps, exactly as typed: all that end within seconds and need no broker. */
class ExamplesITCase {

  /**
   * Examples on a table, in this order: a training, followed by the commands that need its model.
   */
  private static final List<String> OF_A_TABLE =
      List.of(
          "./braid train --data docs/example/flats.csv --regression --standardize",
          "./braid evaluate --model out/model.zip --data new.csv --json",
          "./braid predict --model out/model.zip new.csv",
          "./braid export --model out/model.zip --onnx out/model.onnx");

  private static final List<String> OF_MNIST =
      List.of(
          "./braid train --epochs 3 --page",
          "./braid evaluate --model out/model.zip --data mnist",
          "./braid predict --model out/model.zip seven.png nine.png");

  private static final List<String> OF_FILES =
      List.of(
          "./braid help train",
          "./braid version",
          "./braid exchanges",
          "./braid exchanges ako",
          "./braid chaos send 'isolate 2 at-round 50' 'rejoin 2 at-round 90' --to two.txt",
          "./braid chaos generate --workers 4 --seed 7 --faults any --to events.txt",
          "./braid chaos replay out/chaos-applied.jsonl --to again.txt");

  /** Examples that take minutes, or need other data or a shell. */
  private static final Set<String> LONG =
      Set.of(
          "./braid train",
          "./braid train --model cnn --data fashion-mnist/ --target-accuracy 0.9",
          "./braid train --restore latest --epochs 20",
          "./braid compare --from out/ring out/ako",
          "./braid generate-completion > ~/.braid-completion",
          "tail -f rows.csv | ./braid predict --model out/model.zip --json");

  /** Parts of documented commands that need other resources. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "--chaos-topic",
          "--restore",
          "s3://",
          "JOB",
          "mails.csv",
          "cifar-10",
          "--metrics-port",
          "orders.yaml",
          "deliveries");

  private static final Pattern DATA_FILE = Pattern.compile("--data (\\S+\\.yaml)");

  @TempDir private Path folder;

  @Test
  @Tag("long")
  void examplesOfATable() throws Exception {
    Path flats = Path.of("..", "docs", "example", "flats.csv");
    Path place = Files.createDirectories(folder.resolve("docs/example"));
    Files.copy(flats, place.resolve("flats.csv"));
    Files.copy(flats, folder.resolve("new.csv"));
    for (String example : OF_A_TABLE) {
      assertThat(outputOf(example)).doesNotContain("warning");
    }
    assertThat(Files.readString(folder.resolve("out/history.jsonl"))).contains("\"testR2\":0.9");
  }

  /** Long; the examples of a table cover the same commands. */
  @Test
  @Tag("long")
  void examplesOfMnist() throws Exception {
    for (String name : List.of("seven.png", "nine.png")) {
      BufferedImage image = new BufferedImage(28, 28, BufferedImage.TYPE_BYTE_GRAY);
      ImageIO.write(image, "png", folder.resolve(name).toFile());
    }
    for (String example : OF_MNIST) {
      outputOf(example);
    }
    assertThat(folder.resolve("out/run.html")).isNotEmptyFile();
  }

  /**
   * Each training has one epoch on a tenth of MNIST; the other commands need a broker, a cluster or
   * data.
   */
  @Test
  @Tag("long")
  void trainingsOfTheDocumentation() throws Exception {
    Path example = Files.createDirectories(folder.resolve("docs/example"));
    try (Stream<Path> files = Files.list(DocumentedCommands.ROOT.resolve("docs/example"))) {
      for (Path file : files.toList()) {
        Files.copy(file, example.resolve(file.getFileName()));
      }
    }
    List<String> commands =
        DocumentedCommands.all()
            .filter(command -> command.startsWith("train") && !command.contains("--help"))
            .filter(command -> ELSEWHERE.stream().noneMatch(command::contains))
            .filter(command -> !isOfTopic(command))
            .toList();
    assertThat(commands).hasSizeGreaterThan(15);
    for (String command : commands) {
      String shortened = command.replaceFirst("--epochs \\d+", "") + " --epochs 1";
      boolean hasData = command.contains("--data ") || command.contains("--config ");
      outputOf(hasData ? shortened : shortened + " " + SmallMnist.option());
    }
  }

  /** Returns whether a command's data file names a topic, which needs a broker. */
  private static boolean isOfTopic(String command) {
    Matcher file = DATA_FILE.matcher(command);
    if (!file.find()) {
      return false;
    }
    try {
      return Files.readString(DocumentedCommands.ROOT.resolve(file.group(1)))
          .contains("place: kafka:");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void examplesOfFiles() throws Exception {
    for (String example : OF_FILES) {
      outputOf(example);
      if (example.contains("--to events.txt")) {
        Path log = Files.createDirectories(folder.resolve("out")).resolve("chaos-applied.jsonl");
        Files.copy(folder.resolve("events.txt"), log);
      }
    }
    assertThat(folder.resolve("again.txt")).hasSameTextualContentAs(folder.resolve("events.txt"));
  }

  /** A new example must run here, or be listed with a reason. */
  @Test
  void noExampleIsForgotten() {
    Set<String> quick =
        Stream.of(OF_A_TABLE, OF_MNIST, OF_FILES)
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableSet());
    Predicate<String> needsOthers =
        example ->
            example.startsWith("./braid kafka")
                || example.startsWith("./braid cluster")
                || example.startsWith("./braid flink")
                || example.startsWith("./braid result")
                || example.startsWith("./braid feed")
                || example.startsWith("./braid replay")
                || example.startsWith("./braid score")
                || example.startsWith("./braid models")
                || example.contains("--chaos-topic")
                || (example.startsWith("./braid chaos ") && !example.contains(" --to "));
    Predicate<String> isComparison = example -> example.startsWith("./braid compare --exchanges");
    Terminal none = new Terminal(System.out, false, false, () -> 80);
    assertThat(all(Main.commandLine(none)).filter(needsOthers.or(isComparison).negate()))
        .containsAll(quick)
        .allMatch(example -> quick.contains(example) || LONG.contains(example));
  }

  private static Stream<String> all(CommandLine of) {
    return Stream.concat(
        Examples.of(of.getCommandSpec().qualifiedName()).stream(),
        of.getSubcommands().values().stream().flatMap(ExamplesITCase::all));
  }

  /** Runs an example and returns its output; fails if it does not succeed. */
  private String outputOf(String example) throws IOException, InterruptedException {
    String[] words =
        DocumentedCommands.words(example.replaceFirst("^\\./braid ", "")).toArray(String[]::new);
    BraidProcess run = BraidProcess.startIn(folder, folder.resolve("said.log"), words);
    assertThat(run.awaitEnd()).as(() -> example + "\n" + run.output()).isZero();
    return run.output();
  }
}
