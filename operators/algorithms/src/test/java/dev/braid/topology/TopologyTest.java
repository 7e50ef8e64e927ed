package dev.braid.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class TopologyTest {

  @Property
  void ring_goesOnceAround(@ForAll @IntRange(min = 1, max = 500) int ranks) {
    Ring ring = new Ring(ranks);
    BitSet seen = new BitSet();
    int rank = 0;
    for (int i = 0; i < ranks; i++) {
      seen.set(rank);
      assertThat(ring.previous(ring.next(rank))).isEqualTo(rank);
      rank = ring.next(rank);
    }
    assertThat(rank).isZero();
    assertThat(seen.cardinality()).isEqualTo(ranks);
  }

  @Property
  void tree_everyRankButTheRootIsOneChildOfItsParent(
      @ForAll @IntRange(min = 1, max = 500) int ranks) {
    BinaryTree tree = new BinaryTree(ranks);
    int children = 0;
    for (int rank = 0; rank < ranks; rank++) {
      children += tree.childCount(rank);
      if (rank != BinaryTree.ROOT) {
        int parent = tree.parent(rank);
        int index = tree.indexAtParent(rank);
        assertThat(index).isLessThan(tree.childCount(parent));
        assertThat(tree.child(parent, index)).isEqualTo(rank);
      }
    }
    assertThat(children).isEqualTo(ranks - 1);
  }

  @Property
  void backupTree_isLinkedBothWays_toParentChildrenBrotherUncleAndNephews(
      @ForAll @IntRange(min = 1, max = 300) int ranks) {
    BackupTree tree = new BackupTree(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      int own = rank;
      assertThat(tree.neighbours(rank)).isSorted().doesNotHaveDuplicates().doesNotContain(rank);
      for (int other : tree.neighbours(rank)) {
        assertThat(tree.neighbours(other)).contains(rank);
      }
      tree.brother(rank).ifPresent(b -> assertThat(b).isLessThan(ranks));
      tree.brother(rank).ifPresent(b -> assertThat(tree.brother(b)).hasValue(own));
      tree.uncle(rank).ifPresent(u -> assertThat(tree.nephews(u)).contains(own));
    }
  }

  /** Figure 7 of the paper. */
  @Example
  void backupTreeOfSeven_isThatOfThePaper() {
    BackupTree tree = new BackupTree(7);
    assertThat(tree.backups(3)).containsExactly(4, 2);
    assertThat(tree.backups(1)).containsExactly(2);
    assertThat(tree.backups(0)).isEmpty();
    assertThat(tree.nephews(2)).containsExactly(3, 4);
    assertThat(tree.neighbours(1)).containsExactly(0, 2, 3, 4, 5, 6);
  }

  @Example
  void treeOfSix_hasOneRankWithOneChild() {
    BinaryTree tree = new BinaryTree(6);
    assertThat(new int[] {tree.childCount(0), tree.childCount(1), tree.childCount(2)})
        .containsExactly(2, 2, 1);
    assertThat(tree.childCount(3)).isZero();
  }

  @Example
  void whatIsNone_isRefused() {
    assertThatThrownBy(() -> new Ring(0)).hasMessageContaining("ring of 0 ranks");
    assertThatThrownBy(() -> new BinaryTree(0)).hasMessageContaining("tree of 0 ranks");
    assertThatThrownBy(() -> new BinaryTree(3).parent(0)).hasMessageContaining("no parent");
  }
}
