package dev.braid.exchange.fttree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.participation.ViewMessage.Stop;
import dev.braid.exchange.participation.ViewPort;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests rank 2 of three. */
class BraidedTreeTest {

  private static final int RANK = 2;

  private final RecordingPort port = new RecordingPort();
  private final BraidedTree tree =
      new BraidedTree(
          new ExchangeConfig(RANK, 3, 1, 1, 0),
          new ForwardingPort(port) {
            @Override
            public void wakeAt(long nanos) {}

            @Override
            public ViewPort views() {
              return ViewPort.NONE;
            }
          });
  private final Elastic member = tree.participation().elastic().orElseThrow();

  @Test
  void aSecondContributionToTheRoundUnderWay_isAnError() {
    contribute(0);
    assertMayNotContribute("round 0 is under way");
  }

  @Test
  void aContributionOfARankThatIsStopped_isAnError_andSendsNothing() {
    member.handle(new Stop(1));
    assertMayNotContribute("it is stopped until it enters the view after 0");
    assertThat(port.takeSent()).isEmpty();
  }

  @Test
  void aContributionOfARankThatIsLeftOut_isAnError() {
    member.handle(new Enter(new View(1, List.of(0, 1), 0, List.of(0, 1))));
    assertMayNotContribute("view 1 does not contain it");
  }

  @Test
  void aContributionOfARankThatWaitsForItsCopy_isAnError() {
    member.handle(new Enter(new View(1, List.of(0, 1, RANK), 0, List.of(0, 1))));
    assertMayNotContribute("it waits for its copy of the model of view 1");
  }

  @Test
  void inTheNextView_aRankThatWasStoppedContributesAgain() {
    contribute(0);
    member.handle(new Stop(1));
    member.handle(new Enter(new View(1, List.of(0, RANK), 0, List.of(0, RANK))));
    port.takeSent();
    contribute(0);
    assertThat(port.takeSent()).hasSize(1);
  }

  private void assertMayNotContribute(String reason) {
    assertThat(tree.mayCompute()).isFalse();
    assertThatThrownBy(() -> contribute(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("rank 2 must not contribute to round 0: " + reason);
  }

  private void contribute(long round) {
    tree.contribute(new Contribution(round, new float[] {1}, 1));
  }
}
