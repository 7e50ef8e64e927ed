package dev.braid.job.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.train.TrainArguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFileTest {

  @TempDir private Path folder;

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(folder.resolve(name), String.join("\n", lines));
  }

  private static TrainOptions options(String... words) {
    return arguments(words).options();
  }

  private static TrainArguments arguments(String... words) {
    return TrainArguments.of(List.of(words), new Terminal(System.out, false, false, () -> 80));
  }

  @Test
  void optionsOfAFileAreAsIfTheyWereTyped_andWhatIsTypedGoesBeforeThem() throws IOException {
    Path run =
        file(
            "run.yaml",
            "# a comment",
            "epochs: 7",
            "batch: all",
            "exchange: \"ako:partitions=4,staleness=2\"",
            "clip: value:0.5",
            "seed: 012",
            "other-data: true");
    String[] typed = {
      "--epochs=7",
      "--batch=all",
      "--exchange=ako:partitions=4,staleness=2",
      "--clip=value:0.5",
      "--seed=12",
      "--other-data"
    };
    assertThat(options("--config", run.toString())).isEqualTo(options(typed));
    TrainOptions over =
        options("--epochs=3", "--config=" + run, "--other-data=false", "--clip", "norm:1");
    assertThat(over.learning().epochs()).isEqualTo(3);
    assertThat(over.recovery().otherData()).isFalse();
    assertThat(over.learning().other().clip().norm()).hasValue(1);
    assertThat(over.learning().other().clip().value()).isEmpty();
    assertThat(over.isFullBatch()).isTrue();
  }

  @Test
  void dataIsAPlace_orAFile_orItsSettings() throws IOException {
    List<String> settings =
        List.of(
            "place: t.csv",
            "label: [a, b]",
            "regression: true",
            "ignore: 'c,d'",
            "categories: 5",
            "dates: [when]",
            "missing: median",
            "header: no",
            "validation: 0.25");
    Path data = file("data.yaml", settings.toArray(String[]::new));
    List<String> nested = new ArrayList<>(List.of("data:"));
    settings.forEach(setting -> nested.add("  " + setting));
    Path run = file("run.yaml", nested.toArray(String[]::new));
    TrainOptions ofFile = options("--data", data.toString());
    assertThat(options("--config", run.toString())).isEqualTo(ofFile);
    assertThat(options("--data", "{" + String.join(", ", settings) + "}")).isEqualTo(ofFile);
    assertThat(ofFile.learning().other().validation()).hasValue(0.25);
    assertThat(ofFile.samples().location().hasValues()).isTrue();
    TrainOptions over =
        options(
            "--data=" + data,
            "--label=e",
            "--regression=false",
            "--validation=0.5",
            "--standardize");
    assertThat(over.samples().location().hasValues()).isFalse();
    assertThat(over.samples().location().table().toString())
        .isEqualTo(
            ofFile
                .samples()
                .location()
                .table()
                .toString()
                .replace("a,b", "e")
                .replace("standardized=false", "standardized=true"));
    assertThat(over.learning().other().validation()).hasValue(0.5);
  }

  /** A comparison passes options of a file to its runs as arguments. */
  @Test
  void wordsOfAFileMeanTheSame() throws IOException {
    Path run = file("run.yaml", "page: true", "data: {place: t.csv, ignore: [1, 2]}");
    TrainArguments given = arguments("--config=" + run, "--epochs=3");
    assertThat(given.isTyped("--epochs")).isTrue();
    assertThat(given.isTyped("--page")).isFalse();
    assertThat(options(given.words().toArray(String[]::new))).isEqualTo(given.options());
  }

  @Test
  void aTextIsReadAsItWasWritten() throws IOException {
    Map<String, Object> options = Map.of("out", "no", "seed", 7, "model", "null: [x] #y");
    Path run = file("run.yaml", RunFile.text("of a test", options));
    RunFile read = RunFile.read(run.toString(), options.keySet(), options.keySet());
    assertThat(read.words()).isEmpty();
    assertThat(RunFile.read(run.toString(), options.keySet(), Set.of()).words())
        .containsExactlyInAnyOrder("--out=no", "--seed=7", "--model=null: [x] #y");
  }

  /** A comparison has its own exchanges, so an error in one of them has no line in the file. */
  @Test
  void anOptionThatIsReplacedHasNoLine() throws IOException {
    Path run = file("run.yaml", "workers: 4", "exchange: ring");
    TrainArguments given = arguments("--config=" + run);
    assertThat(given.with(Map.of("--exchange", "tree")).isTyped("--exchange")).isTrue();
    CommandRun.of("train", "--config=" + run, "--exchange", "mesh:shape=2x3")
        .assertMistake("--exchange 2x3");
    assertThat(CommandRun.of("train", "--config=" + run, "--exchange", "mesh:shape=2x3").err())
        .startsWith("braid: --exchange");
  }

  @Test
  void namesWithCommasStandInLists() throws IOException {
    Path data = file("data.yaml", "place: 'a, b.csv'", "ignore: ['x, y', z]", "categories: []");
    TrainOptions ofFile = options("--data", data.toString());
    Path run = file("run.yaml", "data:", "  place: 'a, b.csv'", "  ignore: ['x, y', z]");
    assertThat(options("--config", run.toString())).isEqualTo(ofFile);
    assertThat(ofFile.samples().location().place()).endsWith("/a, b.csv");
    assertThat(ofFile.samples().location().table().toString())
        .contains("ignored=[x, y, z]", "text=[]");
  }

  @Test
  void aMissingFileMayBeAmongEarlierResults() throws IOException {
    Files.createDirectories(folder.resolve("earlier/2026-11-29"));
    Files.writeString(folder.resolve("earlier/2026-11-29/run.yaml"), "epochs: 3");
    CommandRun.of("train", "--config", folder.resolve("run.yaml").toString())
        .assertMistake("--config " + folder.resolve("earlier/2026-11-29/run.yaml"));
  }

  /** The error is always in the second line. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          epocs: 3 | epocs epochs?
          config: a.yaml | config
          help: true | help
          epochs: many | --epochs many
          epochs: 3.5 | --epochs 3.5
          epochs: 0x10 | --epochs 0x10
          epochs: | epochs
          epochs: ~ | epochs
          epochs: [3] | epochs one
          epochs: [3, 4] | epochs one
          links: 100mb | --links 50mbit
          chaos-topic: a/b | --chaos-topic
          epochs: {n: 3} | epochs one
          epochs: *x | epochs alias
          epochs: !!int 3 | epochs tag
          ? [a, b] | settings
          seed: 2 | seed twice 1
          page: yes | --page yes true false
          updater: lion | --updater lion sgd
          exchange: rin | --exchange rin ring?
          exchange: ako:partitons=4 | --exchange partitions?
          clip: 1 | --clip norm:1
          links: 50 | --links 50
          require: all | --require every-sample
          checkpoint-interval: soon | --checkpoint-interval 10s
          model: nosuch | --model nosuch
          restore: /nowhere | --restore /nowhere
          data: nowhere.csv | --data nowhere.csv
          data: [a, b] | data one
          data: {ignore: 1} | place
          data: {place: a.csv, colour: red} | colour categories missing
          data: {place: a.csv, ignore: 1, ignore: 2} | ignore twice
          data: {place: a.csv, ignore: {a: b}} | ignore list
          data: {place: a.csv, header: maybe} | header maybe auto yes no
          data: {place: a.csv, missing: median2} | missing median2 median drop
          data: {place: a.csv, crop: 2} | crop mnist
          data: {place: a.svm, image-size: 8x8} | image-size mnist
          data: {place: mnist, dates: 1} | dates a.csv
          data: {place: mnist, regression: true} | regression LibSVM
          data: {place: mnist, image-size: 8} | image-size 8 32x32
          data: {place: mnist, image-size: 8x4097} | image-size 8x4097 4096
          data: {place: mnist, crop: -1} | crop 0
          data: {place: mnist, flip: on} | flip on true false
          data: {place: mnist, classes: 1} | classes 1 2 1048576
          data: {place: mnist, classes: [a, a]} | classes a twice
          data: {place: a.csv, classes: 3, regression: true} | classes regression
          data: {place: a.svm, features: 0} | features 0 1
          data: {place: a.csv, validation: 1} | validation 1 0
          data: {place: a.csv, validation: x} | validation x
          data: {place: a.csv | YAML
          - epochs | YAML
          '\tepochs: 3' | YAML
          """)
  void aMistakeIsALineWithItsPlace(String second, String words) throws IOException {
    String line = second.replace("a.csv", folder.resolve("a.csv").toString());
    Path run = file("run.yaml", "seed: &x 1", line, "out: " + folder.resolve("out"));
    int at = line.startsWith("data: {place: " + folder) && !line.endsWith("}") ? 3 : 2;
    CommandRun.of("train", "--config", run.toString())
        .assertMistake(run + ":" + at + ": " + words.replace("a.csv", "FILE.csv"));
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void aDataFilesMistakeIsALineWithItsPlace() throws IOException {
    Path data = file("data.yaml", "place: mnist", "", "crop: x");
    CommandRun.of("train", "--data", data.toString()).assertMistake(data + ":3: crop x");
    Path empty = file("empty.yml");
    CommandRun.of("train", "--data", empty.toString()).assertMistake("place");
    for (String line : List.of("label: zork", "ignore: zork", "place: nowhere.csv")) {
      String place = line.startsWith("place") ? "" : "place: ../docs/example/flats.csv";
      Path flats = file("flats.yaml", "regression: true", place, line);
      CommandRun.of("train", "--data", flats.toString(), "--out=" + folder.resolve("out"))
          .assertMistake(flats + ":3: " + line.replaceFirst(".*: ", ""));
    }
    CommandRun.of("evaluate", "--model=m.zip", "--data", data.toString())
        .assertMistake("--model m.zip");
  }

  @Test
  void whatIsNoTextIsRefused() throws IOException {
    CommandRun.of("train", "--config", folder.toString()).assertMistake("--config " + folder);
    Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff, 0});
    CommandRun.of("train", "--config", bytes.toString()).assertMistake("--config " + bytes);
    Path two = file("two.yaml", "epochs: 1", "---", "epochs: 2");
    CommandRun.of("train", "--config", two.toString()).assertMistake(two + ":3: document");
    CommandRun.of("train", "--config").assertMistake("--config");
    CommandRun.of("train", "--config=").assertMistake("--config ''");
    Path empty = file("empty.yaml", "# nothing");
    CommandRun.of("train", "--config", empty.toString()).assertMistake("--config " + empty);
    Path one = file("one.yaml", "epochs: 1");
    CommandRun.of("train", "--config", one.toString(), "--config=" + one).assertMistake("--config");
  }
}
