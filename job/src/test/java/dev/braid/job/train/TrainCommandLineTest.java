package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import dev.braid.job.Main;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

/** What {@code braid train} says of what was typed, before anything is trained. */
class TrainCommandLineTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--workers 0                | --workers 0: 1 to 1024 is needed",
        "--workers 1025             | --workers 1025: 1 to 1024 is needed",
        "--workers four             | --workers four: a whole number is needed",
        "--workers 2..1025          | --workers 2..1025: 1 to 1024 is needed",
        "--workers 4..2             | --workers 4..2: the fewest, at least 1, and the most are needed, for example 2..8",
        "--workers 0..2             | --workers 0..2: the fewest, at least 1, and the most are needed",
        "--workers 2..              | --workers 2..: a whole number, or the fewest and the most, for example 2..8",
        "--workers 2..4             | --workers 2..4: bounds are for a cluster, which may lose slots; the embedded Flink has a slot for each worker: give one number, for example --workers 4",
        "--workers 99999999999      | --workers 99999999999: a smaller number is needed",
        "--exchange star            | --exchange star: there is no such name; one of ring, tree",
        "--exchange ps:2            | for compare; here it is --exchange ps, with --consistency NAME, --servers K",
        "--exchange ring:2          | what is behind a colon is for compare; here it is --exchange ring",
        "--link-timeout often       | --link-timeout often: a time such as 500ms, 10s or 2min is needed; or adaptive",
        "--link-timeout 0s          | --link-timeout 0s: 1ms or more, or adaptive, is needed",
        "--staleness -1            | --staleness -1: 0 or more is needed",
        "--exchange ps --servers -1 | --servers -1: 0 or more is needed",
        "--exchange ring --servers 2 | --servers 2: only with --exchange ps, and not ring",
        "--consistency async       | --consistency async: only with --exchange ps, and not ring",
        "--exchange ring --servers 0 | --servers 0: only with --exchange ps, and not ring",
        "--staleness 4             | --staleness 4: only with --exchange all-to-all, ako, sharing or gossip, or ps with --consistency ssp, and not ring",
        "--exchange ps --staleness 4 | and not ps with --consistency sync",
        "--exchange tree --link-timeout 1s | --link-timeout 1s: only with --exchange ft-tree, and not tree",
        "--exchange gossip --compress top-k | --compress top-k:0.01: gossip sends models, of which nothing can be left out to be sent later; none, bf16 and fp16 are possible",
        "--exchange coded --compress threshold:1% | --compress threshold:1%: coded needs the same answer from whoever gives it, and workers that were late keep something else for later; none, bf16 and fp16 are possible",
        "--exchange gradient-coding --compress auto:1% | --compress auto:1%: gradient-coding needs the same answer",
        "--compress gzip           | --compress gzip: there is no such name; one of none, threshold, bitmap, auto, dgc, top-k:SHARE, bf16, fp16",
        "--compress thresold:1%    | top-k:SHARE, bf16, fp16 is needed; did you mean threshold?",
        "--compress topk:0.01      | did you mean top-k?",
        "--compress FP16           | did you mean fp16?",
        "--compress=               | --compress '': there is no such name",
        "--compress threshold:     | --compress threshold:: a threshold such as 0.001",
        "--compress dgc --updater adam | --compress dgc:0.1%: gradients are compressed with a momentum of 0.9; --updater momentum is needed, and the run's is adam",
        "--exchange averaging --compress dgc | --compress dgc:0.1%: averaging sends moves",
        "--compress top-k:2        | --compress top-k:2: a share above 0, at most 1 (100%), is needed",
        "--compress threshold:x    | --compress threshold:x: a threshold such as 0.001, a share such as 1%, adaptive, or warm is needed",
        "--averaging-interval 5    | --averaging-interval 5: only with --exchange averaging, and not ring",
        "--sharded-updates maybe   | --sharded-updates maybe: there is no such name; one of on, off is needed",
        "--exchange tree --sharded-updates on | --sharded-updates on: only with --exchange ring or mesh, or ps with --consistency sync, and not tree",
        "--exchange ps --consistency async --sharded-updates on | and not ps with --consistency async",
        "--exchange ps --sharded-updates off | --sharded-updates off: not with --exchange ps, whose servers keep the optimiser's state of what they serve",
        "--sharded-updates on --compress bf16 | --compress bf16: not with --sharded-updates on, where weights are sent; none, threshold, bitmap, auto, dgc and top-k are possible",
        "--sharded-updates on --compress fp16 | --compress fp16: not with --sharded-updates on, where weights are sent",
        "--compress fp61 | --compress fp61: there is no such name; one of none, threshold, bitmap, auto, dgc, top-k:SHARE, bf16, fp16 is needed; did you mean fp16?",
        "--sharded-updates on --clip-norm 1 | --clip-norm 1: with --exchange ring gradients are applied in parts",
        "--exchange gossip --bandwidth 1gbit | --bandwidth 1gbit: only with --exchange ako without --ako-partitions, and not gossip",
        "--exchange ako --ako-partitions 4 --bandwidth 1gbit | only with --exchange ako without --ako-partitions, and not ako with --ako-partitions 4",
        "--model mpl | did you mean mlp?",
        "--data mnits | and not mnist; did you mean mnist?",
        "--ako-partitions 4        | --ako-partitions 4: only with --exchange ako, and not ring",
        "--ako-accumulation on     | --ako-accumulation on: only with --exchange ako, and not ring",
        "--kafka-property a=secret | --kafka-property: only with --chaos-topic",
        "--kafka-config f | --kafka-config f: only with --chaos-topic",
        "--chaos-file x --kafka-brokers a:1 | --kafka-brokers a:1: only with --chaos-topic",
        "--chaos-from earliest     | --chaos-from earliest: only with --chaos-topic",
        "--exchange ps --consistency soon | no such name; one of sync, async, ssp",
        "--exchange ps --workers 1020 --servers 5 | --workers 1020 --servers 5: 1025 ranks; at most 1024",
        "--exchange ps --consistency async --updater adam | --updater adam: with --exchange ps",
        "--averaging-interval 0    | --averaging-interval 0: 1 or more is needed",
        "--ako-partitions 0        | --ako-partitions 0: 1 to 65536 is needed",
        "--ako-accumulation no     | --ako-accumulation no: there is no such name; one of on, off",
        "--bandwidth 100           | --bandwidth 100: a bandwidth such as 500kbit, 100mbit or 1gbit",
        "--bandwidth 0mbit         | --bandwidth 0mbit: a bandwidth such as",
        "--exchange all-to-all --updater adam | --updater adam: with --exchange all-to-all gradients",
        "--updater lion             | --updater lion: there is no such name; one of sgd, momentum",
        "--out model --model nosuch | --model nosuch: no such file",
        "--weight-decay 1           | --weight-decay 1: 0 or more, and less than 1, is needed",
        "--state-backend disk       | --state-backend disk: there is no such name; one of hashmap",
        "--epochs 0                 | --epochs 0: 1 or more is needed",
        "--batch -1                 | --batch -1: 1 or more is needed",
        "--exchange coded --root own | --root own: a worker's rank, 0 or more, or dedicated is needed",
        "--exchange coded --root 4  | --root 4: the workers are ranks 0 to 3; dedicated is a rank of its",
        "--exchange coded --plan any | --plan any: there is no such name; one of fixed, auto",
        "--true-model nosuch        | --true-model nosuch: no such file",
        "--true-model nosuch.zip    | --true-model nosuch.zip: no such file",
        "--batch every              | --batch every: a whole number, or all, is needed",
        "--seed x                   | --seed x: a whole number is needed",
        "--learning-rate NaN        | --learning-rate NaN: a finite number above 0 is needed",
        "--learning-rate 0          | --learning-rate 0: a finite number above 0 is needed",
        "--target-accuracy 98       | --target-accuracy 98: more than 0 and at most 1",
        "--checkpoint-interval soon | --checkpoint-interval soon: a time such as 500ms, 10s or 2min",
        "--checkpoint-interval 10   | --checkpoint-interval 10: a unit is needed: 10ms, 10s or 10min",
        "--link-latency 2           | --link-latency 2: a unit is needed: 2ms, 2s or 2min",
        "--exchange ft-tree --link-timeout 500 | --link-timeout 500: a unit is needed: 500ms, 500s",
        "--math quick              | --math quick: there is no such name; one of portable, fastest",
        "--patience 0               | --patience 0: 1 or more is needed",
        "--warm-up -1               | --warm-up -1: a number of epochs from 0 on is needed",
        "--warm-up 3 --epochs 2     | --warm-up 3: no more than the 2 of --epochs is needed",
        "--schedule linear          | --schedule linear: constant, step:EPOCHS:FACTOR such as step:3:0.1, or",
        "--schedule step:0          | --schedule step:0: constant, step:EPOCHS:FACTOR",
        "--schedule step:1:2        | --schedule step:1:2: constant",
        "--schedule step:1:0.5:3    | --schedule step:1:0.5:3: constant",
        "--schedule cosine:x        | --schedule cosine:x: constant",
        "--schedule constant:1      | --schedule constant:1: constant",
        "--clip-norm 0              | --clip-norm 0: a finite number above 0 is needed",
        "--clip-value NaN           | --clip-value NaN: a finite number above 0 is needed",
        "--clip-value 1 --clip-norm 1 | --clip-norm and --clip-value: only one of them is possible",
        "--exchange ps --clip-norm 1 | --clip-norm 1: with --exchange ps gradients are applied in parts",
        "--exchange ako --clip-norm 1 | --clip-value, or ring or mesh without --sharded-updates, tree, ft-tree, averaging, gossip or coded, is needed",
        "--exchange mesh --workers 6 --mesh 2x4 | --mesh 2x4: a mesh of 8 ranks for 6 workers: rows x columns must be 6, for example 2x3, or --workers 8",
        "--exchange mesh --mesh 4   | --mesh 4: rows x columns are needed, such as 4x8",
        "--exchange mesh --mesh 0x5 | --mesh 0x5: at least 1 in each dimension is needed",
        "--exchange mesh --workers 4 --mesh 2x2x2 | --mesh 2x2x2: a mesh of 8 ranks for 4 workers: all dimensions together must be 4, for example 2x2",
        "--exchange mesh --workers 4 --mesh 2x2x1 --mesh-algorithm 2d | --mesh-algorithm 2d: not for a mesh of 2x2x1: it needs rows and columns alone; auto, 1d, nd, nd-colours",
        "--exchange mesh --workers 5 --mesh-algorithm row-pairs | --mesh-algorithm row-pairs: not for a mesh of 1x5: a single row has no pairs; auto, 1d, 2d, 2d-two-colour, nd, nd-colours",
        "--exchange mesh --mesh 99999x99999 | --mesh 99999x99999: a smaller mesh is needed",
        "--exchange mesh --mesh 2147483648x2 | --mesh 2147483648x2: a smaller mesh is needed",
        "--exchange mesh --mesh 999999999999999999x999999999999999999 | : a smaller mesh is needed",
        "--exchange mesh --mesh-algorithm 3d | --mesh-algorithm 3d: there is no such name; one of auto, 1d, 2d, 2d-two-colour, row-pairs, nd, nd-colours",
        "--exchange ring --mesh 2x2 | --mesh 2x2: only with --exchange mesh, and not ring",
        "--exchange coded --workers 6 --tree-children 2 --stragglers 2 | --stragglers 2: a parent waits for one of its 2 workers at least: 0 to 1 is needed",
        "--exchange coded --workers 6 --tree-children 7 | --tree-children 7: a parent has as many children as there are workers at most, 6",
        "--exchange coded --workers 6 --tree-layers 3 | --tree-layers 3: 6 workers fill 2 at most",
        "--exchange coded --workers 6 --root 6 | --root 6: the workers are ranks 0 to 5",
        "--exchange coded --tree-children 2 --tree-layers 2 | only with --exchange coded without --tree-children, and not coded with --tree-children 2",
        "--exchange gradient-coding --workers 3 --stragglers 3 | --stragglers 3: a parent waits for one of its 3 workers at least: 0 to 2 is needed",
        "--exchange drop-stragglers --workers 3 --stragglers 3 | --stragglers 3: a parent waits for one of its 3 workers at least",
        "--exchange uncoded --stragglers 1 | --stragglers 1: only with --exchange coded, gradient-coding or drop-stragglers, and not uncoded",
        "--exchange coded --tree-children 1 | --tree-children 1: 2 or more is needed",
        "--checkpoint-interval 1ms  | --checkpoint-interval 1ms: 10ms or more is needed",
        "--classes 1                | --classes 1: 2 to 16777216 is needed",
        "--classes two              | --classes two: a whole number, or labels with commas between",
        "--classes a,a              | --classes a,a: classes a, a: one is there twice",
        "--label 3                  | --label 3: only with a table: --data FILE.csv",
        "--standardize              | --standardize: only with a table: --data FILE.csv",
        "--data a.csv --normalize   | --normalize: only with images: --data mnist or a folder; a table has --standardize",
        "--data a.svm --flip        | --flip: only with images: --data mnist or a folder",
        "--data a.csv --crop 2      | --crop 2: only with images: --data mnist or a folder",
        "--data a.csv --image-size 8x8 | --image-size 8x8: only with images: --data mnist or a folder",
        "--standardize              | images have --normalize",
        "--crop -1                  | --crop -1: 0 or more is needed",
        "--crop 28                  | images of 28x28: --crop 28: less than 28 is needed",
        "--image-size 8             | --image-size 8: HEIGHTxWIDTH is needed: 32x32",
        "--image-size 0x8           | --image-size 0x8: sides of 1 to 4096 are needed",
        "--image-size 8x4097        | --image-size 8x4097: sides of 1 to 4096 are needed",
        "--image-size 32x32         | mnist: images of 28x28, and 32x32 is asked for: only PNG and JPEG",
        "--features 0               | --features 0: 1 to 16777216 is needed",
        "--web-port 70000           | --web-port 70000: 0 to 65535 is needed",
        "--metrics-port 0           | --metrics-port 0: 1 to 65535 is needed",
        "--out s3://bucket/x        | --out s3://bucket/x: no file system is known here for 's3': the plug-in flink-s3-fs-presto or",
        "--out hdfs://host/x        | no file system is known here for 'hdfs': flink-hadoop-fs and Hadoop's own client",
        "--checkpoint-dir gs://b/x  | --checkpoint-dir gs://b/x: no file system is known here for 'gs': the plug-in flink-gs-fs-hadoop",
        "--out nowhere://host/x     | no file system is known here for 'nowhere': a path is needed",
        "--restore /nowhere         | --restore /nowhere: no checkpoint or savepoint is there",
        "--data nowhere.csv         | no such file or folder, and not mnist",
        "--data ./a/../nowhere.csv  | --data ./a/../nowhere.csv: no such file",
        "--data mnist --time 1      | --time 1: only with a table",
        "--data mnist --missing mean | --missing mean: only with a table",
        "--data mnist --header yes  | --header yes: only with a table",
        "--missing median2          | --missing median2: there is no such name",
        "--header maybe             | --header maybe: there is no such name",
        "--model nothing            | --model nothing: no such file; a file or one of",
        "--chaos-file nowhere       | --chaos-file nowhere: no such file",
        "--chaos-from now           | --chaos-from now: latest or earliest is needed",
        "--chaos-file x --chaos-topic y | only one of them is possible",
        "--chaos-topic a/b          | topic a/b: 1 to 200 letters",
        "--chaos-topic a --kafka-brokers b | --kafka-brokers b: host:port is needed",
        "--chaos-topic a AWAY | Kafka at 127.0.0.1:1, topic a: no broker answers; './braid kafka' starts one",
        "--link-bandwidth 0mbit     | --link-bandwidth 0mbit: a bandwidth such as 500kbit",
        "--link-bandwidth 50        | --link-bandwidth 50: a bandwidth such as 500kbit",
        "--checkpoint-interval 9999us | --checkpoint-interval 9999us: 10ms or more is needed",
        "--link-latency 60500ms     | --link-latency 60500ms: at most 1min is possible",
        "--link-latency -1ms        | --link-latency -1ms: a time such as 500ms",
        "--checkpoint-interval 9999999d | --checkpoint-interval 9999999d: 365d or less is needed",
        "--exchange ft-tree --link-timeout 999999h | --link-timeout 999999h: 365d or less is needed",
        "--out a:b                 | --out a:b: write ./a:b if it is a path",
        "--epochs 3 --batch 5 --batch 7 | --batch is given more than once",
        "--epochs=3 --epochs=3     | --epochs is given more than once",
        "--features 2000000000     | --features 2000000000: 1 to 16777216 is needed",
        "--colour blue              | Unknown option: '--colour' (see",
        "--epoch 3                 | Unknown option: '--epoch'; did you mean --epochs? (see",
      })
  void namesTheMistakeInOneLineAndStartsNothing(String options, String message) {
    Path out = folder.resolve("out");
    String line = options + (options.contains("--out") ? "" : " --out " + out);
    CommandRun.ofLine("train " + line).assertMistake(message);
    assertThat(out).doesNotExist();
  }

  @Test
  void aModelFileWithAnythingElseInItIsNamedAndNothingStarts() throws Exception {
    Path model = folder.resolve("model.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(model))) {
      zip.putNextEntry(new ZipEntry("preprocessor.bin"));
    }
    Path out = folder.resolve("out");
    CommandRun result =
        CommandRun.of("train", "--model", model.toString(), "--out", out.toString());
    assertThat(result.err())
        .startsWith("braid: --model " + model + ": entry preprocessor.bin: ")
        .hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--out", "--checkpoint-dir", "--restore"})
  void aPathIsNotEmpty(String option) {
    CommandRun result = CommandRun.of("train", option, "");
    assertThat(result.err()).contains(option + " '': a path is needed").hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void namesWhatStandsInTheWayOfTheResults() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    CommandRun result = CommandRun.of("train", "--out", file.resolve("below").toString());
    assertThat(result.err()).contains(file + " is not a folder").hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void suggestsACheckpointInAFolderThatIsNone() throws Exception {
    Path checkpoint = Files.createDirectories(folder.resolve("job/chk-7"));
    Files.writeString(checkpoint.resolve("_metadata"), "");
    CommandRun result = CommandRun.of("train", "--restore", folder.toString());
    assertThat(result.err()).contains("for example " + checkpoint);
  }

  @Test
  void needsASampleForEachWorker() throws Exception {
    Path data = Files.writeString(folder.resolve("few.csv"), "1,2,0\n3,4,1\n");
    Files.writeString(folder.resolve("few.test.csv"), "1,2,0\n");
    CommandRun result = CommandRun.of("train", "--data", data.toString(), "--workers", "3");
    assertThat(result.err()).contains("--workers 3: the data has 2 training samples");
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  /** Of 2,100 samples a layer makes more numbers than there may be in an array. */
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
    String[] train = {
      "train",
      "--workers=1",
      "--batch=2100",
      "--validation=0",
      "--data=" + data,
      "--model=" + model,
      "--out=" + out
    };
    CommandRun result = CommandRun.of(train);
    assertThat(result.err())
        .contains("--model " + model + ": a layer makes 1,048,576 numbers of a sample")
        .contains("a batch of 2,100 is too large; 2,047 or fewer are needed")
        .hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(out).doesNotExist();
  }

  @Test
  void namesAPortThatIsTakenAndLeavesNothingBehind() throws Exception {
    Path out = folder.resolve("out");
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(other.getLocalPort());
      CommandRun result = CommandRun.of("train", "--web-port", port, "--out", out.toString());
      assertThat(result.err()).contains("--web-port " + port + ": taken").hasLineCount(1);
      assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
      CommandRun metrics = CommandRun.of("train", "--metrics-port", port, "--out", out.toString());
      assertThat(metrics.err()).contains("--metrics-port " + port + ": taken").hasLineCount(1);
      assertThat(metrics.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
    assertThat(out).doesNotExist();
  }

  @Test
  void namesTheLineOfALabelThatNoClassHas() throws Exception {
    Path data = Files.writeString(folder.resolve("wild.csv"), "1,2,0\n3,4,2000000000\n");
    Files.writeString(folder.resolve("wild.test.csv"), "1,2,0\n");
    CommandRun result = CommandRun.of("train", "--data", data.toString());
    assertThat(result.err())
        .contains("wild.csv:2: label 2000000000: 16777215 is the greatest")
        .hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aChaosFileWithoutAnyEventIsRefused() throws Exception {
    Path junk = Files.writeString(folder.resolve("junk"), "{}\n\n[]\n");
    CommandRun result =
        CommandRun.of("train", "--chaos-file", junk.toString(), "--out", folder + "/out");
    assertThat(result.err())
        .contains(
            "--chaos-file " + junk + ": there is no chaos event in it; of 2 records the first")
        .hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(folder.resolve("out")).doesNotExist();
  }

  /** As comparisons hand it on to their runs. */
  @Test
  void anOptionWithoutAValueCanBeTypedAgain() {
    TrainArguments given = TrainArguments.of(List.of("--require-every-sample"), terminal());
    assertThat(given.options()).isEqualTo(TrainArguments.of(List.of(), terminal()).options());
    assertThat(given.words()).singleElement().asString().startsWith("--require-every-sample");
  }

  @Test
  void helpShowsEachOptionWithItsDefault() {
    CommandRun result = CommandRun.of("train", "--help");
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
  }

  private static Terminal terminal() {
    return new Terminal(System.out, false, false, () -> 80);
  }
}
