package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.braid.job.rest.CauseChain;
import dev.braid.job.rest.CheckpointSight;
import dev.braid.job.rest.ClusterOverview;
import dev.braid.job.rest.JobFailure;
import dev.braid.job.rest.JobSight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobLinesTest {

  private static final long SECOND = 1_000_000_000L;

  private static final Map<String, Integer> RUNNING = Map.of("RUNNING", 9);

  private final JobLines lines = new JobLines();

  private static JobSight sight(
      String state, Map<String, Integer> tasks, List<JobFailure> failures, int slots) {
    return new JobSight(
        "Braid",
        state,
        4,
        tasks,
        Map.of(),
        failures,
        CheckpointSight.NONE,
        slots < 0 ? Optional.empty() : Optional.of(new ClusterOverview(1, slots, 0, 1)),
        false);
  }

  private static JobSight failing(int latest, String... causes) {
    List<JobFailure> failures = new ArrayList<>();
    for (int i = causes.length - 1; i >= 0; i--) {
      failures.add(
          new JobFailure(
              latest - causes.length + 1 + i,
              CauseChain.parse("java.io.IOException: " + causes[i]),
              Optional.of("10.0.0.3:4242")));
    }
    return sight("RUNNING", RUNNING, failures, -1);
  }

  private static JobFailure noSlots(long millis) {
    return new JobFailure(
        millis,
        CauseChain.parse(
            "java.util.concurrent.CompletionException: x\n"
                + "Caused by: org.apache.flink.runtime.jobmanager.scheduler"
                + ".NoResourceAvailableException: Could not acquire the minimum required"
                + " resources."),
        Optional.empty());
  }

  @Test
  void waitingForSlotsIsSaidAfterAWhile_andAtOnceWhenThereAreMore() {
    Map<String, Integer> scheduled = Map.of("SCHEDULED", 9);
    assertThat(lines.take(sight("RUNNING", scheduled, List.of(), 0), false, 0)).isEmpty();
    assertThat(lines.take(sight("RUNNING", scheduled, List.of(), 0), false, 3 * SECOND))
        .containsExactly("waiting for slots: the job needs 4, and no TaskManager has registered");
    assertThat(lines.take(sight("RUNNING", scheduled, List.of(), 0), false, 4 * SECOND)).isEmpty();
    assertThat(lines.underWay()).isPresent();
    assertThat(lines.take(sight("RUNNING", scheduled, List.of(), 2), false, 5 * SECOND))
        .containsExactly("waiting for slots: the job needs 4, and the cluster has 2");
    assertThat(lines.take(sight("RUNNING", scheduled, List.of(), 4), false, 6 * SECOND)).isEmpty();
    assertThat(lines.take(sight("RUNNING", scheduled, List.of(), 4), false, 15 * SECOND))
        .containsExactly(
            "waiting for free slots: the job needs 4, and other jobs use too many of the cluster's"
                + " 4");
    assertThat(lines.take(sight("RUNNING", RUNNING, List.of(), -1), false, 16 * SECOND)).isEmpty();
    assertThat(lines.underWay()).isEmpty();
  }

  @Test
  void aJobThatIsRestartedForLackOfSlots_waitsForThem() {
    List<String> shown = new ArrayList<>();
    for (int second = 0; second <= 5; second++) {
      String state = second % 2 == 0 ? "RESTARTING" : "RUNNING";
      Map<String, Integer> tasks = second % 2 == 0 ? Map.of("CANCELED", 9) : Map.of("CREATED", 9);
      shown.addAll(
          lines.take(sight(state, tasks, List.of(noSlots(second + 1)), 2), false, second * SECOND));
    }
    assertThat(shown).containsExactly("waiting for slots: the job needs 4, and the cluster has 2");
  }

  @Test
  void aFailureThatALackOfSlotsFollows_hasItsLine() {
    JobFailure killed = failing(1, "TaskManager killed").failures().get(0);
    JobSight both = sight("RESTARTING", Map.of("CANCELED", 9), List.of(noSlots(2), killed), 2);
    assertThat(lines.take(both, false, 0))
        .singleElement(STRING)
        .startsWith("restart 1 ")
        .contains("TaskManager killed");
  }

  @Test
  void aJobThatBeginsInTime_hasNoLine() {
    assertThat(lines.take(sight("INITIALIZING", Map.of(), List.of(), -1), false, 0)).isEmpty();
    assertThat(
            lines.take(
                sight("RUNNING", Map.of("DEPLOYING", 3, "RUNNING", 6), List.of(), -1),
                false,
                SECOND))
        .isEmpty();
    assertThat(lines.take(sight("RUNNING", RUNNING, List.of(), -1), true, 9 * SECOND)).isEmpty();
  }

  @Test
  void aJobThatIsLongInBeginning_saysWhatItDoes_lessAndLess() {
    JobSight deploying = sight("RUNNING", Map.of("DEPLOYING", 3, "RUNNING", 6), List.of(), -1);
    List<String> shown = new ArrayList<>();
    for (int second = 0; second <= 30; second++) {
      shown.addAll(lines.take(deploying, false, second * SECOND));
    }
    assertThat(shown).hasSize(2).containsOnly("deploying: 6 of 9 tasks run");
  }

  @Test
  void aRestartHasItsCause_theSameOneAgainAndAgainFewLines() {
    assertThat(lines.take(failing(1, "lost"), true, 0))
        .containsExactly("restart 1 because of a failure on 10.0.0.3:4242: lost");
    assertThat(lines.take(failing(1, "lost"), true, 1)).isEmpty();
    List<String> shown = new ArrayList<>();
    for (int restart = 2; restart <= 9; restart++) {
      shown.addAll(lines.take(failing(restart, "lost"), true, restart));
    }
    assertThat(shown)
        .extracting(line -> line.substring(0, 10))
        .containsExactly("restart 2 ", "restart 4 ", "restart 8 ");
    assertThat(lines.take(failing(10, "full"), true, 10))
        .containsExactly("restart 10 because of a failure on 10.0.0.3:4242: full");
  }

  @Test
  void restartsBetweenTwoLooks_countToo() {
    assertThat(lines.take(failing(3, "a", "b", "c"), true, 0))
        .containsExactly("restart 3 because of a failure on 10.0.0.3:4242: c");
  }

  /** The failure is reported as the end of the job. */
  @Test
  void theFailureThatEndsAJob_isNoRestart() {
    JobFailure last =
        new JobFailure(1, CauseChain.parse("java.io.IOException: x"), Optional.empty());
    assertThat(lines.take(sight("FAILING", RUNNING, List.of(last), -1), true, 0)).isEmpty();
    assertThat(lines.take(sight("FAILED", RUNNING, List.of(last), -1), true, 0)).isEmpty();
  }

  @Test
  void checkpointsThatFailAgainAndAgain_areToldOnceForEachCause_andWhenTheyWorkAgain() {
    assertThat(take(0, "")).isEmpty();
    assertThat(take(1, "full.")).isEmpty();
    assertThat(take(2, "full.")).singleElement().asString().contains("full").doesNotContain("disk");
    assertThat(take(3, "full.")).isEmpty();
    assertThat(take(4, "Asynchronous task checkpoint failed."))
        .singleElement()
        .asString()
        .contains("disk");
    assertThat(take(0, "")).containsExactly("checkpoints succeed again");
    assertThat(take(0, "")).isEmpty();
  }

  @Test
  void checkpointsThatEndWithAnAttempt_areNotTold() {
    assertThat(take(2, "Checkpoint Coordinator is suspending.")).isEmpty();
    assertThat(take(0, "")).isEmpty();
  }

  private List<String> take(int failed, String why) {
    JobSight sight =
        new JobSight(
            "Braid",
            "RUNNING",
            4,
            RUNNING,
            Map.of(),
            List.of(),
            new CheckpointSight(
                Optional.empty(),
                Optional.empty(),
                failed,
                why.isEmpty() ? Optional.empty() : Optional.of(why),
                Optional.empty()),
            Optional.empty(),
            false);
    return lines.take(sight, true, 0);
  }

  @Test
  void silenceIsToldAfterAFewSeconds_andItsEndOnlyThen() {
    assertThat(lines.silence("http://a", "connection refused", 0)).isEmpty();
    assertThat(lines.silence("http://a", "connection refused", 2 * SECOND)).isEmpty();
    assertThat(lines.answered()).isFalse();

    lines.silence("http://a", "connection refused", 10 * SECOND);
    JobLines.Lasting told =
        lines.silence("http://a", "connection refused", 13 * SECOND).orElseThrow();
    assertThat(told.text())
        .isEqualTo(
            "the cluster has not answered for 3 s (http://a, connection refused); trying again");
    assertThat(told.isDue()).isTrue();
    assertThat(lines.silence("http://a", "connection refused", 14 * SECOND).orElseThrow().isDue())
        .isFalse();
    assertThat(lines.silence("http://a", "connection refused", 16 * SECOND).orElseThrow().isDue())
        .isTrue();
    assertThat(lines.answered()).isTrue();
    assertThat(lines.answered()).isFalse();
  }
}
