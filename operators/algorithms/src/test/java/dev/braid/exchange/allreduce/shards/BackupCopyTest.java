package dev.braid.exchange.allreduce.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.message.Payload;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a copy of elements 4 to 7 of ten, whose updater adds sums to its only vector. */
class BackupCopyTest {

  private static final Range RANGE = new Range(4, 7);
  private static final Range BEGIN = new Range(4, 6);
  private static final Range END = new Range(6, 7);

  private final BackupCopy copy =
      new BackupCopy(
          1,
          RANGE,
          1,
          (state, sum, samples, steps) -> {
            for (int i = 0; i < sum.length; i++) {
              state[0][i] += sum[i];
            }
            stepsNow = steps;
          });

  private long stepsNow = -1;

  @BeforeEach
  void begin() {
    copy.begin(5).write(0, RANGE, Slice.view(new float[] {10, 20, 30}, 0, 3));
  }

  private void take(long round, Range chunk, float... sum) {
    takeOver(1, round, chunk, sum);
  }

  private void takeOver(long samples, long round, Range chunk, float... sum) {
    Payload values = Payload.of(Slice.view(sum, 0, sum.length));
    copy.take(chunk, values, samples, new BackupCopy.Round(round, 100 + round));
  }

  private float[] after(long rounds) {
    assertThat(copy.has(rounds)).isTrue();
    return copy.piece(rounds).values()[0];
  }

  @Test
  void itIsAsItBegan_untilASumIsWhole() {
    take(5, END, 3);
    assertThat(copy.has(6)).isFalse();
    assertThat(after(5)).containsExactly(10, 20, 30);
  }

  @Test
  void ofARoundThatIsVoid_nothingIsLeft() {
    take(5, BEGIN, 1, 2);
    take(5, END, 3);
    assertThat(after(5)).containsExactly(10, 20, 30);
    assertThat(stepsNow).as("the sum is in the state").isEqualTo(-1);
  }

  @Test
  void ofARoundThatSomebodyHasCompleted_theSumIsInTheState() {
    take(5, END, 3);
    take(5, BEGIN, 1, 2);
    assertThat(after(6)).containsExactly(11, 22, 33);
    assertThat(stepsNow).isEqualTo(105);
  }

  @Test
  void theNextRoundBringsTheOneBeforeIntoTheState() {
    take(5, BEGIN, 1, 2);
    take(5, END, 3);
    take(6, END, 300);
    assertThat(copy.has(5)).isFalse();
    assertThat(copy.has(7)).isFalse();
    assertThat(after(6)).containsExactly(11, 22, 33);
    take(6, BEGIN, 100, 200);
    assertThat(after(7)).containsExactly(111, 222, 333);
    assertThat(stepsNow).isEqualTo(106);
  }

  @Test
  void aRoundThatIsRolledBackComesOnceMore() {
    take(5, BEGIN, 7, 7);
    copy.rollBack();
    take(5, END, 3);
    take(5, BEGIN, 1, 2);
    copy.rollBack();
    take(5, BEGIN, 2, 3);
    assertThat(copy.has(6)).isFalse();
    take(5, END, 4);
    assertThat(after(6)).containsExactly(12, 23, 34);
  }

  @Test
  void aRoundWithoutSamplesChangesNothing() {
    takeOver(0, 5, BEGIN, 9, 9);
    takeOver(0, 5, END, 9);
    assertThat(after(6)).containsExactly(10, 20, 30);
  }

  @Test
  void aSumThatIsMissingIsNoticed() {
    take(5, END, 3);
    assertThatThrownBy(() -> take(6, END, 3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("sum of round 6 for a backup copy: must be of round 5");
  }
}
