package dev.braid.exchange.allreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllreduceRoundTest {

  private static final Range WHOLE = Range.ofLength(2);

  private final RecordingPort port = new RecordingPort();
  private final List<float[]> released = new ArrayList<>();
  private final AllreduceRound round = new AllreduceRound(new ExchangeConfig(0, 2, 2, 2, 5), 1);

  @Test
  void firstRound_isTheOneAfterThoseThatWereComplete() {
    assertThatThrownBy(() -> round.begin(contribution(0)))
        .hasMessage("contribution to round 0 while round 5 is next");
    round.begin(contribution(5));
    assertThat(round.underWay()).isTrue();
  }

  @Test
  void twoArraysForTheSum_areUsedInTurn() {
    AllreduceRound both = new AllreduceRound(new ExchangeConfig(0, 2, 2, 2, 5), 2);
    for (int next = 5; next < 8; next++) {
      assertThat(both.array()).isEqualTo(next % 2);
      both.begin(contribution(next));
      both.sum(both.array())[1] = next;
      both.markFinal(WHOLE, 1);
      assertThat(both.finish(port::update)).isTrue();
      assertThat(both.sum(next % 2)[1]).isEqualTo(next);
    }
    assertThat(both.sum(0)[1]).isEqualTo(6);
  }

  @Test
  void secondContributionToARound_isRefused() {
    round.begin(contribution(5));
    assertThatThrownBy(() -> round.begin(contribution(5)))
        .hasMessage("contribution to round 5 while round 5 is under way");
  }

  @Test
  void gradientOfAnotherLength_isRefused() {
    assertThatThrownBy(() -> round.begin(new Contribution(5, new float[3], 1)))
        .hasMessageContaining("gradient of 3 elements: must have 2");
  }

  @Test
  void messageBeforeTheOwnGradient_waitsForIt() {
    assertThat(round.defer(message(5))).isTrue();
    assertThat(round.nextDue()).isEmpty();
    round.begin(contribution(5));
    assertThat(round.nextDue()).isPresent();
    assertThat(round.nextDue()).isEmpty();
  }

  @Test
  void messageOfTheNextRound_waitsWhileARoundIsUnderWay() {
    round.begin(contribution(5));
    assertThat(round.defer(message(6))).isTrue();
    assertThat(round.defer(message(5))).isFalse();
    assertThat(round.nextDue()).isEmpty();
  }

  /** The sender would have completed a round that this rank has not contributed to. */
  @Test
  void messageOfTheNextRound_isRefusedBeforeTheOwnContribution() {
    assertThatThrownBy(() -> round.defer(message(6)))
        .hasMessage("message of round 6 from rank 1 while round 5 is next");
  }

  @Test
  void messageTwoRoundsAhead_isRefused() {
    round.begin(contribution(5));
    assertThatThrownBy(() -> round.defer(message(7)))
        .hasMessage("message of round 7 from rank 1 while round 5 is under way");
  }

  @Test
  void messageOfACompletedRound_isRefused() {
    assertThatThrownBy(() -> round.defer(message(4))).hasMessageContaining("message of round 4");
  }

  @Test
  void rollBack_releasesWhatWaited_andTheSameContributionIsTakenAgain() {
    Contribution local = contribution(5);
    round.begin(local);
    boolean deferred = round.defer(message(6));
    assertThat(deferred).isTrue();
    round.markFinal(new Range(0, 1), 3);
    round.rollBack();

    assertThat(released).hasSize(1);
    assertThat(round.underWay()).isFalse();
    assertThat(round.completed()).isEqualTo(5);
    round.begin(local);
    assertThat(round.nextDue()).isEmpty();
    // The half that was final before the roll-back does not count, nor do its samples.
    round.markFinal(new Range(0, 1), 4);
    assertThat(round.finish(port::update)).isFalse();
    round.markFinal(new Range(1, 2), 4);
    assertThat(round.finish(port::update)).isTrue();
    assertThat(port.takeSums()).singleElement().returns(4L, Update.GradientSum::samples);
  }

  @Test
  void rangesOverDifferentSamples_areRefused() {
    round.begin(contribution(5));
    round.markFinal(new Range(0, 1), 3);
    assertThatThrownBy(() -> round.markFinal(new Range(1, 2), 4))
        .hasMessageContaining("round 5 has a sum of 3 samples, but of 4");
  }

  @Test
  void roundWithoutSamples_isCompleteAndUpdatesNothing() {
    round.begin(new Contribution(5, new float[2], 0));
    round.markFinal(WHOLE, 0);
    assertThat(round.finish(port::update)).isTrue();
    assertThat(round.completed()).isEqualTo(6);
    assertThat(port.takeSums()).isEmpty();
  }

  private static Contribution contribution(long number) {
    return new Contribution(number, new float[2], 1);
  }

  private Message message(long number) {
    Slice values = Slice.lent(new float[2], 0, 2, released::add);
    return new Message(1, 0, number, Sum.partial(WHOLE, 1, Payload.of(values)));
  }
}
