package dev.braid.exchange.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MessageTest {

  @Test
  void codes_areWhatIsOnTheWire_andNeverChange() {
    assertThat(Message.Kind.REDUCE.code()).isEqualTo(1);
    assertThat(Message.Kind.BROADCAST.code()).isEqualTo(2);
    assertThat(Message.Kind.DATA_REDUCE.code()).isEqualTo(16);
    assertThat(Message.Kind.META_BCAST_RECEIVED.code()).isEqualTo(23);
    assertThat(Message.Kind.ACK.code()).isEqualTo(24);
    assertThat(Message.Kind.FOUND_BACK.code()).isEqualTo(28);
  }

  @Test
  void everyKind_hasItsOwnCodeOfOneByte() {
    Message.Kind[] kinds = Message.Kind.values();
    assertThat(Arrays.stream(kinds).mapToInt(Message.Kind::code).distinct()).hasSize(kinds.length);
    for (Message.Kind kind : kinds) {
      assertThat(kind.code()).isBetween(0, 255);
      assertThat(Message.Kind.ofCode(kind.code())).isEqualTo(kind);
    }
  }

  @Test
  void unknownCode_isRefused() {
    for (int code : new int[] {-1, 0, 255, 256}) {
      assertThatThrownBy(() -> Message.Kind.ofCode(code))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("message kind " + code);
    }
  }

  @Test
  void valuesThatDoNotFitTheRange_areRefused_andNoneAreFine() {
    Range range = new Range(2, 5);
    Slice two = Slice.view(new float[2], 0, 2);
    assertThatThrownBy(() -> new Message(0, 1, Message.Kind.REDUCE, 0, range, 1, two))
        .hasMessageContaining("2 values for a range of 3");
    assertThat(new Message(0, 1, Message.Kind.REDUCE, 0, range, 1, Slice.EMPTY).range())
        .isEqualTo(range);
  }
}
