package dev.braid.exchange.allreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.Update;
import dev.braid.exchange.collective.Collective.Completion;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the rounds with an operation that takes each sum that it receives as final. */
class AllreduceTest {

  private static final Range WHOLE = Range.ofLength(2);

  private final RecordingPort port = new RecordingPort();
  private final List<float[]> arrays = new ArrayList<>();
  private final List<Sum> received = new ArrayList<>();
  private final List<float[]> released = new ArrayList<>();
  private final Allreduce rounds = withArrays(1);

  private Allreduce withArrays(int number) {
    return new Allreduce(
        new ExchangeConfig(0, 2, 2, 2, 5),
        port,
        number,
        (all, vector, sums, completion) -> operation(sums, completion),
        port::update);
  }

  private Allreduce.Phases operation(float[] sums, Completion completion) {
    arrays.add(sums);
    return new Allreduce.Phases(
        (gradient, samples) -> {},
        List.of(
            (from, sum) -> {
              received.add(sum);
              sum.payload().copyTo(sums, sum.range().start());
              completion.complete(sum.range(), sum.samples());
            }));
  }

  @Test
  void firstRound_isTheOneAfterThoseThatWereComplete() {
    assertThatThrownBy(() -> rounds.contribute(contribution(0)))
        .hasMessage("contribution to round 0 while round 5 is next");
    rounds.contribute(contribution(5));
    assertThat(rounds.mayCompute()).isFalse();
  }

  @Test
  void twoArraysForTheSum_areUsedInTurn() {
    arrays.clear();
    Allreduce both = withArrays(2);
    for (int next = 5; next < 8; next++) {
      both.contribute(contribution(next));
      both.receive(message(next, WHOLE, next));
      assertThat(both.completedRounds()).isEqualTo(next + 1);
      assertThat(arrays.get(next % 2)).containsOnly((float) next);
    }
    assertThat(arrays.get(0)).containsOnly(6f);
  }

  @Test
  void secondContributionToARound_isRefused() {
    rounds.contribute(contribution(5));
    assertThatThrownBy(() -> rounds.contribute(contribution(5)))
        .hasMessage("contribution to round 5 while round 5 is under way");
  }

  @Test
  void gradientOfAnotherLength_isRefused() {
    assertThatThrownBy(() -> rounds.contribute(new Contribution(5, new float[3], 1)))
        .hasMessageContaining("gradient of 3 elements: must have 2");
  }

  @Test
  void messageBeforeTheOwnGradient_waitsForIt() {
    rounds.receive(message(5, WHOLE, 1));
    assertThat(received).isEmpty();
    rounds.contribute(contribution(5));
    assertThat(received).hasSize(1);
    assertThat(rounds.completedRounds()).isEqualTo(6);
  }

  @Test
  void messageOfTheNextRound_waitsWhileARoundIsUnderWay() {
    rounds.contribute(contribution(5));
    rounds.receive(message(6, WHOLE, 2));
    assertThat(received).isEmpty();
    rounds.receive(message(5, WHOLE, 1));
    assertThat(received).singleElement().returns(1L, Sum::samples);
    rounds.contribute(contribution(6));
    assertThat(received).hasSize(2);
    assertThat(rounds.completedRounds()).isEqualTo(7);
  }

  /** The sender would have completed a round that this rank has not contributed to. */
  @Test
  void messageOfTheNextRound_isRefusedBeforeTheOwnContribution() {
    assertThatThrownBy(() -> rounds.receive(message(6, WHOLE, 1)))
        .hasMessage("message of round 6 from rank 1 while round 5 is next");
  }

  @Test
  void messageTwoRoundsAhead_isRefused() {
    rounds.contribute(contribution(5));
    assertThatThrownBy(() -> rounds.receive(message(7, WHOLE, 1)))
        .hasMessage("message of round 7 from rank 1 while round 5 is under way");
  }

  @Test
  void messageOfACompletedRound_isRefused() {
    assertThatThrownBy(() -> rounds.receive(message(4, WHOLE, 1)))
        .hasMessageContaining("message of round 4");
  }

  @Test
  void rollBack_releasesWhatWaited_andTheSameContributionIsTakenAgain() {
    Contribution local = contribution(5);
    rounds.contribute(local);
    rounds.receive(message(6, WHOLE, 1));
    rounds.receive(message(5, new Range(0, 1), 3));
    rounds.rollBack();

    assertThat(released).hasSize(1);
    assertThat(rounds.mayCompute()).isTrue();
    assertThat(rounds.completedRounds()).isEqualTo(5);
    rounds.contribute(local);
    assertThat(received).hasSize(1);
    // The half that was final before the roll-back does not count, nor do its samples.
    rounds.receive(message(5, new Range(0, 1), 4));
    assertThat(rounds.completedRounds()).isEqualTo(5);
    rounds.receive(message(5, new Range(1, 2), 4));
    assertThat(rounds.completedRounds()).isEqualTo(6);
    assertThat(port.takeSums()).singleElement().returns(4L, Update.GradientSum::samples);
  }

  @Test
  void rangesOverDifferentSamples_areRefused() {
    rounds.contribute(contribution(5));
    rounds.receive(message(5, new Range(0, 1), 3));
    assertThatThrownBy(() -> rounds.receive(message(5, new Range(1, 2), 4)))
        .hasMessageContaining("round 5 has a sum of 3 samples, but of 4");
  }

  @Test
  void roundWithoutSamples_isCompleteAndUpdatesNothing() {
    rounds.contribute(new Contribution(5, new float[2], 0));
    rounds.receive(message(5, WHOLE, 0));
    assertThat(rounds.completedRounds()).isEqualTo(6);
    assertThat(port.takeSums()).isEmpty();
  }

  private static Contribution contribution(long number) {
    return new Contribution(number, new float[2], 1);
  }

  /** Returns a message whose sum is as large as its number of samples, at each element. */
  private Message message(long number, Range range, long samples) {
    float[] sum = new float[range.length()];
    Arrays.fill(sum, (float) samples);
    Slice values = Slice.lent(sum, 0, sum.length, released::add);
    return new Message(1, 0, number, Sum.partial(range, samples, Payload.of(values)));
  }
}
