package dev.braid.exchange.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.coding.TreeInUse;
import dev.braid.exchange.message.Body.BodyForm;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BodyFormTest {

  private static final Range RANGE = new Range(3, 5);
  private static final Payload TWO = Payload.of(Slice.view(new float[] {1, 2}, 0, 2));

  /** One body of each kind, by its code on the wire, which never changes. */
  private static final Map<Integer, Body> BY_CODE =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(1, new Sum(Sum.Kind.PARTIAL, 3, RANGE, 7, TWO)),
              Map.entry(2, Sum.finished(RANGE, 7, TWO)),
              Map.entry(3, new Sum(Sum.Kind.TO_RELAY, RANGE, 7, TWO)),
              Map.entry(4, new Sum(Sum.Kind.OF_BROTHER, RANGE, 7, TWO)),
              Map.entry(5, new Sum(Sum.Kind.OF_BOTH, RANGE, 7, TWO)),
              Map.entry(16, new TreeNotice.ReduceSent()),
              Map.entry(17, new TreeNotice.ReduceReceived(6)),
              Map.entry(18, new TreeNotice.ReduceRequest()),
              Map.entry(19, new TreeNotice.BroadcastSent(6)),
              Map.entry(20, new TreeNotice.BroadcastReceived()),
              Map.entry(21, new TreeNotice.ComingThroughYou()),
              Map.entry(32, new LinkControl.Acknowledgement(-1)),
              Map.entry(33, new LinkControl.Probe()),
              Map.entry(34, new LinkControl.Find(6)),
              Map.entry(35, new LinkControl.RouteFound(6)),
              Map.entry(36, new LinkControl.RouteBack(6)),
              Map.entry(48, new Presence.Hello(1L << 40)),
              Map.entry(49, new Presence.Knock(1L << 40)),
              Map.entry(50, new Presence.Knocked(1L << 40)),
              Map.entry(51, new ReplicaCopyBody.Request(7, 3)),
              Map.entry(52, new ReplicaCopyBody.Part(2, RANGE, TWO)),
              Map.entry(53, new ReplicaCopyBody.Steps(1L << 40, 7)),
              Map.entry(54, new ReplicaCopyBody.StateRequest(RANGE)),
              Map.entry(64, new Share.Gradient(RANGE, 7, TWO)),
              Map.entry(65, new Share.Gradient(RANGE, 7, true, TWO)),
              Map.entry(66, new Share.Weights(RANGE, TWO)),
              Map.entry(68, new Share.Rates(0.1, 1e300)),
              Map.entry(69, new Share.Adopt(5_000_000_000L, 7)),
              Map.entry(70, new Share.Missed(RANGE, 7, TWO)),
              Map.entry(80, new Pull.Request(RANGE, true)),
              Map.entry(81, new Pull.Granted(RANGE, 7, TWO)),
              Map.entry(82, new Pull.Refused(RANGE)),
              Map.entry(83, new Pull.Withdraw(7)),
              Map.entry(96, new TreeChoice.Times(RANGE, 0.1, TWO)),
              Map.entry(97, new TreeChoice.Chosen(new TreeInUse(12, 5, 0.25f, Float.NaN))),
              Map.entry(98, new Coded.Answer(RANGE, 7, TWO)),
              Map.entry(99, new Coded.RoundSum(RANGE, 7, true, TWO)),
              Map.entry(100, new Coded.Entered(1L << 40)),
              Map.entry(112, new Sharing.SharedUpdate(300, 5_000_000_000L, RANGE, 7, TWO)),
              Map.entry(113, new Sharing.Has(6, 1L << 40)),
              Map.entry(114, new Sharing.SideHas(6, 1L << 40)),
              Map.entry(115, new Sharing.AllHave(6, 1L << 40))));

  static Stream<Map.Entry<Integer, Body>> bodies() {
    return BY_CODE.entrySet().stream();
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void everyBodyHasAFormFromWhichItComesBack(Map.Entry<Integer, Body> entry) {
    BodyForm form = entry.getValue().form();

    assertThat(form.code()).isEqualTo(entry.getKey());
    assertThat(form.body(entry.getValue().payload())).isEqualTo(entry.getValue());
  }

  @Test
  void otherValuesLeaveTheNumbersAsTheyAre() {
    assertThat(BY_CODE.values())
        .allSatisfy(
            body -> {
              Message message = new Message(0, 1, 2, body).withPayload(Payload.none());
              assertThat(message.payload().isEmpty()).isTrue();
              assertThat(message.withPayload(body.payload()).body()).isEqualTo(body);
            });
  }

  @Test
  void thereIsNoOtherCode() {
    List<Integer> known =
        Stream.iterate(0, code -> code + 1)
            .limit(256)
            .filter(code -> isKnown(code))
            .collect(Collectors.toList());

    assertThat(known).containsExactlyElementsOf(BY_CODE.keySet());
    assertThatThrownBy(() -> new BodyForm(255, 0, 0, 0, 0).body(Payload.none()))
        .hasMessage("message code 255: unknown");
  }

  private static boolean isKnown(int code) {
    try {
      new BodyForm(code, 0, 0, 0, 0).body(Payload.none());
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Test
  void noBodyIsLeftOutHere() {
    assertThat(BY_CODE.values().stream().map(Object::getClass).distinct().toList())
        .containsExactlyInAnyOrderElementsOf(records(Body.class).distinct().toList());
  }

  private static Stream<Class<?>> records(Class<?> type) {
    return type.isRecord()
        ? Stream.of(type)
        : Stream.of(type.getPermittedSubclasses()).flatMap(BodyFormTest::records);
  }

  @Test
  void valuesThatDoNotFitTheRangeAreRefused_andThoseLeftOutAreFine() {
    assertThatThrownBy(() -> Sum.partial(new Range(2, 5), 1, TWO))
        .hasMessage("2 values for a range of 3 elements");
    assertThat(Sum.partial(new Range(2, 5), 1, Payload.none()).payload().isEmpty()).isTrue();
  }

  @Test
  void valuesOfABodyThatHasNoneAreRefused() {
    assertThatThrownBy(() -> new BodyForm(33, 0, 0, 0, 0).body(TWO))
        .hasMessage("2 values in a message of code 33: must have none");
  }

  /** A finished sum that a rank on the route has, and the weights of a worker that has them. */
  @Test
  void valuesAreLeftOutWhereAReceiverHasThemAndNowhereElse() {
    List<Integer> leftOut =
        BY_CODE.entrySet().stream()
            .filter(entry -> !entry.getValue().payload().isEmpty())
            .filter(entry -> mayLackValues(entry.getValue().form()))
            .map(Map.Entry::getKey)
            .toList();

    assertThat(leftOut).containsExactly(2, 81);
    assertThatThrownBy(() -> new BodyForm(64, 3, 5, 7, 0).body(Payload.none()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("2 elements in a message of code 64: must have values");
    assertThat(new BodyForm(80, 3, 5, 1, 0).body(Payload.none()))
        .isEqualTo(new Pull.Request(RANGE, true));
  }

  /** One number contains the origin and the samples. */
  @Test
  void updatesThatNoRankSendsAreRefused() {
    for (long ofOrigin : new long[] {-1L << 32, 1L << 63 | 7, 6L << 32 | 0x80000000L, 6L << 32}) {
      assertThatThrownBy(() -> new BodyForm(112, 3, 5, 0, ofOrigin).body(TWO))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new BodyForm(112, 3, 5, -1, 6L << 32 | 7).body(TWO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new BodyForm(112, 3, 3, 1, 6L << 32 | 7).body(Payload.none()))
        .isInstanceOf(IllegalArgumentException.class);
    for (int code : new int[] {113, 114, 115}) {
      assertThatThrownBy(() -> new BodyForm(code, 0, 0, -1, 6).body(Payload.none()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new BodyForm(code, 0, 0, 5, -1).body(Payload.none()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static boolean mayLackValues(BodyForm form) {
    try {
      return form.body(Payload.none()).payload().isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Test
  void numbersThatNoRankHasAreRefused() {
    for (long number : new long[] {-1, 1L << 31, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> new BodyForm(34, 0, 0, number, 0).body(Payload.none()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
