package dev.braid.exchange.fttree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests rank 1 of seven, whose parent is 0 and whose children are 3 and 4. */
class FaultTolerantTreeTest {

  private static final Range ONE = Range.ofLength(1);
  private static final Contribution OWN = new Contribution(0, new float[] {1}, 1);

  private final RecordingPort port = new RecordingPort();
  private final List<float[]> released = new ArrayList<>();
  private final FaultTolerantTree inner =
      new FaultTolerantTree(
          new ExchangeConfig(1, 7, 1, 1, 0),
          new ForwardingPort(port) {
            @Override
            public void wakeAt(long nanos) {}
          },
          1_000_000);

  /**
   * With the sums that children sent before, the round could be complete without the sums that they
   * send after, which would then change the finished sum.
   */
  @Test
  void whatComesOfARoundThatWasRolledBack_isDropped() {
    inner.contribute(OWN);
    inner.rollBack();
    inner.receive(partial(3));
    inner.receive(partial(4));
    inner.resume();
    inner.contribute(OWN);
    assertThat(released).hasSize(2);
    assertThat(sumsSent()).isEmpty();

    inner.receive(partial(3));
    inner.receive(partial(4));
    assertThat(sumsSent()).extracting(Message::to).containsExactly(0);
  }

  @Test
  void aChildThatLags_getsTheFinishedSum_alsoAfterARollBack() {
    inner.contribute(OWN);
    inner.receive(partial(3));
    inner.receive(partial(4));
    inner.receive(new Message(0, 1, 0, Sum.finished(ONE, 7, values())));
    inner.rollBack();
    sumsSent();

    inner.receive(partial(3));
    assertThat(sumsSent()).extracting(Message::to).containsExactly(3);
  }

  private List<Message> sumsSent() {
    return port.takeSent().stream().filter(message -> message.body() instanceof Sum).toList();
  }

  private Message partial(int child) {
    return new Message(child, 1, 0, Sum.partial(ONE, 1, values()));
  }

  private Payload values() {
    return Payload.of(Slice.lent(new float[] {1}, 0, 1, released::add));
  }
}
