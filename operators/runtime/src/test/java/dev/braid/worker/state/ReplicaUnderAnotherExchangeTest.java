package dev.braid.worker.state;

import static dev.braid.worker.state.ReplicaParts.format;
import static dev.braid.worker.state.ReplicaParts.ofTwoWorkersAndTwoServers;
import static dev.braid.worker.state.ReplicaParts.own;
import static dev.braid.worker.state.ReplicaParts.part;
import static dev.braid.worker.state.ReplicaParts.role;
import static dev.braid.worker.state.ReplicaParts.served;
import static dev.braid.worker.state.ReplicaParts.vectors;
import static dev.braid.worker.state.ReplicaParts.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Roles;
import dev.braid.exchange.state.StateFormat;
import dev.braid.vector.Range;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the state that continues under another exchange, or with another number of ranks: models,
 * and states by their rules.
 */
class ReplicaUnderAnotherExchangeTest {

  @Test
  void underAnotherExchangeReplicasThatDifferBecomeOne() throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 5, 1, 1), own(1, 7, 2, 3));

    for (int rank = 0; rank < 2; rank++) {
      Replica replica = Replica.of(parts, role(rank, 2, 2, 100, "another"));
      assertThat(replica.vectors()).isDeepEqualTo(new float[][] {{2, 2}});
      assertThat(replica.position().completedRounds()).isEqualTo(7);
      assertThat(replica.position().endedEpochs())
          .as("the remaining samples are dealt again")
          .isEqualTo(1);
      assertThat(replica.position().openEpoch()).hasValue(0);
      assertThat(replica.closedEpochs()).as("all are to evaluate it").isZero();
      assertThat(replica.exchangeStates()).doesNotContainKey("clocks");
    }
  }

  @Test
  void workersInStepKeepTheirPlaceUnderAnotherExchange() throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 7, 2, 1), own(1, 7, 2, 3));

    Replica first = Replica.of(parts, role(0, 2, 2, 100, "another"));
    Replica second = Replica.of(parts, role(1, 2, 2, 100, "another"));
    assertThat(first.position().openEpoch()).hasValue(1);
    assertThat(second.position().openEpoch()).as("it has told of its epoch").isEmpty();
    assertThat(second.vectors()).isDeepEqualTo(new float[][] {{2, 2}});
    assertThat(second.exchangeStates()).doesNotContainKey("clocks");
  }

  /** The shards are cut again: ranks at different clocks would wait for batches that never come. */
  @Test
  void withAnotherBatchRanksThatAreApartBeginTogether() throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 5, 1, 1), own(1, 7, 2, 3));

    Replica replica = Replica.of(parts, role(0, 2, 2, 50, "own"));
    assertThat(replica.position().completedRounds()).isEqualTo(7);
    assertThat(replica.vectors()).isDeepEqualTo(new float[][] {{2, 2}});
    assertThat(replica.exchangeStates()).doesNotContainKey("clocks");
  }

  @Test
  void whatWasServedIsTheModelOfAll() throws IOException {
    List<ReplicaPart> parts = ofTwoWorkersAndTwoServers();

    for (int rank = 0; rank < 2; rank++) {
      Replica replica = Replica.of(parts, role(rank, 2, 2, 100, "another"));
      assertThat(replica.vectors()).isDeepEqualTo(vectors(10));
      assertThat(replica.position().completedRounds()).isEqualTo(7);
    }
  }

  @Test
  void anotherVersionOfTheSameExchangeIsRefused() {
    List<ReplicaPart> parts = List.of(own(0, 5, 1, 1), own(1, 5, 1, 3));
    Role newer = new Role(0, new Roles(2, 2), 100, format("own", 4));

    assertThatThrownBy(() -> Replica.of(parts, newer))
        .isInstanceOf(StateVersionException.class)
        .hasMessageContaining("the state 'clocks' of exchange own is in version 3")
        .hasMessageContaining("reads version 4");
  }

  @Test
  void tellsWhatBecomesOfTheModel() throws IOException {
    SavedModel replica = SavedModel.read(own(1, 5, 1, 1).toBytes());
    assertThat(replica.change(format("own", 3))).isEmpty();
    assertThat(replica.change(format("ring", 1)))
        .hasValue(
            "saved with exchange own, continues with ring: all workers start with the mean of its 2"
                + " replicas, which includes all gradients so far; clocks and counts are dropped");
    assertThat(replica.change(new StateFormat("own", List.of())))
        .hasValue("saved with the residual of exchange own: it is dropped, as this run keeps none");
    assertThat(SavedModel.of(served(2, new Range(0, 5), 1, 1)).form())
        .as("of servers, and of workers with a share each")
        .startsWith("the weights of the ranks that applied the steps");
    assertThat(SavedModel.of(part(0, 2, 10, true)).form()).startsWith("the same weights");
  }

  /** Checks the states of two ranks with another number of ranks, by the rule of each kind. */
  @ParameterizedTest
  @CsvSource({
    // Rank, number of ranks; kept state, residual, and mean.
    "0, 1, 0, 10, 5",
    "0, 3, 0, 0, 5",
    "1, 3, 1, 10, 5",
    "2, 3, , , 5",
  })
  void statesAreRescaled(int rank, int ranks, Byte kept, Float residual, float mean)
      throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 5, 1, 1), own(1, 5, 1, 3));
    SortedMap<String, byte[]> states = Replica.of(parts, role(rank, ranks, ranks)).exchangeStates();
    assertThat(states).doesNotContainKey("clocks");
    assertThat(Optional.ofNullable(states.get("kept")).map(bytes -> bytes[0]))
        .isEqualTo(Optional.ofNullable(kept));
    assertThat(
            Optional.ofNullable(states.get("residual")).map(ReplicaUnderAnotherExchangeTest::first))
        .isEqualTo(Optional.ofNullable(residual));
    assertThat(first(states.get("mean"))).isEqualTo(mean);
    assertThat(Replica.of(parts, role(0, 2, 2, 100, "another")).exchangeStates()).isEmpty();
  }

  /** No part of the total is lost, whatever the number of ranks before and after. */
  @Property(tries = 50)
  void theSumOfAllResidualsStays(
      @ForAll @IntRange(min = 1, max = 9) int before, @ForAll @IntRange(min = 1, max = 9) int after)
      throws IOException {
    List<ReplicaPart> parts = new ArrayList<>();
    for (int rank = 0; rank < before; rank++) {
      parts.add(with(own(rank, 5, 1, 1), role(rank, before, before)));
    }
    float sum = 0;
    for (int rank = 0; rank < after; rank++) {
      byte[] residual =
          Replica.of(parts, role(rank, after, after)).exchangeStates().get("residual");
      sum += residual == null ? 0 : first(residual);
    }
    assertThat(sum).isEqualTo(10f * before * (before - 1) / 2);
  }

  private static float first(byte[] vector) {
    return ByteBuffer.wrap(vector).getFloat();
  }
}
