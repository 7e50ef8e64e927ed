package dev.braid.exchange.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RouteTest {

  @Test
  void eachRankOnTheWay_passesOnToTheNext() {
    Route route = Route.of(3, 4, 1);
    assertThat(route.origin()).isEqualTo(3);
    assertThat(route.next(3)).isEqualTo(4);
    assertThat(route.next(4)).isEqualTo(1);
    assertThat(route.destination()).isEqualTo(1);
    assertThatThrownBy(() -> route.next(1)).hasMessageContaining("rank 1 has no successor");
  }

  @Test
  void thereAndBack_isCutAtItsTurn() {
    Route found = Route.of(3, 4, 1).then(2).then(3);
    assertThat(found.between(0, found.indexOf(1))).isEqualTo(Route.of(3, 4, 1));
    assertThat(found.between(found.indexOf(1), 4)).isEqualTo(Route.of(1, 2, 3));
    assertThat(found.containsFrom(2, 4)).isFalse();
    assertThat(found.containsFrom(1, 4)).isTrue();
  }

  @Test
  void noRanks_isDirect_andTooManyAreRefused() {
    assertThat(Route.of()).isEqualTo(Route.DIRECT);
    assertThat(Route.of(7).isDirect()).isFalse();
    assertThatThrownBy(() -> Route.of(new int[256])).hasMessageContaining("at most 255");
  }
}
