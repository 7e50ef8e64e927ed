package dev.braid.exchange.fttree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.participation.View;
import dev.braid.topology.BackupTree;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests eight ranks of which 1 is excluded: 0 is the root, 2 and 3 are its children, 4 and 5 are
 * those of 2.
 */
class ViewTreeTest {

  private static final View VIEW = new View(1, List.of(0, 2, 3, 4, 5, 6, 7), 9, List.of(0, 2, 3));

  @Test
  void aMembersFamilyIsThatOfItsPosition() {
    ViewTree tree = new ViewTree(VIEW, 2);
    assertThat(tree.parent()).hasValue(0);
    assertThat(tree.brother()).hasValue(3);
    assertThat(tree.isSecondChild()).isFalse();
    assertThat(tree.childCount()).isEqualTo(2);
    assertThat(List.of(tree.child(0), tree.child(1))).containsExactly(4, 5);
    assertThat(tree.indexAtParent(5)).isEqualTo(1);
    assertThat(tree.isChild(4)).isTrue();
    assertThat(tree.isChild(6)).isFalse();
    assertThat(tree.isChild(1)).isFalse();
    assertThat(new ViewTree(VIEW, 3).isSecondChild()).isTrue();
    assertThat(new ViewTree(VIEW, 0).isRoot()).isTrue();
    assertThat(new ViewTree(VIEW, 0).brother()).isEmpty();
  }

  @Test
  void aRankThatIsLeftOutHasNoFamily_andKeepsItsLinks() {
    ViewTree tree = new ViewTree(VIEW, 1);
    assertThat(tree.isMember()).isFalse();
    assertThat(tree.isRoot()).isFalse();
    assertThat(tree.parent()).isEmpty();
    assertThat(tree.brother()).isEmpty();
    assertThat(tree.childCount()).isZero();
    assertThat(tree.isChild(4)).isFalse();
    int[] ofAll = new BackupTree(8).neighbours(1);
    assertThat(tree.neighbours(ofAll)).containsExactly(ofAll);
  }

  @Test
  void aMemberHasTheLinksOfAllRanksTree_andThoseOfTheViews() {
    assertThat(new ViewTree(VIEW, 2).neighbours(new BackupTree(8).neighbours(2)))
        .containsExactly(0, 1, 3, 4, 5, 6, 7);
    assertThat(new ViewTree(VIEW, 7).neighbours(new BackupTree(8).neighbours(7)))
        .containsExactly(2, 3, 4, 6);
  }

  @Test
  void ofTwoWaysUpTheOneThroughTheUncleIsCheaper_andOfTwoWaysDownTheOneThroughTheBrother() {
    ViewTree tree = new ViewTree(VIEW, 4);
    assertThat(tree.cost(Route.of(4, 3, 2))).isLessThan(tree.cost(Route.of(4, 5, 2)));
    assertThat(tree.cost(Route.of(2, 5, 4))).isLessThan(tree.cost(Route.of(2, 3, 4)));
    assertThat(tree.cost(Route.of(4, 3, 2))).isLessThan(tree.cost(Route.of(4, 5, 3, 2)));
  }

  @Test
  void aReductionIsOverPositions_fromTheViewsRoundOn() {
    ExchangeConfig all = new ExchangeConfig(4, 8, 10, 5, 0);
    ExchangeConfig member = new ViewTree(VIEW, 4).configByPosition(all);
    assertThat(member.rank()).isEqualTo(3);
    assertThat(member.ranks()).isEqualTo(7);
    assertThat(member.completedRounds()).isEqualTo(9);
    ExchangeConfig leftOut = new ViewTree(VIEW, 1).configByPosition(all);
    assertThat(leftOut.rank()).isZero();
    assertThat(leftOut.ranks()).isEqualTo(1);
  }
}
