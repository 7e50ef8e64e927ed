package dev.braid.chaos.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TargetTest {

  @Test
  void aLinkIsMeantBothWaysUnlessItIsSaid() throws Exception {
    Link link = new Link(3, 1);
    assertThat(new Target.OfLink(link, false).links(7)).containsExactly(link, new Link(1, 3));
    assertThat(new Target.OfLink(link, true).links(7)).containsExactly(link);
  }

  @Test
  void aRankHasLinksToAllOthers() throws Exception {
    assertThat(new Target.OfRank(1).links(3))
        .containsExactlyInAnyOrder(new Link(0, 1), new Link(1, 0), new Link(2, 1), new Link(1, 2));
    assertThat(new Target.OfRank(1).ranks(3)).containsExactly(1);
  }

  @Test
  void aLevelIsOneOfTheBinaryTree() throws Exception {
    assertThat(new Target.OfLevel(2).ranks(6)).containsExactly(3, 4, 5);
    assertThat(new Target.OfLevel(1).links(6))
        .containsExactlyInAnyOrder(new Link(1, 0), new Link(0, 1), new Link(2, 0), new Link(0, 2));
    assertThatThrownBy(() -> new Target.OfLevel(0).links(6)).hasMessageContaining("the root");
  }

  @Property
  void aDrawHasNoRepetitionAndIsRepeatable(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 20) int ranks) throws Exception {
    Target target = new Target.Drawn(seed, ranks - 1, Optional.of(Target.Among.TREE));
    assertThat(target.links(ranks)).isEqualTo(target.links(ranks)).hasSize(2 * (ranks - 1));
    assertThat(new HashSet<>(target.links(ranks))).hasSize(2 * (ranks - 1));
    assertThat(new HashSet<>(target.ranks(ranks))).hasSize(ranks - 1);
  }

  /** The check also finds the same mistakes, with the same messages. */
  @Property
  void whatIsCheckedWithoutALinkMade_isFound(
      @ForAll("targets") Target target, @ForAll @IntRange(min = 1, max = 20) int ranks) {
    assertThat(mistake(() -> target.checkLinks(ranks)))
        .isEqualTo(
            mistake(
                () -> {
                  if (target.links(ranks).isEmpty()) {
                    throw new InvalidEventException("a single rank has no links");
                  }
                }));
    assertThat(mistake(() -> target.checkRanks(ranks)))
        .isEqualTo(mistake(() -> target.ranks(ranks)));
  }

  @Provide
  Arbitrary<Target> targets() {
    return Events.among(15).map(ChaosEvent::target);
  }

  /** There are two billion links among as many ranks as an event may name. */
  @Test
  void aDrawAmongAllLinksOfManyRanksIsCheckedAtOnce() throws Exception {
    Target target = new Target.Drawn(1, Limits.COUNT, Optional.of(Target.Among.ALL));
    assertTimeoutPreemptively(Duration.ofMinutes(1), () -> target.checkLinks(Limits.RANKS));
    assertThat(mistake(() -> target.checkLinks(2))).contains("1 links to draw from");
  }

  @FunctionalInterface
  private interface Check {
    void run() throws InvalidEventException;
  }

  private static String mistake(Check check) {
    try {
      check.run();
      return "";
    } catch (InvalidEventException e) {
      return e.getMessage();
    }
  }
}
