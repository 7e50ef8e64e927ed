package dev.braid.loop.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.loop.coordinator.EpochVerdicts.Addressed;
import dev.braid.loop.coordinator.LoopEvent.EpochScore;
import dev.braid.loop.coordinator.LoopEvent.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EpochVerdictsTest {

  private static boolean stops(EpochVerdicts verdicts, int epoch, int correct) {
    return stops(verdicts, epoch, correct, 100);
  }

  private static boolean stops(EpochVerdicts verdicts, int epoch, int correct, int samples) {
    return verdicts
        .score(0, List.of(0), new EpochScore(0, epoch, correct, samples, List.of()))
        .orElseThrow()
        .event()
        .stop();
  }

  private static int stoppedAfter(StoppingRule rule, int... correct) {
    EpochVerdicts verdicts = new EpochVerdicts(rule);
    for (int epoch = 0; epoch < correct.length; epoch++) {
      if (stops(verdicts, epoch, correct[epoch])) {
        return epoch;
      }
    }
    return correct.length;
  }

  @Test
  void patienceCountsFromTheFirstEpochWithTheBestAccuracy() {
    StoppingRule rule = new StoppingRule(Double.NaN, 2);
    assertThat(stoppedAfter(rule, 90, 91, 92, 93)).isEqualTo(4);
    assertThat(stoppedAfter(rule, 90, 89, 88)).isEqualTo(2);
    assertThat(stoppedAfter(rule, 90, 89, 91, 91, 91, 95)).isEqualTo(4);
    assertThat(stoppedAfter(new StoppingRule(Double.NaN, 1), 0, 0)).isEqualTo(1);
  }

  @Test
  void targetAndPatienceMayBothEndARun() {
    StoppingRule rule = new StoppingRule(0.95, 2);
    assertThat(stoppedAfter(rule, 90, 95)).isEqualTo(1);
    assertThat(stoppedAfter(rule, 90, 80, 80)).isEqualTo(2);
    assertThat(stoppedAfter(StoppingRule.NONE, 90, 80, 80, 80)).isEqualTo(4);
  }

  /** A quality may be negative: a negated loss. */
  @Test
  void aLossThatIsLowEnoughEndsARun_andSoDoesPatience() {
    assertThat(stoppedAfter(new StoppingRule(-0.5, 0), -90, -60, -50, -40)).isEqualTo(2);
    assertThat(stoppedAfter(new StoppingRule(-0.1, 2), -90, -60, -70, -60)).isEqualTo(3);
    assertThat(stoppedAfter(new StoppingRule(-0.1, 0), -90, -60)).isEqualTo(2);
  }

  /**
   * The quality of such an epoch is not known; a quality of 0 would be better than any negated
   * loss.
   */
  @Test
  void anEpochOfNoTestSamplesNeitherEndsARunNorIsTheBest() {
    EpochVerdicts reached = new EpochVerdicts(new StoppingRule(-0.1, 0));
    assertThat(stops(reached, 0, 0, 0)).isFalse();

    EpochVerdicts patient = new EpochVerdicts(new StoppingRule(Double.NaN, 1));
    assertThat(stops(patient, 0, 0, 0)).isFalse();
    assertThat(stops(patient, 1, -90)).as("the first of which something is known").isFalse();
    assertThat(stops(patient, 2, -80)).isFalse();
    assertThat(stops(patient, 3, -80)).isTrue();
  }

  /** Epochs 0 and 1 are decided before the checkpoint; epoch 0 was the best. */
  @Test
  void afterARestoreTheDecisionIsTheSame() throws IOException {
    StoppingRule rule = new StoppingRule(Double.NaN, 3);
    EpochVerdicts before = new EpochVerdicts(rule);
    stops(before, 0, 90);
    stops(before, 1, 89);
    byte[] saved = before.save(1);

    EpochVerdicts restored = new EpochVerdicts(rule);
    restored.restore(1, Optional.of(saved));
    for (EpochVerdicts verdicts : List.of(before, restored)) {
      assertThat(stops(verdicts, 2, 90)).as("as good is no better").isFalse();
      assertThat(stops(verdicts, 3, 89)).isTrue();
    }
    restored.goBackTo(1);
    assertThat(stops(restored, 2, 91)).isFalse();
    assertThat(stops(restored, 3, 90)).isFalse();
  }

  @Test
  void aMemberThatAsksAgainHearsTheSame() {
    EpochVerdicts verdicts = new EpochVerdicts(new StoppingRule(Double.NaN, 1));
    stops(verdicts, 0, 90);
    assertThat(stops(verdicts, 1, 90)).isTrue();
    assertThat(stops(verdicts, 1, 99)).isTrue();
    assertThat(stops(verdicts, 0, 99)).isFalse();
  }

  @Test
  void aMemberThatAllOthersMissIsNotWaitedFor_andHearsTheSameWhenItIsBack() {
    EpochVerdicts verdicts = new EpochVerdicts(StoppingRule.at(0.9));
    List<Integer> needed = List.of(0, 1, 2);
    assertThat(verdicts.score(0, needed, missing(0, 80, 1))).isEmpty();
    assertThat(verdicts.score(2, needed, missing(0, 80, 1)))
        .hasValue(new Addressed(new Verdict(0, false), List.of(0, 2)));
    assertThat(verdicts.score(2, needed, missing(1, 95, 1))).isEmpty();
    assertThat(verdicts.score(0, needed, missing(1, 95, 1)))
        .as("its own score might change it")
        .hasValue(new Addressed(new Verdict(1, false), List.of(0, 2)));

    assertThat(verdicts.score(1, needed, missing(0, 95)))
        .hasValue(new Addressed(new Verdict(0, false), List.of(1)));
    assertThat(verdicts.score(1, needed, missing(1, 95)))
        .as("what the others have heard")
        .hasValue(new Addressed(new Verdict(1, false), List.of(1)));
    assertThat(stops(verdicts, needed, 2, 95)).as("all are there").isTrue();
  }

  /** One link is cut, or the member has rejoined: it will report its score. */
  @Test
  void aMemberThatSomeReachIsWaitedFor() {
    EpochVerdicts verdicts = new EpochVerdicts(StoppingRule.at(0.9));
    List<Integer> needed = List.of(0, 1, 2);
    assertThat(verdicts.score(0, needed, missing(0, 95, 1))).isEmpty();
    assertThat(verdicts.score(2, needed, missing(0, 95))).isEmpty();
    assertThat(verdicts.score(0, needed, missing(0, 95))).isEmpty();
    assertThat(verdicts.score(2, needed, missing(0, 95, 1))).isEmpty();
    assertThat(verdicts.score(1, needed, missing(0, 10)))
        .hasValue(new Addressed(new Verdict(0, false), List.of(0, 1, 2)));
  }

  /** The part of the test set that one rank would evaluate may be the hard one. */
  @Test
  void patienceComparesWholeTestSetsOnly() {
    EpochVerdicts verdicts = new EpochVerdicts(new StoppingRule(Double.NaN, 2));
    List<Integer> needed = List.of(0, 1, 2);
    assertThat(verdicts.score(0, needed, missing(0, 95, 2))).isEmpty();
    assertThat(verdicts.score(1, needed, missing(0, 95, 2)))
        .hasValue(new Addressed(new Verdict(0, false), List.of(0, 1)));

    // Better than the previous epoch each time, and worse than the score of the part.
    assertThat(stops(verdicts, needed, 1, 80)).isFalse();
    assertThat(stops(verdicts, needed, 2, 82)).isFalse();
    assertThat(stops(verdicts, needed, 3, 84)).isFalse();
    assertThat(stops(verdicts, needed, 4, 83)).isFalse();
    assertThat(stops(verdicts, needed, 5, 83)).isTrue();
  }

  private static boolean stops(
      EpochVerdicts verdicts, List<Integer> needed, int epoch, int correct) {
    for (int rank : needed.subList(0, needed.size() - 1)) {
      assertThat(verdicts.score(rank, needed, missing(epoch, correct))).isEmpty();
    }
    int last = needed.get(needed.size() - 1);
    return verdicts.score(last, needed, missing(epoch, correct)).orElseThrow().event().stop();
  }

  private static EpochScore missing(int epoch, int correct, Integer... absent) {
    return new EpochScore(0, epoch, correct, 100, List.of(absent));
  }
}
