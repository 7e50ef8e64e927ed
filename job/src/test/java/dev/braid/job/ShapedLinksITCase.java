package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.Reports.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links that are shaped to a bandwidth and a latency, on an embedded Flink. */
class ShapedLinksITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final int WORKERS = 4;
  private static final int SAMPLES = 480;
  private static final int BATCH = 4;
  private static final int EPOCHS = 3;
  private static final int FEATURES = 300;
  private static final int CLASSES = 20;
  private static final long MILLIS = 1_000_000;

  @TempDir private Path folder;
  private DataLocation data;

  @BeforeEach
  void writeData() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    for (String name : List.of("points.csv", "points.test.csv")) {
      StringBuilder rows = new StringBuilder();
      for (int i = 0; i < SAMPLES; i++) {
        for (int feature = 0; feature < FEATURES; feature++) {
          rows.append((float) random.nextDouble()).append(',');
        }
        rows.append(i % CLASSES).append('\n');
      }
      Files.writeString(folder.resolve(name), rows.toString());
    }
    data = DataLocation.of(folder.resolve("points.csv").toString()).withClasses(CLASSES);
  }

  /**
   * All messages of a rank, to one or three others, share its line. (A test in the simulator checks
   * that the rank fills its line, independent of the machine's load.)
   */
  @ParameterizedTest
  @ValueSource(strings = {"ring", "all-to-all"})
  void aWorkerSendsWhatItsLineBears(String title) throws Exception {
    ExchangeType exchange = ExchangeType.named(title).orElseThrow();
    // In a ring, a line is idle while a hop is late. Few long hops leave a busy machine more time.
    double bytesPerSecond = exchange == ExchangeType.RING ? 1e6 / 6 : 2e6;
    int batch = exchange == ExchangeType.RING ? 6 * BATCH : BATCH;
    Optional<LinkShape> shape = Optional.of(new LinkShape(bytesPerSecond, 0));
    Run run = run(exchange, shape, new Configuration(), batch);

    for (int rank = 0; rank < WORKERS; rank++) {
      assertThat(run.mostBytesPerSecond(rank) / bytesPerSecond)
          .as("share of the line of rank %d, at most", rank)
          .isLessThan(1.01);
      assertThat(run.bytesPerSecond(rank, bytesPerSecond) / bytesPerSecond)
          .as("share of the line of rank %d", rank)
          .isGreaterThan(0.6);
    }
  }

  /** A round of a ring of four has six hops, one after the other. */
  @Test
  void everyMessageIsLateByTheLatency() throws Exception {
    LinkShape shape = new LinkShape(Double.POSITIVE_INFINITY, 20 * MILLIS);
    Run run = run(ExchangeType.RING, Optional.of(shape), new Configuration(), 3 * BATCH);

    assertThat(run.leastNanosPerRound()).isGreaterThan(120.0 * MILLIS);
    assertThat(run.nanosPerRound(120.0 * MILLIS)).isLessThan(260.0 * MILLIS);
  }

  /**
   * Messages keep their order and none is lost, even when checkpoints find some of them delayed.
   */
  @ParameterizedTest
  @ValueSource(strings = {"ring", "tree", "ako"})
  void shapedLinksChangeNoBit_underCheckpoints(String title) throws Exception {
    ExchangeType exchange = ExchangeType.named(title).orElseThrow();
    LinkShape shape = new LinkShape(3e6, MILLIS);
    Run shaped = run(exchange, Optional.of(shape), checkpointing());

    assertThat(shaped.digests).hasSize(WORKERS);
    if (exchange.isSynchronous(ExchangeOptions.defaults(WORKERS))) {
      Run free = run(exchange, Optional.empty(), new Configuration());
      assertThat(shaped.digests).isEqualTo(free.digests);
    }
  }

  /** A round takes six times 50 ms, and a checkpoint rolls it back. */
  @Test
  void roundsAreCompleteWhereCheckpointsComeSooner() throws Exception {
    LinkShape shape = new LinkShape(Double.POSITIVE_INFINITY, 50 * MILLIS);
    Run slow = run(ExchangeType.RING, Optional.of(shape), checkpointing(), SAMPLES / WORKERS);
    Run free = run(ExchangeType.RING, Optional.empty(), new Configuration(), SAMPLES / WORKERS);
    assertThat(slow.digests).hasSize(WORKERS).isEqualTo(free.digests);
  }

  private Configuration checkpointing() {
    Configuration often = new Configuration();
    often.setString("execution.checkpointing.interval", "50ms");
    often.setString(
        "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    // As in a real run, a checkpoint that meets the end of the job is not a failure.
    often.setString("execution.checkpointing.tolerable-failed-checkpoints", "1000");
    return often;
  }

  /**
   * @param beganNanos time before the job was submitted, of {@code System.nanoTime}
   */
  private record Run(List<String> digests, List<Timed> progress, long beganNanos) {

    /**
     * Returns the largest number of bytes per second that a rank sent since before the run began.
     * No report arrives before the sending that it reports, so the result never exceeds the rank's
     * true rate, however busy the machine is.
     */
    double mostBytesPerSecond(int rank) {
      return of(rank).stream()
          .mapToDouble(p -> p.progress.bytesSent() / ((p.nanos - beganNanos) / 1e9))
          .max()
          .orElseThrow();
    }

    /**
     * Returns the shortest mean time of a round, in nanoseconds, since before the first round
     * began.
     */
    double leastNanosPerRound() {
      return of(0).stream()
          .mapToDouble(p -> (double) (p.nanos - beganNanos) / p.progress.round())
          .min()
          .orElseThrow();
    }

    /** Returns the bytes per second that a rank sends if it fills its line. */
    double bytesPerSecond(int rank, double line) {
      Timed[] ends = leastLate(rank, progress -> progress.bytesSent() / line * 1e9);
      double seconds = (ends[1].nanos - ends[0].nanos) / 1e9;
      return (ends[1].progress.bytesSent() - ends[0].progress.bytesSent()) / seconds;
    }

    double nanosPerRound(double least) {
      Timed[] ends = leastLate(0, progress -> progress.round() * least);
      return (double) (ends[1].nanos - ends[0].nanos)
          / (ends[1].progress.round() - ends[0].progress.round());
    }

    /**
     * Returns two of a rank's reports, one from the first and one from the last third of the run.
     * Reports are late on a busy machine, and never early; these are the least late of each third.
     *
     * @param due nanoseconds after which a report is due at the earliest
     */
    private Timed[] leastLate(int rank, ToDoubleFunction<Progress> due) {
      List<Timed> own = of(rank);
      Comparator<Timed> lateness =
          Comparator.comparingDouble(p -> p.nanos - due.applyAsDouble(p.progress));
      int third = own.size() / 3;
      return new Timed[] {
        Collections.min(own.subList(0, third), lateness),
        Collections.min(own.subList(own.size() - third, own.size()), lateness)
      };
    }

    private List<Timed> of(int rank) {
      return progress.stream().filter(p -> p.progress.rank() == rank).toList();
    }
  }

  private record Timed(Progress progress, long nanos) {}

  private Run run(ExchangeType exchange, Optional<LinkShape> shape, Configuration configuration)
      throws Exception {
    return run(exchange, shape, configuration, BATCH);
  }

  private Run run(
      ExchangeType exchange, Optional<LinkShape> shape, Configuration configuration, int batch)
      throws Exception {
    configuration.setString("pipeline.object-reuse", "true");
    configuration.setString("pipeline.generic-types", "false");
    StreamExecutionEnvironment env = FLINK.environment(WORKERS, configuration);
    TrainingJob.Outputs outputs =
        TrainingJob.assemble(
            env,
            new SampleSource(data, data.check().train().samples(), 7, EPOCHS, batch),
            new WorkerConfig(
                exchange,
                ExchangeOptions.defaults(WORKERS).withBatch(batch),
                1000,
                new SoftmaxModel(FEATURES, CLASSES, 0.01f),
                data::openTest,
                StoppingRule.NONE),
            WORKERS,
            Optional.empty(),
            shape);
    CloseableIterator<Finished> finished = outputs.finished().collectAsync();
    CloseableIterator<Tuple2<Progress, Long>> progress = timed(outputs.progress()).collectAsync();
    long beganNanos = System.nanoTime();
    env.execute();
    List<Timed> timed = new ArrayList<>();
    progress.forEachRemaining(report -> timed.add(new Timed(report.f0, report.f1)));
    Map<Integer, String> digests = new TreeMap<>();
    finished.forEachRemaining(
        rank -> digests.put(rank.rank(), HexFormat.of().formatHex(rank.digest())));
    return new Run(List.copyOf(digests.values()), timed, beganNanos);
  }

  /** Pairs each report with its arrival time. The clock is that of this JVM, which runs the job. */
  private static DataStream<Tuple2<Progress, Long>> timed(DataStream<Progress> reports) {
    return reports
        .map(report -> Tuple2.of(report, System.nanoTime()))
        .returns(Types.TUPLE(reports.getType(), Types.LONG))
        .setParallelism(1);
  }
}
