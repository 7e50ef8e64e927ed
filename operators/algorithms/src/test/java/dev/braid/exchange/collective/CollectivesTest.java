package dev.braid.exchange.collective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests operations over random groups, ranges and chunks, with messages of different links in
 * random order. Their sums are those of the documented order, to the bit, and operations in
 * different phases, or of different groups, do not mix.
 */
class CollectivesTest {

  private static final int MOST_RANKS = 16;

  static IntStream seeds() {
    return IntStream.rangeClosed(1, 60);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void ringsSumInTheOrderOfTheRing_andAllHaveIt(int seed) {
    Setup setup = new Setup(seed);
    for (int member : setup.group) {
      RingAllGather gather =
          new RingAllGather(
              setup.communicator(member, 1), setup.range, setup.sums(member), setup.done(member));
      RingReduceScatter scatter =
          new RingReduceScatter(
              setup.communicator(member, 0),
              setup.range,
              setup.sums(member),
              setup.done(member).andThen(gather::publish));
      setup.hosts.put(member, List.of(scatter, gather));
      setup.starts.add(() -> scatter.begin(setup.values(member), member + 1));
    }
    setup.run();

    int n = setup.group.length;
    for (int k = 0; k < n; k++) {
      Range block = setup.range.part(k, n);
      for (int i = block.start(); i < block.end(); i++) {
        float sum = setup.values(setup.group[k])[i];
        for (int hop = 1; hop < n; hop++) {
          sum = setup.values(setup.group[(k + hop) % n])[i] + sum;
        }
        setup.assertAllHave(i, sum);
      }
    }
    setup.assertAllAreDoneOnce();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void treesSumInTheOrderOfTheTree_andAllHaveIt(int seed) {
    Setup setup = new Setup(seed);
    for (int member : setup.group) {
      TreeBroadcast broadcast =
          new TreeBroadcast(setup.communicator(member, 1), setup.sums(member), setup.done(member));
      TreeReduce reduce =
          new TreeReduce(
              setup.communicator(member, 0),
              setup.range,
              setup.sums(member),
              setup.done(member).andThen(broadcast::publish));
      setup.hosts.put(member, List.of(reduce, broadcast));
      setup.starts.add(() -> reduce.begin(setup.values(member), member + 1));
    }
    setup.run();

    BinaryTree tree = new BinaryTree(setup.group.length);
    for (int i = setup.range.start(); i < setup.range.end(); i++) {
      setup.assertAllHave(i, subtree(setup, tree, BinaryTree.ROOT, i));
    }
    setup.assertAllAreDoneOnce();
  }

  private static float subtree(Setup setup, BinaryTree tree, int position, int i) {
    float own = setup.values(setup.group[position])[i];
    return switch (tree.childCount(position)) {
      case 0 -> own;
      case 1 -> own + subtree(setup, tree, tree.child(position, 0), i);
      default ->
          own
              + (subtree(setup, tree, tree.child(position, 0), i)
                  + subtree(setup, tree, tree.child(position, 1), i));
    };
  }

  /** Rows reduce, then columns reduce their shards; then columns gather, then rows: four phases. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void rowsAndColumnsOfAMeshTogetherReduceOverAll(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int rows = random.nextInt(1, 5);
    int columns = random.nextInt(1, 5);
    int[] all = IntStream.range(0, rows * columns).toArray();
    Setup setup = new Setup(random, all);
    for (int rank : all) {
      int row = rank / columns;
      int column = rank % columns;
      int[] rowMates = IntStream.range(0, columns).map(c -> row * columns + c).toArray();
      int[] columnMates = IntStream.range(0, rows).map(r -> r * columns + column).toArray();
      setup.addMeshRank(rank, rowMates, columnMates);
    }
    setup.run();

    for (int i = setup.range.start(); i < setup.range.end(); i++) {
      int at = i;
      // Whole numbers are exact in any order.
      setup.assertAllHave(
          i, (float) Arrays.stream(all).mapToDouble(r -> setup.values(r)[at]).sum());
    }
    setup.assertAllAreDoneOnce();
  }

  /** Members, their values, and links between them that keep the order, each at its own pace. */
  private static final class Setup {

    private final SplittableRandom random;
    private final int[] group;
    private final Range range;
    private final int chunkLength;
    private final Map<Integer, float[]> values = new HashMap<>();
    private final Map<Integer, float[]> sums = new HashMap<>();
    private final Map<Integer, int[]> done = new HashMap<>();
    private final Map<Integer, List<Collective>> hosts = new HashMap<>();
    private final List<Runnable> starts = new ArrayList<>();
    private final Map<List<Integer>, Deque<Message>> links = new HashMap<>();
    private final List<float[]> lent = new ArrayList<>();

    Setup(int seed) {
      this(new SplittableRandom(seed));
    }

    private Setup(SplittableRandom random) {
      this(random, members(random));
    }

    Setup(SplittableRandom random, int[] group) {
      this.random = random;
      this.group = group;
      int start = random.nextInt(5);
      this.range = new Range(start, start + random.nextInt(1, 40));
      this.chunkLength = random.nextInt(1, 12);
      for (int member : group) {
        float[] own = new float[range.end() + 3];
        for (int i = 0; i < own.length; i++) {
          own[i] = random.nextInt(1 << 20);
        }
        values.put(member, own);
        sums.put(member, new float[own.length]);
        done.put(member, new int[own.length]);
      }
    }

    private static int[] members(SplittableRandom random) {
      int[] shuffled = IntStream.range(0, 12).toArray();
      for (int i = shuffled.length - 1; i > 0; i--) {
        int j = random.nextInt(i + 1);
        int swapped = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = swapped;
      }
      return Arrays.copyOf(shuffled, random.nextInt(1, 9));
    }

    float[] values(int member) {
      return values.get(member);
    }

    float[] sums(int member) {
      return sums.get(member);
    }

    Collective.Completion done(int member) {
      return (chunk, samples) -> {
        assertThat(samples).isEqualTo(Arrays.stream(group).sum() + group.length);
        markDone(member, chunk);
      };
    }

    private void markDone(int member, Range chunk) {
      for (int i = chunk.start(); i < chunk.end(); i++) {
        done.get(member)[i]++;
      }
    }

    Communicator communicator(int member, int phase) {
      return among(member, group).inPhase(phase);
    }

    private Communicator among(int member, int[] ranks) {
      return Communicator.ofAll(member, MOST_RANKS, chunkLength, () -> 7, new LinkPort())
          .among(0, ranks);
    }

    /**
     * Adds a rank of a mesh. A phase begins once the previous one is complete here; earlier
     * messages for it wait, as at a rank that has not contributed to a round yet.
     */
    void addMeshRank(int rank, int[] rowMates, int[] columnMates) {
      Communicator row = among(rank, rowMates);
      Communicator column = among(rank, columnMates);
      Range shard = RingReduceScatter.shard(range, row.position(), row.size());
      RingAllGather rowGather =
          new RingAllGather(
              row.inPhase(3), range, sums(rank), (chunk, samples) -> markDone(rank, chunk));
      RingAllGather columnGather =
          new RingAllGather(
              column.inPhase(2),
              shard,
              sums(rank),
              (chunk, samples) -> {
                markDone(rank, chunk);
                rowGather.publish(chunk, samples);
              });
      float[] rowSums = new float[sums(rank).length];
      RingReduceScatter columnScatter =
          new RingReduceScatter(
              column.inPhase(1),
              shard,
              sums(rank),
              (chunk, samples) -> {
                markDone(rank, chunk);
                columnGather.publish(chunk, samples);
                rowGather.publish(chunk, samples);
              });
      Later later = new Later(columnScatter, shard.length(), rowSums);
      RingReduceScatter rowScatter = new RingReduceScatter(row, range, rowSums, later);
      hosts.put(rank, List.of(rowScatter, later, columnGather, rowGather));
      starts.add(
          () -> {
            later.beginIfDue(0);
            rowScatter.begin(values(rank), rank + 1);
          });
    }

    void run() {
      List<Runnable> due = new ArrayList<>(starts);
      while (!due.isEmpty()) {
        due.remove(random.nextInt(due.size())).run();
      }
      List<List<Integer>> busy = busy();
      while (!busy.isEmpty()) {
        Message next = links.get(busy.get(random.nextInt(busy.size()))).remove();
        assertThat(next.round()).isEqualTo(7);
        Sum sum = (Sum) next.body();
        hosts.get(next.to()).get(sum.phase()).receive(next.from(), sum);
        busy = busy();
      }
      assertThat(lent).as("arrays that were lent and not released").isEmpty();
    }

    private List<List<Integer>> busy() {
      return links.entrySet().stream()
          .filter(link -> !link.getValue().isEmpty())
          .map(Map.Entry::getKey)
          .sorted((a, b) -> Arrays.compare(ends(a), ends(b)))
          .toList();
    }

    private static int[] ends(List<Integer> link) {
      return link.stream().mapToInt(Integer::intValue).toArray();
    }

    void assertAllHave(int i, float sum) {
      for (int member : group) {
        assertThat(sums(member)[i]).as("element %d at rank %d", i, member).isEqualTo(sum);
      }
    }

    void assertAllAreDoneOnce() {
      for (int member : group) {
        for (int i = 0; i < done.get(member).length; i++) {
          assertThat(done.get(member)[i])
              .as("how often element %d of %s is done at rank %d", i, range, member)
              .isEqualTo(i >= range.start() && i < range.end() ? 1 : 0);
        }
      }
    }

    /** Copies messages into arrays of their own, which must not be lost. */
    private final class LinkPort extends ForwardingPort {

      LinkPort() {
        super(new RecordingPort());
      }

      @Override
      public void send(Message message) {
        float[] copy = message.payload().dense().toArray();
        lent.add(copy);
        Slice values =
            Slice.lent(copy, 0, copy.length, array -> lent.removeIf(each -> each == array));
        links
            .computeIfAbsent(List.of(message.from(), message.to()), link -> new ArrayDeque<>())
            .add(message.withPayload(Payload.of(values)));
      }

      @Override
      public void handOver(Message message) {
        send(message);
        message.release();
      }
    }
  }

  /** The second phase of a mesh: it begins when the first has all of this rank's shard. */
  private static final class Later implements Collective, Collective.Completion {

    private final RingReduceScatter second;
    private final int length;
    private final float[] firstSums;
    private final List<Runnable> early = new ArrayList<>();
    private int ready;
    private boolean begun;

    Later(RingReduceScatter second, int length, float[] firstSums) {
      this.second = second;
      this.length = length;
      this.firstSums = firstSums;
    }

    @Override
    public void complete(Range chunk, long samples) {
      ready += chunk.length();
      beginIfDue(samples);
    }

    void beginIfDue(long samples) {
      if (ready == length && !begun) {
        begun = true;
        second.begin(firstSums, samples);
        early.forEach(Runnable::run);
      }
    }

    @Override
    public void receive(int from, Sum sum) {
      if (begun) {
        second.receive(from, sum);
      } else {
        early.add(() -> second.receive(from, sum));
      }
    }
  }
}
