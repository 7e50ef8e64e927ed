package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.TrainFlags;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Errors that {@code braid train} finds in its arguments before it trains. */
class TrainCommandLineTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --workers 0, --workers 1025, --workers 2..1025 | 1024
          --workers four, --workers 99999999999, --seed x, --weight-decay 1 |
          --workers 4..2, --workers 0..2, --workers 2.. | 2..8
          --workers 2..4 | cluster embedded
          --exchange star | ring tree
          --exchange ps:2 | consistency servers staleness compress
          --exchange ps:servers, --exchange ps:servers= | servers=K
          --exchange rin:compress=bf16 | ring?
          --exchange ring: | compress sharded
          --exchange ako:partitons=4 | ako partitions?
          --exchange ring:sharded=on,sharded=off, --exchange ring:sharded=on,compress=bf16,sharded=on | ring sharded
          --exchange ft-tree:timeout=often, --exchange ft-tree:timeout=0s | adaptive
          --exchange ako:staleness=-1, --exchange ps:servers=-1, --warm-up -1 | 0
          --exchange ring:servers=2, --exchange ring:consistency=async | ring compress sharded
          --staleness=4, --compress=bf16 |
          --exchange ps:staleness=4 | consistency=ssp
          --exchange tree:timeout=1s | tree timeout
          --exchange gossip:compress=top-k, --exchange coded:compress=threshold:1%, --exchange gradient-coding:compress=auto:1% | none bf16 fp16
          --exchange ring:compress=gzip, --exchange ring:compress=fp61 | none threshold bitmap auto dgc top-k:SHARE int4 bf16 fp16
          --exchange ring:compress= | compress=CODEC
          --exchange tree:compress=thresold:1% | threshold?
          --exchange tree:compress=topk:0.01 | top-k?
          --exchange ring:compress=FP16, --exchange ring:compress=fp61 | fp16?
          --exchange ring:compress=threshold:, --exchange ring:compress=threshold:x | 0.001 1% adaptive warm
          --updater adam --exchange ring:compress=dgc | momentum --updater adam
          --exchange averaging:compress=dgc | averaging
          --exchange ring:compress=top-k:2 | 100%
          --exchange ring:interval=5 | ring interval
          --exchange averaging:outer=adam | none nesterov
          --exchange averaging:outer-rate=0.5, --exchange averaging:outer-momentum=0.5 | outer=nesterov
          --exchange averaging:outer=nesterov,outer-rate=0, --exchange averaging:outer=nesterov,outer-rate=NaN, --exchange averaging:outer=nesterov,outer-momentum=1 | 0
          --exchange averaging:interval=4,fragments=5 | fragments 4
          --exchange averaging:interval=4,fragments=2,overlap=3 | overlap 2
          --exchange averaging:fragments=2,sums=ft-tree | fragments=2 sums=tree
          --exchange averaging:overlap=1,sums=ft-tree | overlap=1 sums=tree
          --exchange ring:sharded=maybe, --exchange ako:accumulation=no | on off
          --exchange tree:sharded=on, --exchange ps:sharded=on | sharded compress
          --exchange ring:sharded=on,compress=bf16, --exchange mesh:sharded=on,compress=fp16 | none threshold bitmap auto dgc top-k
          --exchange ring:sharded=on --clip norm:1, --exchange ps --clip norm:1, --exchange ako --clip norm:1 | value ring mesh tree ft-tree averaging gossip coded
          --exchange ako:partitions=4,bandwidth=1gbit | ako partitions bandwidth
          --model mpl | mlp?
          --data mnits | mnist?
          --exchange ring:partitions=4, --exchange ring:accumulation=on | compress ring
          --kafka-config f, --kafka-brokers a:1 | --chaos-topic
          --exchange ps:consistency=soon | sync async ssp
          --exchange ps:servers=5 --workers 1020 | --workers 1020 1025 1024
          --exchange ps:consistency=async --updater adam, --exchange all-to-all --updater adam | --exchange
          --exchange averaging:interval=0, --epochs 0, --batch -1, --patience 0, --target-accuracy 98 | 1
          --exchange ako:partitions=0 | 65536
          --exchange ako:bandwidth=100, --exchange ako:bandwidth=0mbit, --links 0mbit, --links 50/1ms | 500kbit 100mbit 1gbit
          --updater lion | sgd momentum
          --state-backend disk | hashmap
          --true-model nosuch, --true-model nosuch.zip, --chaos-file nowhere, --restore /nowhere |
          --model nosuch | mlp
          --data nowhere.csv, --data ./a/../nowhere.csv | mnist
          --exchange coded:root=own | dedicated
          --exchange coded:root=4 | 3 dedicated
          --workers 6 --exchange coded:root=6 | 5
          --exchange coded:plan=any | fixed auto
          --batch every | all
          --learning-rate NaN, --learning-rate 0, --clip norm:0, --clip value:NaN, --clip 1, --clip value:x | 0
          --checkpoint-interval soon, --links -1ms | 500ms 10s 2min
          --checkpoint-interval 10 | 10ms 10s 10min
          --links 2 | 2ms 2s 2min
          --links 1mbit/2ms/3 | 50mbit/2ms
          --exchange ft-tree:timeout=500 | 500ms 500s
          --checkpoint-interval 1ms, --checkpoint-interval 9999us | 10ms
          --checkpoint-interval 9999999d, --exchange ft-tree:timeout=999999h | 365d
          --links 60500ms | 1min
          --math quick | portable fastest
          --epochs 2 --warm-up 3 | 2 --epochs
          --schedule linear, --schedule step:0, --schedule step:1:2, --schedule step:1:0.5:3, --schedule cosine:x, --schedule constant:1 | step:EPOCHS:FACTOR
          --workers 6 --exchange mesh:shape=2x4 | 8 6 2x3 --workers
          --exchange mesh:shape=4 | 4x8
          --exchange mesh:shape=0x5 | 1
          --workers 4 --exchange mesh:shape=2x2x2 | 8 4 2x2
          --exchange mesh:shape=99999x99999, --exchange mesh:shape=2147483648x2, --exchange mesh:shape=999999999999999999x999999999999999999 |
          --workers 4 --exchange mesh:shape=2x2x1,algorithm=2d | 2x2x1 auto 1d nd nd-colours
          --workers 5 --exchange mesh:algorithm=row-pairs | 1x5 auto 1d 2d 2d-two-colour nd nd-colours
          --exchange mesh:algorithm=3d | auto 1d 2d 2d-two-colour row-pairs nd nd-colours
          --exchange mesh:algorithm=2d,groups=off,links=1gbit/1ms | links algorithm=auto groups=on
          --exchange mesh:copies=0 | sharded=on
          --workers 6 --exchange coded:children=2,stragglers=2 | 1
          --workers 6 --exchange coded:children=7 | 6
          --workers 6 --exchange coded:layers=3 | 6 2
          --exchange coded:children=1 | 2
          --exchange coded:children=2,layers=2 | layers=2 children
          --workers 3 --exchange gradient-coding:stragglers=3, --workers 3 --exchange drop-stragglers:stragglers=3 | 2
          --exchange uncoded:stragglers=1 | uncoded root compress
          --label 3, --standardize | --data
          --standardize | normalize
          --regression | .libsvm
          --require every-samples | every-sample?
          --require x | every-sample
          --config nowhere.yaml |
          --data nowhere.yaml |
          --chaos-file=, --data= | ''''
          --page=yes | true false
          --web-port 70000 | 65535
          --metrics-port 0 | 1 65535
          --checkpoint-dir gs://b/x | flink-gs-fs-hadoop
          --chaos-topic a:late | TOPIC:earliest
          --chaos-file x --chaos-topic=y | --chaos-file
          --chaos-topic a --kafka-brokers b | host:port
          --epochs 3 --batch 5 --batch=7, --epochs=3 --epochs=3 |
          --colour=blue |
          --epoch=3 | --epochs?
          """)
  void namesTheMistakeInOneLineAndStartsNothing(String mistakes, String words) {
    Path out = folder.resolve("out");
    CommandRun.assertMistakes("train --out=" + out, mistakes, words);
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --out s3://bucket/x | flink-s3-fs-presto
          --out hdfs://host/x | flink-hadoop-fs
          --out nowhere://host/x |
          --out a:b | ./a:b
          --out model --model nosuch | mlp
          """)
  void namesAPathThatCannotBeUsed(String mistakes, String words) {
    CommandRun.assertMistakes("train", mistakes, words);
  }

  @Test
  void aModelFileWithAnythingElseInItIsNamedAndNothingStarts() throws Exception {
    Path model = folder.resolve("model.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(model))) {
      zip.putNextEntry(new ZipEntry("preprocessor.bin"));
    }
    Path out = folder.resolve("out");
    CommandRun.of("train", "--model", model.toString(), "--out", out.toString())
        .assertMistake("--model " + model + " preprocessor.bin");
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--out", "--checkpoint-dir", "--restore"})
  void aPathIsNotEmpty(String option) {
    CommandRun.of("train", option, "").assertMistake(option);
  }

  @Test
  void namesWhatStandsInTheWayOfTheResults() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    CommandRun.ofLine("train --out " + file.resolve("below")).assertMistake(file.toString());
  }

  @Test
  void suggestsACheckpointInAFolderThatIsNone() throws Exception {
    Path checkpoint = Files.createDirectories(folder.resolve("job/chk-7"));
    Files.writeString(checkpoint.resolve("_metadata"), "");
    CommandRun.ofLine("train --restore " + folder).assertMistake("--restore " + checkpoint);
  }

  @Test
  void needsASampleForEachWorker() throws Exception {
    Path data = Files.writeString(folder.resolve("few.csv"), "1,2,0\n3,4,1\n");
    Files.writeString(folder.resolve("few.test.csv"), "1,2,0\n");
    CommandRun.ofLine("train --workers 3 --data " + data).assertMistake("--workers 3 2");
  }

  /** For 2,100 samples, a layer computes more numbers than an array can hold. */
  @Test
  void namesABatchThatIsTooLargeForTheModel() throws Exception {
    Path data = Files.writeString(folder.resolve("one.csv"), "1,0\n2,1\n".repeat(1050));
    Files.writeString(folder.resolve("one.test.csv"), "1,0\n");
    MultiLayerConfiguration wide =
        new NeuralNetConfiguration.Builder()
            .list()
            .layer(new DenseLayer.Builder().nIn(1).nOut(1 << 20).build())
            .layer(new OutputLayer.Builder().nIn(1 << 20).nOut(2).build())
            .build();
    Path model = Files.writeString(folder.resolve("wide.json"), wide.toJson());
    Path out = folder.resolve("out");
    CommandRun.ofLine(
            "train --workers=1 --batch=2100 --validation=0 --data=%s --model=%s --out=%s"
                .formatted(data, model, out))
        .assertMistake("--model " + model + " 1,048,576 2,100 2,047");
    assertThat(out).doesNotExist();
  }

  @Test
  void namesAPortThatIsTakenAndLeavesNothingBehind() throws Exception {
    Path out = folder.resolve("out");
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (String option : List.of("--web-port ", "--metrics-port ")) {
        String taken = option + other.getLocalPort();
        CommandRun.ofLine("train --out " + out + " " + taken).assertMistake(taken);
      }
    }
    assertThat(out).doesNotExist();
  }

  @Test
  void namesTheLineOfALabelThatNoClassHas() throws Exception {
    Path data = Files.writeString(folder.resolve("wild.csv"), "1,2,0\n3,4,2000000000\n");
    Files.writeString(folder.resolve("wild.test.csv"), "1,2,0\n");
    CommandRun.ofLine("train --data " + data).assertMistake("wild.csv:2 2000000000 16777215");
  }

  @Test
  void aChaosFileWithoutAnyEventIsRefused() throws Exception {
    Path junk = Files.writeString(folder.resolve("junk"), "{}\n\n[]\n");
    Path out = folder.resolve("out");
    CommandRun.ofLine("train --chaos-file " + junk + " --out " + out)
        .assertMistake("--chaos-file " + junk + " 2");
    assertThat(out).doesNotExist();
  }

  /** Comparisons pass such an option to their runs. */
  @Test
  void anOptionWithoutAValueCanBeTypedAgain() {
    TrainArguments given = TrainArguments.of(List.of("--page"), terminal());
    assertThat(given.options()).isEqualTo(TrainArguments.of(List.of(), terminal()).options());
    assertThat(given.words()).singleElement().asString().startsWith("--page");
  }

  @Test
  void helpShowsEachOptionWithItsDefault() {
    CommandRun result = CommandRun.of("train", "--help-all");
    assertThat(result.exitCode()).isZero();
    CommandLine train = Main.commandLine(terminal()).getSubcommands().get("train");
    train
        .getCommandSpec()
        .options()
        .forEach(
            option -> {
              assertThat(result.out()).contains(option.longestName());
              if (!option.usageHelp() && !option.versionHelp()) {
                assertThat(option.description()[option.description().length - 1])
                    .as(option.longestName())
                    .startsWith("Default: ");
              }
            });
    assertThat(result.out()).contains("Default: mlp").contains("130");
    // More options, with help and version, would be too many to survey.
    assertThat(train.getCommandSpec().options()).hasSizeLessThanOrEqualTo(45);
  }

  @Test
  void helpShowsTheTwentyOptionsThatMostRunsNeed() {
    String shown = CommandRun.of("train", "--help").out();
    List<String> options =
        Pattern.compile("(?m)^ {2}(?:-., | {4})(--[a-z-]+)")
            .matcher(shown)
            .results()
            .map(option -> option.group(1))
            .toList();
    assertThat(TrainFlags.COMMON).hasSize(20);
    assertThat(options)
        .containsAll(TrainFlags.COMMON)
        .containsOnlyOnceElementsOf(TrainFlags.COMMON)
        .hasSize(TrainFlags.COMMON.size() + List.of("--help", "--help-all", "--version").size());
    assertThat(shown)
        .contains("Data, ", "Model, ", "Learning, ", "Exchange, ", "Cluster, ", "Checkpoints, ")
        .contains("Chaos, ", "Output, ");
  }

  private static Terminal terminal() {
    return new Terminal(System.out, false, false, () -> 80);
  }
}
