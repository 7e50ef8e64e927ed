package dev.braid.job.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.TrainingGraph;
import dev.braid.job.console.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.jobgraph.DistributionPattern;
import org.apache.flink.runtime.jobgraph.IntermediateDataSet;
import org.apache.flink.runtime.jobgraph.JobEdge;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkMemoryTest {

  /** Row of the table in {@code conf/config.yaml}. */
  private static final Pattern ROW = Pattern.compile("(?m)^# +(\\d+) +(\\d+) ((?: *\\d+)+)$");

  private static final int[] SEGMENT_KIBIBYTES = {256, 64, 32, 16};

  /**
   * Number of buffers without which Flink refuses a channel, in addition to one for a gate and for
   * a partition.
   */
  private static final int BUFFERS_OF_A_REMOTE_CHANNEL = 2;

  /** Largest ratio to that minimum. Above the minimum, Flink starts, but needs floating buffers. */
  private static final double MOST_RESERVE = 1.6;

  @TempDir private Path folder;

  /** The job is the real one, with all channels to other processes, which is the worst case. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--workers 2",
        "--workers 4",
        "--workers 8 --exchange ako",
        "--workers 16",
        "--workers 40",
        "--workers 6 --exchange ps:servers=2",
        "--workers 4 --links 100mbit",
        "--workers 8 --chaos-file EVENTS"
      })
  void isEnoughForTheJobsChannels(String options) throws Exception {
    Path events = Files.writeString(folder.resolve("events"), "cut 1 0 id a\n");
    String[] words = options.replace("EVENTS", events.toString()).split(" ", -1);
    NetworkMemory need = NetworkMemory.of(TrainingGraph.options(words));
    List<JobVertex> vertices =
        TrainingGraph.of(StreamExecutionEnvironment.getExecutionEnvironment(), words)
            .getJobGraph()
            .getVerticesSortedTopologicallyFromSources();
    for (int slots : IntStream.rangeClosed(1, need.ranks()).toArray()) {
      int least = vertices.stream().mapToInt(vertex -> least(vertex, slots)).sum();
      assertThat(need.buffers(slots))
          .as("%d slots, of which the job's channels need %d", slots, least)
          .isGreaterThanOrEqualTo(least)
          .isLessThan((int) (least * MOST_RESERVE) + 128);
    }
  }

  /** Returns the minimum for all subtasks that a TaskManager may have to run. */
  private static int least(JobVertex vertex, int slots) {
    int inputs = vertex.getInputs().stream().mapToInt(NetworkMemoryTest::least).sum();
    int outputs = vertex.getProducedDataSets().stream().mapToInt(NetworkMemoryTest::least).sum();
    return Math.min(slots, vertex.getParallelism()) * (inputs + outputs);
  }

  private static int least(JobEdge edge) {
    return edge.getDistributionPattern() == DistributionPattern.POINTWISE
        ? 0 // in the same slot
        : BUFFERS_OF_A_REMOTE_CHANNEL * edge.getSource().getProducer().getParallelism() + 1;
  }

  private static int least(IntermediateDataSet partitions) {
    return partitions.getConsumers().stream()
        .mapToInt(
            edge ->
                edge.getDistributionPattern() == DistributionPattern.POINTWISE
                    ? 2
                    : edge.getTarget().getParallelism() + 1)
        .sum();
  }

  /** An embedded Flink has one TaskManager with all ranks. */
  @ParameterizedTest
  @CsvSource({
    "1, false, 160",
    "4, false, 358",
    "4, true, 485",
    "16, false, 2230",
    "64, false, 20598",
    "128, false, 65398"
  })
  void oneTaskManagerHasAll(int ranks, boolean chaos, int buffers) {
    assertThat(new NetworkMemory(ranks, chaos).buffers(ranks)).isEqualTo(buffers);
    assertThat(new NetworkMemory(ranks, chaos).buffers(ranks + 5)).isEqualTo(buffers);
  }

  @Test
  void theShippedTableIsRight() throws Exception {
    List<MatchResult> rows =
        ROW.matcher(Files.readString(Path.of("..", "conf", "config.yaml"))).results().toList();
    assertThat(rows).hasSize(7);
    for (MatchResult row : rows) {
      NetworkMemory need = new NetworkMemory(Integer.parseInt(row.group(1)), false);
      int slots = Integer.parseInt(row.group(2));
      List<Long> sizes =
          Arrays.stream(SEGMENT_KIBIBYTES)
              .mapToObj(kibibytes -> MemorySize.parse(kibibytes + "kb"))
              .filter(segment -> segment.compareTo(need.segment()) <= 0)
              .map(segment -> mebibytes(need.size(slots, segment)))
              .toList();
      List<Long> shown =
          Arrays.stream(row.group(3).strip().split(" +", -1)).map(Long::valueOf).toList();
      assertThat(sizes).as(row.group()).startsWith(shown.toArray(Long[]::new));
    }
  }

  @Test
  void messagesAreSmallerWhereThereAreMoreRanks() {
    assertThat(
            IntStream.of(1, 16, 17, 32, 33, 64, 65, 1024)
                .mapToObj(ranks -> new NetworkMemory(ranks, false).segment().getKibiBytes()))
        .containsExactly(256L, 256L, 64L, 64L, 32L, 32L, 16L, 16L);
  }

  @Test
  void whatOneProcessCannotHaveIsTold() {
    NetworkMemory most = new NetworkMemory(1024, false);
    assertThatCode(() -> most.checkFits(MemorySize.parse("60gb"))).doesNotThrowAnyException();
    assertThatThrownBy(() -> most.checkFits(MemorySize.parse("8gb")))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--workers: 1024 workers and servers in one process need ")
        .hasMessageContaining(" GB for buffers of their links, and this process can have 8.6");
  }

  private static long mebibytes(MemorySize size) {
    return (size.getBytes() + (1 << 20) - 1) >> 20;
  }
}
