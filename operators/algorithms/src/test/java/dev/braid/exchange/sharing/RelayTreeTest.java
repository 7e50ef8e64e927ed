package dev.braid.exchange.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.participation.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RelayTreeTest {

  private static View view(int ranks, Integer... without) {
    List<Integer> members = IntStream.range(0, ranks).boxed().toList();
    List<Integer> left =
        members.stream().filter(rank -> !Arrays.asList(without).contains(rank)).toList();
    return new View(1, left, 0, left);
  }

  @Example
  void whileAllAreThereItIsRegular_belowRank0() {
    RelayTree tree = RelayTree.of(View.all(12, 0), 12, 3);

    assertThat(tree.root()).isZero();
    assertThat(tree.children(0)).containsExactly(1, 2, 3);
    assertThat(tree.neighbours(1)).containsExactly(0, 4, 7, 10);
    assertThat(tree.towards(2)).containsExactly(0, 0, -1, 0, 0, 5, 0, 0, 8, 0, 0, 11);
    assertThat(tree.linked(5)).containsExactly(0, 1, 2, 8, 11);
    assertThat(tree.linked(0)).hasSize(11);
  }

  /** Deeplearning4j's example: one child is mapped to the master, the others to that child. */
  @Example
  void whereOneFails_oneChildIsMappedToTheMaster_andTheOthersToThatOne() {
    RelayTree tree = RelayTree.of(view(12, 2), 12, 3);

    assertThat(tree.parent(5)).isZero();
    assertThat(tree.children(5)).containsExactly(8, 11);
    assertThat(tree.children(0)).containsExactly(1, 3, 5);
    assertThat(tree.children(1)).containsExactly(4, 7, 10);
  }

  @Example
  void whereTheMasterFails_oneChildBecomesIt_andTheOthersAreMappedToThatOne() {
    RelayTree tree = RelayTree.of(view(12, 0), 12, 3);

    assertThat(tree.root()).isEqualTo(1);
    assertThat(tree.children(1)).containsExactly(2, 3, 4, 7, 10);
    assertThat(tree.children(2)).containsExactly(5, 8, 11);
  }

  @Example
  void whereTheMasterAndOneFail_whatWasMappedToItIsMappedOn() {
    RelayTree tree = RelayTree.of(view(12, 0, 2), 12, 3);

    assertThat(tree.root()).isEqualTo(1);
    assertThat(tree.children(1)).containsExactly(3, 4, 5, 7, 10);
    assertThat(tree.children(5)).containsExactly(8, 11);
  }

  @Example
  void whoeverIsBackIsALeafBelowTheMaster() {
    List<Integer> all = IntStream.range(0, 12).boxed().toList();
    View view = new View(2, all, 0, all.stream().filter(rank -> rank != 2).toList());
    RelayTree tree = RelayTree.of(view, 12, 3);

    assertThat(tree.parent(2)).isZero();
    assertThat(tree.children(2)).isEmpty();
    assertThat(tree.children(5)).containsExactly(8, 11);
  }

  @Example
  void oneRankIsATree() {
    RelayTree tree = RelayTree.of(View.all(1, 0), 1, 1);

    assertThat(tree.neighbours(0)).isEmpty();
    assertThat(tree.towards(0)).containsExactly(-1);
  }

  /** Returns the ranks that hear each other, directly or over others, while some have failed. */
  private static BitSet heardBy(int first, int[][] linked, BitSet failed) {
    BitSet heard = new BitSet();
    Deque<Integer> next = new ArrayDeque<>(List.of(first));
    while (!next.isEmpty()) {
      int rank = next.remove();
      if (!heard.get(rank) && !failed.get(rank)) {
        heard.set(rank);
        Arrays.stream(linked[rank]).forEach(next::add);
      }
    }
    return heard;
  }

  private static void assertConnected(int[][] linked, BitSet failed) {
    BitSet left = new BitSet();
    left.set(0, linked.length);
    left.andNot(failed);
    if (!left.isEmpty()) {
      assertThat(heardBy(left.nextSetBit(0), linked, failed))
          .as("without %s", failed)
          .isEqualTo(left);
    }
  }

  private static int[][] linked(int ranks, int children) {
    RelayTree tree = RelayTree.whole(ranks, children);
    return IntStream.range(0, ranks).mapToObj(tree::linked).toArray(int[][]::new);
  }

  /** While the master is there, all remaining ranks are linked with it. */
  @Property(tries = 300)
  void whoeverFails_theOthersHearEachOther(
      @ForAll @IntRange(min = 2, max = 90) int ranks,
      @ForAll @IntRange(min = 2, max = 90) int children,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[][] linked = linked(ranks, children);
    BitSet failed = new BitSet();
    double share = random.nextDouble();
    random.ints(ranks, 1, ranks).filter(rank -> random.nextDouble() < share).forEach(failed::set);
    assertConnected(linked, failed);
    for (int rank = 0; rank < ranks; rank++) {
      for (int other : linked[rank]) {
        assertThat(linked[other]).as("links of rank %d", other).contains(rank);
      }
    }
  }

  /** The master fails together with another rank in a mesh, or with three others in plain mode. */
  @Example
  void whereTheMasterFailsAndAnother_theOthersHearEachOther() {
    for (int ranks : new int[] {3, 9, 12, 33, 75}) {
      int[][] mesh = linked(ranks, 8);
      int[][] plain = linked(ranks, ranks - 1);
      for (int other = 1; other < ranks; other++) {
        BitSet failed = new BitSet();
        failed.set(0);
        failed.set(other);
        assertConnected(mesh, failed);
        failed.set(1 + other % (ranks - 1));
        failed.set(1 + (other + ranks / 2) % (ranks - 1));
        assertConnected(plain, failed);
      }
    }
  }

  /** In any view every member is connected with every other, by the route that it is given. */
  @Property(tries = 300)
  void allMembersAreInOneTree(
      @ForAll @IntRange(min = 1, max = 90) int ranks,
      @ForAll @IntRange(min = 2, max = 9) int children,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Integer> members = new ArrayList<>();
    List<Integer> current = new ArrayList<>();
    double share = random.nextDouble();
    for (int rank = 0; rank < ranks; rank++) {
      if (random.nextDouble() < share) {
        members.add(rank);
        if (current.isEmpty() || random.nextDouble() < 0.8) {
          current.add(rank);
        }
      }
    }
    if (members.isEmpty()) {
      members.add(ranks - 1);
      current.add(ranks - 1);
    }
    RelayTree tree = RelayTree.of(new View(1, members, 0, current), ranks, children);

    int links = 0;
    for (int rank = 0; rank < ranks; rank++) {
      assertThat(tree.isIn(rank)).isEqualTo(members.contains(rank));
      links += members.contains(rank) ? tree.neighbours(rank).length : 0;
      if (members.contains(rank) && !current.contains(rank)) {
        assertThat(tree.neighbours(rank)).containsExactly(tree.root());
      }
    }
    assertThat(links).isEqualTo(2 * (members.size() - 1));
    assertThat(current).contains(tree.root());
    for (int from : members) {
      for (int to : members) {
        int at = from;
        for (int hops = 0; at != to; hops++) {
          assertThat(hops).isLessThan(ranks);
          int next = tree.towards(at)[to];
          assertThat(tree.neighbours(at)).contains(next);
          at = next;
        }
      }
    }
  }
}
