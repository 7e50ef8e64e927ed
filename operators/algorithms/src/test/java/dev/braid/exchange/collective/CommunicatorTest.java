package dev.braid.exchange.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.Range;
import org.junit.jupiter.api.Test;

class CommunicatorTest {

  private final RecordingPort port = new RecordingPort();

  @Test
  void membersHaveTheGivenOrder() {
    Communicator column = all(6, 8).among(0, 2, 6, 4);
    assertThat(column.size()).isEqualTo(3);
    assertThat(column.position()).isEqualTo(1);
    assertThat(column.rank()).isEqualTo(6);
    assertThat(receiver(column, 2)).isEqualTo(4);
  }

  @Test
  void allRanksAreInTheOrderOfRanks() {
    Communicator all = all(2, 4);
    assertThat(all.size()).isEqualTo(4);
    assertThat(all.position()).isEqualTo(2);
    assertThat(receiver(all, 3)).isEqualTo(3);
  }

  @Test
  void aRankThatIsNoMemberIsRefused() {
    Communicator all = all(1, 3);
    assertThatThrownBy(() -> all.among(0, 0, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rank 1 is not in its group [0, 2]");
  }

  @Test
  void aMemberTwiceIsRefused() {
    Communicator all = all(1, 3);
    assertThatThrownBy(() -> all.among(0, 1, 2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[1, 2, 1]");
  }

  private Communicator all(int rank, int ranks) {
    return Communicator.ofAll(rank, ranks, 1, () -> 0, port);
  }

  private int receiver(Communicator among, int position) {
    Range chunk = Range.ofLength(1);
    among.sendPartial(position, chunk, 1, Payload.view(new float[1], chunk));
    return port.takeSent().get(0).to();
  }
}
