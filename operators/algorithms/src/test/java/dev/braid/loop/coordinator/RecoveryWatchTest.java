package dev.braid.loop.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests the figures of a recovery, depending on the workers that survive. */
class RecoveryWatchTest {

  private final AtomicLong clock = new AtomicLong(1000);
  private final RecoveryWatch watch = new RecoveryWatch(clock::get);

  @Test
  void aBeginningIsNoRecovery() {
    watch.deployed();
    watch.failed();
    restart(5, 5);
    assertThat(watch.firstRound(1)).isEmpty();
    assertThat(watch.firstRound(1)).as("of another worker").isEmpty();
  }

  @Test
  void theTimeFromRoundToRoundIsSplit() {
    assertThat(watch.firstRound(1)).isEmpty();
    passes(600);
    watch.failed();
    passes(10);
    watch.failed();
    restart(200, 900);
    // The last round was 600 + 10 + 200 + 900 ms ago; another survivor reports slightly later.
    watch.stoodStill(42, 1710);
    watch.stoodStill(41, 1712);
    watch.restored();
    passes(50);
    assertThat(watch.firstRound(31)).hasValue(List.of(new Recovery(2760, 600, 210, 900, 50, 12)));
    assertThat(watch.firstRound(31)).as("of another worker").isEmpty();
  }

  @Test
  void whereARestartFails_itIsOneRecovery() {
    assertThat(watch.firstRound(1)).isEmpty();
    passes(100);
    watch.failed();
    restart(100, 100);
    watch.failed();
    restart(400, 300);
    watch.stoodStill(9, 1000);
    watch.restored();
    Recovery recovery = watch.firstRound(10).orElseThrow().get(0);
    assertThat(recovery).isEqualTo(new Recovery(2000, 100, 600, 300, 0, 0));
    assertThat(recovery.totalMillis()).isEqualTo(1000);
  }

  @Test
  void withoutASurvivor_itCountsFromTheFailure() {
    assertThat(watch.firstRound(1)).isEmpty();
    watch.failed();
    restart(100, 200);
    Recovery recovery = watch.firstRound(5).orElseThrow().get(0);
    assertThat(recovery)
        .isEqualTo(new Recovery(1300, Recovery.UNKNOWN, 100, 200, 0, Recovery.UNKNOWN));
    assertThat(recovery.totalMillis()).isEqualTo(300);
  }

  /** Flink's adaptive scheduler creates a new coordinator. */
  @Test
  void aCoordinatorThatIsNew_knowsFromSurvivorsHowLongAllOfItTook() {
    restart(0, 200);
    watch.stoodStill(42, 900);
    watch.restored();
    Recovery recovery = watch.firstRound(40).orElseThrow().get(0);
    assertThat(recovery).isEqualTo(new Recovery(1200, Recovery.UNKNOWN, 700, 200, 0, 3));
    assertThat(recovery.totalMillis()).isEqualTo(900);
  }

  @Test
  void asynchronousWorkersThatWentOnForLongerThanFlinkKnew_haveNothingDetected() {
    assertThat(watch.firstRound(1)).isEmpty();
    watch.failed();
    restart(100, 200);
    watch.stoodStill(7, 260);
    watch.restored();
    assertThat(watch.firstRound(8).orElseThrow())
        .containsExactly(new Recovery(1300, 0, 60, 200, 0, 0));
  }

  @Test
  void allThatWereAreTold() {
    assertThat(watch.firstRound(1)).isEmpty();
    for (int i = 1; i <= 120; i++) {
      watch.failed();
      restart(1, 1);
      assertThat(watch.firstRound(5).orElseThrow()).hasSize(Math.min(i, 100));
    }
  }

  private void restart(long untilDeployed, long untilRestored) {
    passes(untilDeployed);
    watch.deployed();
    passes(untilRestored);
    watch.restored();
  }

  private void passes(long millis) {
    clock.addAndGet(millis);
  }
}
