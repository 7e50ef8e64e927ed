package dev.braid.exchange.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Call;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.participation.ViewMessage.Heard;
import dev.braid.exchange.participation.ViewMessage.Here;
import dev.braid.exchange.participation.ViewMessage.Listen;
import dev.braid.exchange.participation.ViewMessage.Reachable;
import dev.braid.exchange.participation.ViewMessage.Silent;
import dev.braid.exchange.participation.ViewMessage.Stop;
import dev.braid.exchange.participation.ViewMessage.Stopped;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests four ranks that can all hear each other unless a link is cut. */
class ArbiterTest {

  private final Deque<ToRank> sent = new ArrayDeque<>();
  private boolean mayStop = true;
  private final Arbiter arbiter = new Arbiter(View.all(4, 7), () -> mayStop, sent::add);

  @Test
  void aFalseAlarmChangesNothing() {
    arbiter.receive(1, new Silent(2));
    hear(List.of(1, 2, 3), List.of(0), List.of(1), List.of(2));
    assertThat(sent).containsExactly(new Call(1), new Listen(1));
    assertThat(arbiter.isStopping()).isFalse();
  }

  @Test
  void theLargestPartGoesOnFromItsLastRound() {
    leaveOutRank3();
    View view = arbiter.view();
    assertThat(view).isEqualTo(new View(1, List.of(0, 1, 2), 9, List.of(0)));
    assertThat(sent).containsExactly(new Call(1), new Listen(1), new Stop(1), new Enter(view));
  }

  @Test
  void ofTwoEqualPartsTheOneWithRank0GoesOn() {
    arbiter.receive(1, new Silent(2));
    hear(List.of(1), List.of(0), List.of(3), List.of(2));
    stop(new Stopped(1, 0, 8), new Stopped(1, 0, 8), new Stopped(1, 0, 9), new Stopped(1, 0, 9));
    assertThat(arbiter.view()).isEqualTo(new View(1, List.of(0, 1), 8, List.of(0, 1)));
  }

  /** Ranks 1 to 3 are the majority, but only rank 0 has the latest model. */
  @Test
  void aPartWithoutTheModelNeverGoesOn() {
    leaveOutRank3();
    arbiter.receive(0, new Silent(1));
    hear(List.of(), List.of(2, 3), List.of(1, 3), List.of(1, 2));
    // Ranks 1 and 2 were behind, and are cut off before their copy is complete.
    stop(new Stopped(2, 1, 9), new Stopped(2, 0, 8), new Stopped(2, 0, 8), new Stopped(2, 0, 10));
    assertThat(arbiter.view()).isEqualTo(new View(2, List.of(0), 9, List.of(0)));
  }

  @Test
  void aRankThatIsFoundGetsACopy() {
    leaveOutRank3();
    arbiter.receive(3, new Reachable(1));
    hear(List.of(1, 2), List.of(0, 3), List.of(0), List.of(1));
    stop(new Stopped(2, 1, 20), new Stopped(2, 1, 21), new Stopped(2, 1, 20), new Stopped(2, 0, 9));
    assertThat(arbiter.view()).isEqualTo(new View(2, List.of(0, 1, 2, 3), 21, List.of(1)));
  }

  @Test
  void whileRanksMayNotBeStoppedAChangeWaits() {
    mayStop = false;
    arbiter.receive(3, new Silent(1));
    hear(List.of(1, 2), List.of(0, 2), List.of(0, 1), List.of());
    arbiter.stopIfDue();
    assertThat(sent).containsExactly(new Call(1), new Listen(1));
    mayStop = true;
    arbiter.stopIfDue();
    assertThat(sent).containsExactly(new Call(1), new Listen(1), new Stop(1));
    assertThat(arbiter.isStopping()).isTrue();
  }

  @Test
  void untilAllHaveAnsweredTheCall_nobodyListens() {
    arbiter.receive(1, new Silent(2));
    for (int rank : new int[] {0, 1, 1, 3}) {
      arbiter.receive(rank, new Here(1));
    }
    arbiter.receive(2, new Here(0));
    arbiter.receive(3, new Silent(2));
    assertThat(sent).containsExactly(new Call(1));
    arbiter.receive(2, new Here(1));
    assertThat(sent).containsExactly(new Call(1), new Listen(1));
  }

  @Test
  void whereSomeAreHeardOneWayOnly_ranksListenOnceMore() {
    arbiter.receive(1, new Silent(3));
    hear(List.of(1, 2), List.of(0, 2), List.of(0, 1), List.of(1, 2));
    assertThat(sent).containsExactly(new Call(1), new Listen(1), new Call(2));
    hear(List.of(1, 2), List.of(0, 2), List.of(0, 1), List.of(1, 2));
    assertThat(arbiter.isStopping()).isTrue();
    assertThat(sent).endsWith(new Call(2), new Listen(2), new Stop(2));
  }

  private void leaveOutRank3() {
    arbiter.receive(3, new Silent(1));
    hear(List.of(1, 2), List.of(0, 2), List.of(0, 1), List.of());
    stop(new Stopped(1, 0, 9), new Stopped(1, 0, 8), new Stopped(1, 0, 8), new Stopped(1, 0, 10));
  }

  @SafeVarargs
  private void hear(List<Integer>... byRank) {
    long poll = ((Call) sent.getLast()).poll();
    for (int rank = 0; rank < byRank.length; rank++) {
      arbiter.receive(rank, new Here(poll));
    }
    for (int rank = 0; rank < byRank.length; rank++) {
      arbiter.receive(rank, new Heard(poll, byRank[rank]));
    }
  }

  private void stop(Stopped... byRank) {
    for (int rank = 0; rank < byRank.length; rank++) {
      arbiter.receive(rank, byRank[rank]);
    }
  }
}
