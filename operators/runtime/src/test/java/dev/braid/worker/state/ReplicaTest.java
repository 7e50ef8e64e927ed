package dev.braid.worker.state;

import static dev.braid.worker.state.ReplicaParts.ofTwoWorkersAndTwoServers;
import static dev.braid.worker.state.ReplicaParts.own;
import static dev.braid.worker.state.ReplicaParts.part;
import static dev.braid.worker.state.ReplicaParts.role;
import static dev.braid.worker.state.ReplicaParts.served;
import static dev.braid.worker.state.ReplicaParts.vectors;
import static dev.braid.worker.state.ReplicaParts.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.wire.StateChecksum;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ReplicaTest {

  @Property(tries = 200)
  void wholeVectorsComeBackAtAnyNumberOfRanks(
      @ForAll @IntRange(min = 1, max = 9) int before,
      @ForAll @IntRange(min = 1, max = 9) int after,
      @ForAll @IntRange(min = 1, max = 50) int length,
      @ForAll Random order)
      throws IOException {
    List<ReplicaPart> parts = new ArrayList<>();
    for (int rank = 0; rank < before; rank++) {
      parts.add(ReplicaPart.fromBytes(part(rank, before, length, true).toBytes()));
    }
    Collections.shuffle(parts, order);

    long samples = 0;
    for (int rank = 0; rank < after; rank++) {
      Replica replica = Replica.of(parts, role(rank, after, after));
      assertThat(replica.vectors()).isDeepEqualTo(vectors(length));
      assertThat(replica.position().completedRounds()).isEqualTo(12);
      assertThat(replica.position().steps()).isEqualTo(11);
      assertThat(replica.position().epochs()).isEqualTo(2.75);
      assertThat(replica.position().openEpoch()).hasValue(3);
      samples += replica.sums().samples();
    }
    assertThat(samples).isEqualTo(before * (before + 1) / 2 * 10L);
  }

  @Test
  void replicasOfTheirOwnComeBackToTheirRank() throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 5, 1, 1), own(1, 7, 2, 3));

    Replica second = Replica.of(parts, role(1, 2, 2));
    assertThat(second.vectors()).isDeepEqualTo(new float[][] {{3, 3}});
    assertThat(second.position().completedRounds()).isEqualTo(7);
    assertThat(second.position().epochs()).isEqualTo(1.75);
    assertThat(second.position().endedEpochs()).isEqualTo(2);
    assertThat(second.closedEpochs()).isEqualTo(2);
    Replica first = Replica.of(parts, role(0, 2, 2));
    assertThat(first.position().openEpoch()).hasValue(0);
    assertThat(first.closedEpochs()).as("the other rank says no more of its epoch").isEqualTo(2);
    assertThat(second.exchangeStates().get("clocks")).containsExactly(1);
  }

  @Test
  void atAnotherNumberOfRanksAllBeginWithTheMean() throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 5, 1, 1), own(1, 7, 2, 3));

    for (int rank = 0; rank < 3; rank++) {
      Replica replica = Replica.of(parts, role(rank, 3, 3));
      assertThat(replica.vectors()).isDeepEqualTo(new float[][] {{2, 2}});
      assertThat(replica.position().completedRounds()).isEqualTo(7);
      assertThat(replica.exchangeStates()).doesNotContainKey("clocks");
    }
  }

  /** An epoch that has not ended at all ranks is dealt again, and will end at all of them. */
  @Test
  void anEpochIsOpenForAllIfItHasEndedAtAllAndIsOpenAtOne() throws IOException {
    assertThat(open(own(0, 5, 1, 1), own(1, 7, 2, 3))).hasValue(0);
    assertThat(open(own(0, 5, 0, 1), own(1, 7, 1, 3))).isEmpty();
    assertThat(open(own(0, 5, 2, 1), own(1, 7, 2, 3))).hasValue(1);
  }

  private static OptionalInt open(ReplicaPart... parts) throws IOException {
    return Replica.of(List.of(parts), role(0, 1, 1)).position().openEpoch();
  }

  /** One of three ranks is excluded: each of the others has saved a half. */
  @Test
  void aRankThatWasLeftOutGetsTheModelOfTheOthers() throws IOException {
    Range[] halves = {new Range(0, 5), Range.EMPTY, new Range(5, 10)};
    List<ReplicaPart> parts = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      parts.add(part(rank, 3, 10, halves[rank], rank != 1, true));
    }
    for (int rank = 0; rank < 3; rank++) {
      Replica replica = Replica.of(parts, role(rank, 3, 3));
      assertThat(replica.vectors()).isDeepEqualTo(vectors(10));
      assertThat(replica.position().steps()).isEqualTo(11);
      assertThat(replica.position().epochs()).isEqualTo(2.75);
      assertThat(replica.sums().samples()).isEqualTo((rank + 1) * 10L);
    }
  }

  @Test
  void refusesAModelOfWhichAPartIsMissing() {
    List<ReplicaPart> parts =
        List.of(
            part(0, 2, 10, new Range(0, 5), true, true), part(1, 2, 10, Range.EMPTY, false, true));

    assertThatThrownBy(() -> Replica.of(parts, role(0, 2, 2)))
        .isInstanceOf(IOException.class)
        .hasMessage("the checkpoint has 5 of the model's 10 parameters");
  }

  /**
   * In a model of two parameters on three ranks, the first rank serves none, and counts no steps.
   */
  @Test
  void aRankThatServesNothingGoesOnWithTheStepsOfTheOthers() throws IOException {
    List<ReplicaPart> parts = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      Range range = rank == 0 ? Range.EMPTY : new Range(rank - 1, rank);
      parts.add(with(part(rank, 3, 2, range, true, true), rank == 0 ? 0 : 11));
    }
    for (int rank = 0; rank < 3; rank++) {
      Replica replica = Replica.of(parts, role(rank, 3, 3));
      assertThat(replica.position().steps()).isEqualTo(11);
      assertThat(replica.position().epochs()).isEqualTo(2.75);
      assertThat(replica.vectors()).isDeepEqualTo(vectors(2));
      assertThat(replica.exchangeStates().get("kept")).containsExactly(1);
    }
  }

  /**
   * Two workers and two servers become three and one: a rank that has computed serves in the new
   * run.
   */
  @Test
  void inOtherRolesWhatWasServedIsThere_andServersEvaluateNothing() throws IOException {
    List<ReplicaPart> parts = ofTwoWorkersAndTwoServers();

    for (int rank = 0; rank < 4; rank++) {
      Replica replica = Replica.of(parts, role(rank, 4, 3));
      assertThat(replica.vectors()).isDeepEqualTo(vectors(10));
      assertThat(replica.position().completedRounds()).isEqualTo(7);
      assertThat(replica.position().endedEpochs()).isEqualTo(1);
      assertThat(replica.position().openEpoch())
          .isEqualTo(rank < 3 ? OptionalInt.of(0) : OptionalInt.empty());
      assertThat(replica.exchangeStates()).doesNotContainKey("clocks");
    }
    assertThat(Replica.of(parts, role(1, 4, 2)).exchangeStates().get("clocks")).containsExactly(1);
    Replica withOneServer = Replica.of(parts, role(1, 3, 2));
    assertThat(withOneServer.position().endedEpochs()).as("its shard continues").isEqualTo(2);
    assertThat(withOneServer.position().openEpoch()).hasValue(1);
  }

  @Test
  void refusesAModelWithAHole() throws IOException {
    List<ReplicaPart> parts =
        List.of(
            served(0, new Range(0, 3), 5, 1),
            served(1, new Range(4, 10), 5, 1),
            served(2, new Range(0, 0), 0, 0),
            served(3, new Range(0, 0), 0, 0));
    assertThatThrownBy(() -> Replica.of(parts, role(0, 4, 2)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(new Range(4, 10) + " must begin at 3");
  }

  @Test
  void refusesAModelOfWhichARankCannotWriteItsPart() throws IOException {
    ReplicaPart.checkFits(4, 125_000_000, 0);
    assertThatThrownBy(() -> ReplicaPart.checkFits(4, 200_000_000, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("3200000000 bytes (4 vectors of 200000000 parameters")
        .hasMessageContaining("more `workers`");
    assertThatThrownBy(() -> ReplicaPart.checkFits(4, 100_000_000, 1_000_000_000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("and 1000000000 bytes of its exchange");
  }

  /** A view of a longer vector is written in the same way as a copy of its values. */
  @Test
  void windowsAreWrittenAsTheirValues() throws IOException {
    ReplicaPart part = part(1, 3, 10, true);
    List<Slice> windows = new ArrayList<>();
    for (float[] vector : vectors(10)) {
      windows.add(Slice.view(vector, part.model().range()));
    }
    ReplicaPart read = ReplicaPart.fromBytes(with(part, windows).toBytes());
    assertThat(read.model().values()).isDeepEqualTo(part.model().values());
    assertThat(with(part, windows).toBytes()).isEqualTo(part.toBytes());
  }

  @Test
  void refusesAMissingPart() throws IOException {
    List<ReplicaPart> parts = List.of(part(0, 3, 10, true), part(2, 3, 10, true));

    assertThatThrownBy(() -> Replica.of(parts, role(0, 3, 3)))
        .isInstanceOf(IOException.class)
        .hasMessage("the checkpoint has the state of 2 of 3 workers");
  }

  @Test
  void refusesAPartThatWasNotHeld() {
    List<ReplicaPart> parts = List.of(part(0, 2, 10, true), part(1, 2, 10, false));

    assertThatThrownBy(() -> Replica.of(parts, role(0, 2, 2)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("in flight");
  }

  /** This happens if Flink has no more slots left than there are servers. */
  @Test
  void refusesARunWithoutWorkers() {
    assertThatThrownBy(() -> role(0, 2, 0)).hasMessageContaining("2 ranks, 2 of them dedicated");
  }

  @Test
  void refusesBytesOfAnotherKind() {
    assertThatThrownBy(() -> ReplicaPart.fromBytes(new byte[100])).isInstanceOf(IOException.class);
  }

  @Test
  void refusesAnotherVersionAndNamesBoth() throws IOException {
    byte[] bytes = part(0, 1, 10, true).toBytes();
    bytes[7]++;
    StateChecksum.seal(bytes);
    assertThatThrownBy(() -> ReplicaPart.fromBytes(bytes))
        .isInstanceOf(StateVersionException.class)
        .hasMessageContaining("the workers' state is in version 14")
        .hasMessageContaining("reads version 13");
  }

  /** A weight with a flipped bit, for example on a disk, would silently be another model. */
  @Test
  void refusesAPartOfWhichABitHasChanged() throws IOException {
    byte[] bytes = part(0, 1, 10, true).toBytes();
    for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
      byte[] other = bytes.clone();
      other[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThatThrownBy(() -> ReplicaPart.fromBytes(other))
          .as("bit %d of %d", bit, Byte.SIZE * bytes.length)
          .isInstanceOf(IOException.class);
    }
    byte[] last = bytes.clone();
    // A bit of a value, in front of the checksum.
    last[bytes.length - 5] ^= 1;
    assertThatThrownBy(() -> ReplicaPart.fromBytes(last))
        .hasMessageContaining("the checksum of its " + (bytes.length - 4));
  }
}
