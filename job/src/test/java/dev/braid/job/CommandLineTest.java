package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.cli.Examples;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.train.TrainArguments;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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

class CommandLineTest {

  private static final int WIDER_THAN_ANY_LINE = 4000;

  @TempDir private Path folder;

  private record Result(int exitCode, String out, String err) {}

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
    Result result = run(words("train " + line));
    assertThat(result.err()).startsWith("braid: ").contains(message).hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(out).doesNotExist();
  }

  @Test
  void aModelFileWithAnythingElseInItIsNamedAndNothingStarts() throws Exception {
    Path model = folder.resolve("model.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(model))) {
      zip.putNextEntry(new ZipEntry("preprocessor.bin"));
    }
    Path out = folder.resolve("out");
    Result result = run("train", "--model", model.toString(), "--out", out.toString());
    assertThat(result.err())
        .startsWith("braid: --model " + model + ": entry preprocessor.bin: ")
        .hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--out", "--checkpoint-dir", "--restore"})
  void aPathIsNotEmpty(String option) {
    Result result = run("train", option, "");
    assertThat(result.err()).contains(option + " '': a path is needed").hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void namesWhatStandsInTheWayOfTheResults() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    Result result = run("train", "--out", file.resolve("below").toString());
    assertThat(result.err()).contains(file + " is not a folder").hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void needsASampleForEachWorker() throws Exception {
    Path data = Files.writeString(folder.resolve("few.csv"), "1,2,0\n3,4,1\n");
    Files.writeString(folder.resolve("few.test.csv"), "1,2,0\n");
    Result result = run("train", "--data", data.toString(), "--workers", "3");
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
      "train", "--workers=1", "--batch=2100", "--data=" + data, "--model=" + model, "--out=" + out
    };
    Result result = run(train);
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
      Result result = run("train", "--web-port", port, "--out", out.toString());
      assertThat(result.err()).contains("--web-port " + port + ": taken").hasLineCount(1);
      assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
      Result metrics = run("train", "--metrics-port", port, "--out", out.toString());
      assertThat(metrics.err()).contains("--metrics-port " + port + ": taken").hasLineCount(1);
      assertThat(metrics.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
    assertThat(out).doesNotExist();
  }

  @Test
  void namesTheLineOfALabelThatNoClassHas() throws Exception {
    Path data = Files.writeString(folder.resolve("wild.csv"), "1,2,0\n3,4,2000000000\n");
    Files.writeString(folder.resolve("wild.test.csv"), "1,2,0\n");
    Result result = run("train", "--data", data.toString());
    assertThat(result.err())
        .contains("wild.csv:2: label 2000000000: 16777215 is the greatest")
        .hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aFileOfEventsIsNeitherWrittenOverNorTakenForAMissingOne() throws Exception {
    Path file = folder.resolve("events.jsonl");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
    Result replayed = run("chaos", "replay", file.toString());
    assertThat(replayed.err()).contains("replay " + file + ": not UTF-8").hasLineCount(1);
    Result written = run(("chaos generate --workers 3 --to " + file).split(" "));
    assertThat(written.err()).contains("--to " + file + ": is there already").hasLineCount(1);
    assertThat(written.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(file).binaryContent().hasSize(2);
  }

  /** One after the other, with the same id; at one time, an id is that of one. */
  @Test
  void eventsOfTheSameIdAreReplayedEach_andWhatALogHasAgainOnce() throws Exception {
    String line =
        "{\"version\":1,\"run\":\"r\",\"outcome\":\"applied\",\"round\":7,\"trainingMillis\":9,"
            + "\"rank\":1,\"at\":\"2026-01-01T00:00:00Z\",\"origin\":\"line/1\",\"event\":{\"version\":1,"
            + "\"id\":\"x\",\"action\":\"cut\",\"target\":{\"link\":[3,1]},\"forMillis\":20}}";
    String later = line.replace("line/1", "line/2").replace("\"round\":7", "\"round\":9");
    Path log = Files.write(folder.resolve("applied.jsonl"), List.of(line, later, line));
    Path again = folder.resolve("again.jsonl");
    assertThat(run("chaos", "replay", log.toString(), "--to", again.toString()).out())
        .contains("2 events written");
    String event =
        "\"action\":\"cut\",\"target\":{\"link\":[3,1]},\"start\":{\"round\":7},\"forMillis\":20}";
    assertThat(again)
        .content()
        .isEqualTo(
            "{\"version\":1,\"id\":\"x\","
                + event
                + "\n{\"version\":1,"
                + event.replace("7}", "9}")
                + "\n");
  }

  @Test
  void aSuccessIsNoneIfItsWordsCannotBeWritten() {
    StringWriter err = new StringWriter();
    PrintStream full =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("no space left on device");
              }
            });
    full.println("words");
    assertThat(Main.ended(ExitCodes.OK, full, new PrintWriter(err, true))).isEqualTo(1);
    assertThat(err.toString()).contains("standard output cannot be written to");
    assertThat(Main.ended(ExitCodes.USAGE, full, new PrintWriter(err, true))).isEqualTo(2);
    assertThat(Main.ended(ExitCodes.OK, System.out, new PrintWriter(err, true))).isZero();
  }

  @Test
  void helpOfARankOffersNothingOfLinks() {
    for (String command : new String[] {"straggle", "isolate", "rejoin"}) {
      assertThat(run("chaos", command, "--help").out())
          .contains("[RANK]")
          .doesNotContain("--one-way", "two ranks");
    }
    assertThat(run("chaos", "cut", "--help").out()).contains("--one-way", "--for");
  }

  @Test
  void placesInAMesh_areRanksOfEvents() throws Exception {
    Path block = folder.resolve("block.jsonl");
    Result result =
        run(
            "chaos",
            "isolate",
            "--mesh",
            "4x4",
            "--block",
            "0,2+2x2",
            "--for",
            "5s",
            "--to",
            block.toString());
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("4 events written to " + block);
    assertThat(Files.readAllLines(block))
        .containsExactly(
            "{\"version\":1,\"action\":\"isolate\",\"target\":{\"rank\":2},\"forMillis\":5000}",
            "{\"version\":1,\"action\":\"isolate\",\"target\":{\"rank\":3},\"forMillis\":5000}",
            "{\"version\":1,\"action\":\"isolate\",\"target\":{\"rank\":6},\"forMillis\":5000}",
            "{\"version\":1,\"action\":\"isolate\",\"target\":{\"rank\":7},\"forMillis\":5000}");
    Path parted = folder.resolve("parted.jsonl");
    assertThat(
            run("chaos", "isolate", "--mesh", "1x8", "--block", "0,3+1x2", "--to", parted + "")
                .out())
        .contains(
            "2 events written to " + parted,
            "without this block a mesh of 1x8 falls into 2 parts, of 3, 3 workers: the largest goes"
                + " on alone");
    Path all = folder.resolve("all.jsonl");
    assertThat(
            run("chaos", "isolate", "--mesh", "2x2", "--block", "0,0+2x2", "--to", all + "").out())
        .contains("that is the whole mesh of 2x2: no worker is left to go on");
    Path link = folder.resolve("link.jsonl");
    run(
        "chaos",
        "cut",
        "--mesh",
        "2x2x2",
        "--mesh-link",
        "1,0,1-0,0,1",
        "--one-way",
        "--to",
        link.toString());
    assertThat(Files.readString(link)).contains("{\"link\":[5,1],\"oneWay\":true}");
    Path wrap = folder.resolve("wrap.jsonl");
    run("chaos", "heal", "--mesh", "torus:2x4", "--mesh-link", "0,3-0,0", "--to", wrap.toString());
    assertThat(Files.readString(wrap)).contains("{\"link\":[3,0]}");
  }

  @Test
  void suggestsACheckpointInAFolderThatIsNone() throws Exception {
    Path checkpoint = Files.createDirectories(folder.resolve("job/chk-7"));
    Files.writeString(checkpoint.resolve("_metadata"), "");
    Result result = run("train", "--restore", folder.toString());
    assertThat(result.err()).contains("for example " + checkpoint);
  }

  @Test
  void needsACommand() {
    Result result = run();
    assertThat(result.err())
        .contains(
            "a command is needed: train, result, compare, evaluate, predict, chaos, cluster, flink, kafka, help");
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chaos                        | a command is needed: cut, heal, delay",
        "chaos cut                    | cut: two ranks, a rank, --level, --random, --mesh-link or --block is needed",
        "chaos isolate                | isolate: a rank, --level, --random or --block is needed, and only one",
        "chaos isolate 1 --mesh 2x2 --block 0,0+1x1 | only one of them",
        "chaos isolate --block 0,0+1x1 | --block 0,0+1x1: the training's --mesh is needed, too, such as --mesh 4x8",
        "chaos isolate 1 --mesh 2x2   | --mesh 2x2: only with --block",
        "chaos cut 1 2 --mesh 2x2     | --mesh 2x2: only with --block or --mesh-link",
        "chaos isolate --mesh 4x4 --block 3,0+2x2 | --block 3,0+2x2: not in a mesh of 4x4, whose rows and columns count from 0",
        "chaos isolate --mesh 4x4 --block 0,0+0x2 | --block 0,0+0x2: not in a mesh of 4x4",
        "chaos isolate --mesh 2x2x2 --block 0,0+1x1 | --block 0,0+1x1: not in a mesh of 2x2x2",
        "chaos isolate --mesh 4x4 --block 2,2 | --block 2,2: its first row and column, and how many rows x columns",
        "chaos isolate --mesh 0x4 --block 0,0+1x1 | --mesh 0x4: at least 1 in each dimension is needed",
        "chaos isolate --mesh 4 --block 0,0+1x1 | --mesh 4: rows x columns are needed, such as 4x8",
        "chaos isolate --mesh 40000x40000 --block 0,0+1x1 | --mesh 40000x40000: 65536 ranks at most are possible",
        "chaos isolate --mesh 2x2 --mesh-link=0,0-0,1 | Unknown option",
        "chaos cut --mesh 2x4 --mesh-link 0,1-0,3 | --mesh-link 0,1-0,3: no link of a mesh of 2x4: two ranks beside each other",
        "chaos cut --mesh 2x4 --mesh-link 0,3-0,4 | --mesh-link 0,3-0,4: no link of a mesh of 2x4",
        "chaos cut --mesh 2x4 --mesh-link 0,3-0,0 | --mesh-link 0,3-0,0: no link of a mesh of 2x4",
        "chaos cut --mesh 2x4 --mesh-link 0,1 | --mesh-link 0,1: row and column of two ranks are needed, such as 0,1-0,2",
        "chaos cut --mesh-link 0,1-0,2 | --mesh-link 0,1-0,2: the training's --mesh is needed, too",
        "chaos cut 1 1                | link 1 → 1: two different ranks",
        "chaos cut 1 --one-way        | --one-way: two ranks are needed",
        "chaos cut 1 2 3              | cut 1 2 3: two ranks at most are possible",
        "chaos cut 1 2 --count 3      | --count 3: only with --random",
        "chaos cut --level 1 --one-way | --one-way: two ranks are needed",
        "chaos cut 1 2 --for 5        | --for 5: a unit is needed: 5ms, 5s or 5min",
        "chaos isolate 1 --for 5      | --for 5: a unit is needed",
        "chaos delay 1 2 --by 5       | --by 5: a unit is needed",
        "chaos delay 1 2 --by 5ms --jitter 5 | --jitter 5: a unit is needed",
        "chaos reorder 1 2 --within 5 | --within 5: a unit is needed",
        "chaos cut 1 2 --after 5      | --after 5: a unit is needed",
        "chaos generate --workers 4 --duration 60 | --duration 60: a unit is needed",
        "chaos generate --workers 4 --cut-for 60 | --cut-for 60: a unit is needed",
        "compare --exchanges ring --checkpoint-interval 10 | --checkpoint-interval 10: a unit is needed",
        "compare --exchanges ft-tree:500 | a unit is needed",
        "chaos cut 1 2 --for soon     | --for soon: a time such as 500ms",
        "chaos cut 1 2 --for 0s       | --for 0ms: 1ms to 7d is possible",
        "chaos cut 1 2 --for 169h     | --for 169h: 1ms to 7d is possible",
        "chaos cut 1 2 --after 8d     | --after 8d: 0ms to 7d is possible",
        "chaos delay 1 2 --by 0s      | --by 0ms: 1ms to 7d is possible",
        "chaos delay 1 2 --by 8d      | --by 8d: 1ms to 7d is possible",
        "chaos delay 1 2 --by 8d --jitter 1s | --by 8d: 0ms to 7d is possible",
        "chaos delay 1 2 --by 1s --jitter 8d | --jitter 8d: 0ms to 7d is possible",
        "chaos reorder 1 2 --probability 1 --within 8d | --within 8d: 1ms to 7d is possible",
        "chaos reorder 1 2 --probability 1 --within 500us | --within 500us: 1ms to 7d is possible",
        "chaos generate --workers 4 --rate 1/min --duration 8d | --duration 8d: at most 7d is possible",
        "chaos generate --workers 4 --cut-for 97h | --cut-for 97h: at most 4d is possible",
        "chaos cut 1 2 --level 1      | only one of them",
        "chaos cut 1 2 --at-round 1 --after 1s | --at-round and --after: only one",
        "chaos cut -- -1 2            | link -1 → 2",
        "chaos isolate 1 2            | isolate: one rank is needed",
        "chaos drop 1 2 --probability 2 | probability 2: more than 0 and at most 1 ",
        "chaos straggle 1 --factor 1  | factor 1: more than 1 ",
        "chaos delay 1 2              | Missing required option: '--by=TIME'",
        "chaos cut 1 2 AWAY | Kafka at 127.0.0.1:1, topic chaos: no broker answers; './braid kafka' starts one",
        "chaos status AWAY | Kafka at 127.0.0.1:1, topic chaos.applied",
        "chaos replay nowhere         | replay nowhere: no such file",
        "result --folder nowhere      | --folder nowhere: no cluster has run there: ./braid cluster up --folder nowhere starts one",
        "result --flink x             | --flink x: a URL is needed",
        "chaos status --log x --topic t | --log and --topic: only one of them",
        "chaos status --log nowhere   | --log nowhere: no such file",
        "chaos straggle 1 2 --factor 2 | straggle: one rank is needed",
        "chaos isolate 1 --one-way    | Unknown option: '--one-way'",
        "chaos isolat 1               | no command 'isolat'; commands: cut, heal, delay",
        "chaos isolat 1               | did you mean isolate?",
        "chaos cut a b                | RANK a: a whole number is needed",
        "chaos help isolat            | no command 'isolat'; commands: cut, heal, delay",
        "chaos help isolat            | did you mean isolate?",
        "help chaos isolat            | no command 'isolat'; commands: cut, heal, delay",
        "help trian                   | did you mean train?",
        "train --exchange rign        | is needed; did you mean ring?",
        "frobnicate                   | no command 'frobnicate'; commands: train, result, compare, evaluate",
        "train mnist                  | 'mnist' is not expected here (see braid train --help)",
        "chaos generate               | Missing required option: '--workers=N'",
        "chaos generate --workers 1   | --workers 1: 2 to 1024 is needed",
        "chaos generate --workers 7 --rate 0/s | --rate 0/s: a rate such as 1/s or 30/min",
        "chaos generate --workers 7 --faults all | --faults all: cuts, one-cut, path-left or any",
        "chaos generate --workers 7 --live --to x | --live and --to: only one of them",
        "chaos cut 1 2 --to x --topic t | --to and --topic: only one of them",
        "chaos generate --workers 7 --to x --kafka-brokers a:1 | --to and --kafka-brokers: only",
      })
  void namesTheMistakeInAChaosCommand(String line, String message) {
    Result result = run(words(line));
    assertThat(result.err()).startsWith("braid: ").contains(message).hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(result.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "compare                             | --exchanges or --from: one of them is needed",
        "compare --exchanges ring --from x   | --exchanges or --from: one of them is needed",
        "compare --exchanges                 | Expected parameter for option '--exchanges'",
        "compare --exchanges star            | --exchanges star: there is no such name; one of ring",
        "compare --exchanges ps:nosuch       | --consistency nosuch: there is no such name; one of sync, async, ssp is needed; possible is ps[:CONSISTENCY][:SERVERS]",
        "compare --exchanges ring,           | --exchanges ring,: a name is missing",
        "compare --exchanges ring:4          | --exchanges ring:4: '4' says nothing to ring; possible is ring[:compress=CODEC]",
        "compare --exchanges averaging:x:y:z | 'y' says nothing to averaging",
        "compare --exchanges ako:q=4         | --exchanges ako:q=4: 'q=4' says nothing to ako; possible",
        "compare --exchanges ako:4           | --exchanges ako:4: '4' says nothing to ako; possible is ako[:p=P]",
        "compare --exchanges ako:p=          | --exchanges ako:p=: 'p=' says nothing to ako",
        "compare --exchanges ako:p=1:p=2     | --exchanges ako:p=1:p=2: p is given twice",
        "compare --exchanges ako:p=x         | --exchanges ako:p=x: --ako-partitions x: a whole number",
        "compare --exchanges ako:p=0         | --exchanges ako:p=0: --ako-partitions 0: 1 to 65536",
        "compare --exchanges ring,ring       | --exchanges ring: is there twice",
        "compare --exchanges averaging,averaging:5 | --exchanges averaging:5: is the same as averaging",
        "compare --exchanges ft-tree:0s      | --exchanges ft-tree:0s: --link-timeout 0s: 1ms or more",
        "compare --exchanges ring,mesh:2x4 --workers 6 | --exchanges mesh:2x4: --mesh 2x4: a mesh of 8 ranks for 6",
        "compare --exchanges ring,ako --updater adam | --exchanges ako: --updater adam: with",
        "compare --exchanges ring,ps --staleness 4 | braid: --staleness 4: only with --exchange all-to-all, ako, sharing or gossip, or ps with --consistency ssp, and no run is",
        "compare --exchanges ring --kafka-brokers a:1 | --kafka-brokers a:1: only with --chaos-topic, and no run",
        "compare --exchanges ring,ps:staleness=3 | --exchanges ps:staleness=3: --staleness 3: only with",
        "compare --exchanges ring --workers 2..4 | braid: --workers 2..4: bounds are for a cluster",
        "compare --exchanges ring --workers 0 | braid: --workers 0: 1 to 1024 is needed",
        "compare --exchanges ring --data nowhere.csv | no such file or folder, and not mnist",
        "compare --exchanges ring --exchange tree | --exchange: is not for a comparison",
        "compare --exchanges ring --restore x | --restore: is not for a comparison",
        "compare --exchanges ring --worker 4 | '--worker'; did you mean --workers? (see braid train --help)",
        "compare --exchanges ring --colour blue | Unknown option: '--colour' (see braid train",
        "compare --exchanges ring --out s3://bucket/x | --out s3://bucket/x: no file system is known here",
        "compare --from nowhere              | --from nowhere: nowhere/history.jsonl: no such file",
        "compare --from x --workers 4        | --workers: with --from, only --out is possible",
      })
  void namesTheMistakeInAComparison(String line, String message) {
    Path out = folder.resolve("out");
    Result result = run(words(line + (line.contains("--out") ? "" : " --out " + out)));
    assertThat(result.err()).startsWith("braid: ").contains(message).hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(out).doesNotExist();
  }

  @Test
  void aScheduleIsTheSameForTheSameSeedAndCanBeReplayed() throws Exception {
    Path first = folder.resolve("first.jsonl");
    Path second = folder.resolve("second.jsonl");
    String generate = "chaos generate --workers 7 --seed 5 --rate 2/s --duration 30s --to ";
    assertThat(run((generate + first).split(" ")).out()).contains("events written to " + first);
    assertThat(run(("chaos replay " + first + " --to " + second).split(" ")).exitCode()).isZero();
    assertThat(Files.readAllLines(first))
        .hasSizeBetween(30, 90)
        .allMatch(event -> event.contains("\"action\":\"cut\""));
    assertThat(second).hasSameTextualContentAs(first);
  }

  @Test
  void anEventCanBeWrittenToAFile() throws Exception {
    Path file = folder.resolve("event.jsonl");
    run(("chaos cut 3 1 --for 5s --at-round 7 --to " + file).split(" "));
    assertThat(file)
        .hasContent(
            "{\"version\":1,\"action\":\"cut\",\"target\":{\"link\":[3,1]},"
                + "\"start\":{\"round\":7},\"forMillis\":5000}");
  }

  @Test
  void aDelayMayBeAllJitter() throws Exception {
    Path file = folder.resolve("event.jsonl");
    run(("chaos delay 3 1 --by 0ms --jitter 9ms --to " + file).split(" "));
    assertThat(file).content().contains("\"delayMillis\":0,\"jitterMillis\":9");
  }

  @ParameterizedTest
  @CsvSource({
    "chaos status --log, --log, 268435456",
    "chaos replay, replay, 268435456",
    "train --chaos-file, --chaos-file, 4194304"
  })
  void aFileLargerThanAnyIsNotRead(String command, String named, long most) throws Exception {
    Path file = folder.resolve("file.jsonl");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(most + 1);
    }
    Result result = run((command + " " + file).split(" "));
    assertThat(result.err())
        .contains("%s %s: %d bytes; at most %d".formatted(named, file, most + 1, most))
        .hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aChaosFileWithoutAnyEventIsRefused() throws Exception {
    Path junk = Files.writeString(folder.resolve("junk"), "{}\n\n[]\n");
    Result result = run("train", "--chaos-file", junk.toString(), "--out", folder + "/out");
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
    TrainArguments given =
        TrainArguments.of(List.of("--require-every-sample"), terminal(System.out));
    assertThat(given.options())
        .isEqualTo(TrainArguments.of(List.of(), terminal(System.out)).options());
    assertThat(given.words()).singleElement().asString().startsWith("--require-every-sample");
  }

  @Test
  void statusKnowsWhatIsInForce() throws Exception {
    String event = "{\"version\":1,\"id\":\"%s\",\"action\":\"cut\",\"target\":{\"link\":[3,1]}}";
    String line =
        "{\"version\":1,\"run\":\"%s\",\"outcome\":\"%s\",\"round\":5,\"trainingMillis\":9,\"rank\":1,"
            + "\"at\":\"2026-01-01T00:00:00Z\",\"event\":%s}%n";
    Path log = folder.resolve("log.jsonl");
    Files.writeString(
        log,
        line.formatted("before", "applied", event.formatted("z"))
            + line.formatted("now", "applied", event.formatted("a"))
            + line.formatted("now", "applied", event.formatted("b"))
            + line.formatted("now", "ended", event.formatted("a"))
            + line.formatted("now", "ignored", event.formatted("c")));
    assertThat(run("chaos", "status", "--log", log.toString()).out().lines())
        .hasSize(3)
        .startsWith("link 3–1: cut since round 5, until it is mended")
        .anyMatch(words -> words.matches("the log's last line is of job now, \\d+ h .* ago"))
        .endsWith("if that job was stopped or has failed, nothing is in force any more");
    assertThat(run("chaos", "status", "--json", "--log", log.toString()).out())
        .isEqualTo(line.formatted("now", "applied", event.formatted("b")));
    Files.writeString(log, "");
    assertThat(run("chaos", "status", "--log", log.toString()).out())
        .startsWith("nothing is in force; no training has said anything here yet");
  }

  @Test
  void helpShowsEachOptionWithItsDefault() {
    Result result = run("train", "--help");
    assertThat(result.exitCode()).isZero();
    CommandLine train = Main.commandLine(terminal(System.out)).getSubcommands().get("train");
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

  /** A value such as step:3:0.1, or a file's name, would be copied in two pieces. */
  @Test
  void helpBreaksLinesBetweenWordsOnly() {
    helpOfAll(
        Main.commandLine(terminal(System.out)),
        of -> {
          List<String> words = words(of, WIDER_THAN_ANY_LINE);
          for (int width = 70; width <= 140; width++) {
            assertThat(words(of, width))
                .as("%s at %d columns", of.getCommandName(), width)
                .isEqualTo(words);
          }
        });
  }

  private static List<String> words(CommandLine of, int width) {
    return List.of(of.setUsageHelpWidth(width).getUsageMessage().strip().split("\\s+", -1));
  }

  private static void helpOfAll(CommandLine of, Consumer<CommandLine> check) {
    check.accept(of);
    of.getSubcommands().values().forEach(below -> helpOfAll(below, check));
  }

  @Test
  void helpOfACommandBelowACommand() {
    assertThat(run("help", "chaos", "cut").out()).isEqualTo(run("chaos", "cut", "--help").out());
    assertThat(run("chaos", "help", "cut").out()).isEqualTo(run("chaos", "cut", "--help").out());
    assertThat(run("help").out()).isEqualTo(run("--help").out());
  }

  /** Each command has some, and what they say is understood. */
  @Test
  void examplesAreCommands() {
    CommandLine braid = Main.commandLine(terminal(System.out));
    List<String> commands = new ArrayList<>();
    commands(braid, commands);
    assertThat(commands).contains("braid", "braid train", "braid chaos cut").hasSizeGreaterThan(20);
    for (String command : commands) {
      assertThat(Examples.of(command)).as("examples of %s", command).isNotEmpty();
      for (String example : Examples.of(command)) {
        assertThat(example).contains(command.equals("braid cluster") ? "braid " : command);
        String[] words = example.replaceAll("^.*?braid ?", "").split(" ", -1);
        if (!example.startsWith("./braid kafka") && !example.startsWith("./braid flink")) {
          // Whose options are the broker's own, and Flink's.
          Main.commandLine(terminal(System.out)).parseArgs(words);
        }
      }
    }
    assertThat(run("chaos", "cut", "--help").out()).containsOnlyOnce("Examples");
    assertThat(run("help", "train").out()).containsOnlyOnce("Examples");
    assertThat(run("train", "--help").out())
        .endsWith("  ./braid train --restore latest --epochs 20\n");
  }

  private static void commands(CommandLine of, List<String> names) {
    if (!of.getCommandName().equals("help")) {
      names.add(of.getCommandSpec().qualifiedName());
      of.getSubcommands().values().forEach(below -> commands(below, names));
    }
  }

  @Test
  void saysItsVersion() {
    assertThat(run("--version").out()).matches("braid \\d+\\.\\d+\\.\\d+\\S*\\s*");
  }

  /** AWAY stands for a broker that is not there, and little patience. */
  private static String[] words(String line) {
    String away =
        "--kafka-brokers 127.0.0.1:1 --kafka-property default.api.timeout.ms=900"
            + " --kafka-property request.timeout.ms=500";
    return line.replace("AWAY", away).split(" ");
  }

  private static Result run(String... args) {
    ByteArrayOutputStream progress = new ByteArrayOutputStream();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine(terminal(new PrintStream(progress, true, StandardCharsets.UTF_8)))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new Result(code, out + progress.toString(StandardCharsets.UTF_8), err.toString());
  }

  private static Terminal terminal(PrintStream out) {
    return new Terminal(out, false, false, () -> 80);
  }
}
