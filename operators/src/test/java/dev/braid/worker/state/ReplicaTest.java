package dev.braid.worker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Roles;
import dev.braid.exchange.state.StateFormat;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateKind.Rescaling;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.RoundSums;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
      assertThat(replica.completedRounds()).isEqualTo(12);
      assertThat(replica.steps()).isEqualTo(11);
      assertThat(replica.epochs()).isEqualTo(2.75);
      assertThat(replica.openEpoch()).hasValue(3);
      samples += replica.sums().samples();
    }
    assertThat(samples).isEqualTo(before * (before + 1) / 2 * 10L);
  }

  @Test
  void replicasOfTheirOwnComeBackToTheirRank() throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 5, 1, 1), own(1, 7, 2, 3));

    Replica second = Replica.of(parts, role(1, 2, 2));
    assertThat(second.vectors()).isDeepEqualTo(new float[][] {{3, 3}});
    assertThat(second.completedRounds()).isEqualTo(7);
    assertThat(second.epochs()).isEqualTo(1.75);
    assertThat(second.endedEpochs()).isEqualTo(2);
    assertThat(second.closedEpochs()).isEqualTo(2);
    Replica first = Replica.of(parts, role(0, 2, 2));
    assertThat(first.openEpoch()).hasValue(0);
    assertThat(first.closedEpochs()).as("the other rank says no more of its epoch").isEqualTo(2);
    assertThat(second.exchangeStates().get("clocks")).containsExactly(1);
  }

  @Test
  void atAnotherNumberOfRanksAllBeginWithTheMean() throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 5, 1, 1), own(1, 7, 2, 3));

    for (int rank = 0; rank < 3; rank++) {
      Replica replica = Replica.of(parts, role(rank, 3, 3));
      assertThat(replica.vectors()).isDeepEqualTo(new float[][] {{2, 2}});
      assertThat(replica.completedRounds()).isEqualTo(7);
      assertThat(replica.exchangeStates()).doesNotContainKey("clocks");
    }
  }

  /** An epoch that has not ended at all ranks is dealt anew, and will end at all. */
  @Test
  void anEpochIsOpenForAllIfItHasEndedAtAllAndIsOpenAtOne() throws IOException {
    assertThat(open(own(0, 5, 1, 1), own(1, 7, 2, 3))).hasValue(0);
    assertThat(open(own(0, 5, 0, 1), own(1, 7, 1, 3))).isEmpty();
    assertThat(open(own(0, 5, 2, 1), own(1, 7, 2, 3))).hasValue(1);
  }

  private static OptionalInt open(ReplicaPart... parts) throws IOException {
    return Replica.of(List.of(parts), role(0, 1, 1)).openEpoch();
  }

  /** The first rank's last epoch is open, the second's is closed. */
  private static ReplicaPart own(int rank, long rounds, int endedEpochs, float value) {
    return new ReplicaPart(
        role(rank, 2, 2),
        true,
        true,
        rounds,
        rounds,
        rounds / 4.0,
        rank == 0 && endedEpochs > 0 ? OptionalInt.of(endedEpochs - 1) : OptionalInt.empty(),
        endedEpochs,
        2,
        Holding.REPLICA,
        Range.ofLength(2),
        slices(new float[][] {{value, value}}),
        EpochSums.NONE,
        "sgd",
        states(2, rank, rank, 10 * rank));
  }

  /** Of three ranks one is left out: the others have saved a half each. */
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
      assertThat(replica.steps()).isEqualTo(11);
      assertThat(replica.epochs()).isEqualTo(2.75);
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

  private static List<ReplicaPart> ofTwoWorkersAndTwoServers() {
    return List.of(
        served(0, new Range(0, 0), 5, 1),
        served(1, new Range(0, 0), 7, 2),
        served(2, new Range(0, 5), 0, 0),
        served(3, new Range(5, 10), 0, 0));
  }

  /** A model of two parameters on three ranks: the first serves none, and counts no steps. */
  @Test
  void aRankThatServesNothingGoesOnWithTheStepsOfTheOthers() throws IOException {
    List<ReplicaPart> parts = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      Range range = rank == 0 ? Range.EMPTY : new Range(rank - 1, rank);
      parts.add(with(part(rank, 3, 2, range, true, true), rank == 0 ? 0 : 11));
    }
    for (int rank = 0; rank < 3; rank++) {
      Replica replica = Replica.of(parts, role(rank, 3, 3));
      assertThat(replica.steps()).isEqualTo(11);
      assertThat(replica.epochs()).isEqualTo(2.75);
      assertThat(replica.vectors()).isDeepEqualTo(vectors(2));
      assertThat(replica.exchangeStates().get("kept")).containsExactly(1);
    }
  }

  /** Of a rank that serves its range, after so many steps, of which four are an epoch. */
  private static ReplicaPart with(ReplicaPart part, long steps) {
    return new ReplicaPart(
        part.role(),
        part.quiet(),
        part.isCurrent(),
        part.completedRounds(),
        steps,
        steps / 4.0,
        part.openEpoch(),
        part.endedEpochs(),
        part.length(),
        Holding.SERVED,
        part.range(),
        part.parts(),
        part.sums(),
        part.optimiser(),
        part.exchangeStates());
  }

  /** Two workers and two servers, and then three and one: one that has computed serves now. */
  @Test
  void inOtherRolesWhatWasServedIsThere_andServersEvaluateNothing() throws IOException {
    List<ReplicaPart> parts = ofTwoWorkersAndTwoServers();

    for (int rank = 0; rank < 4; rank++) {
      Replica replica = Replica.of(parts, role(rank, 4, 3));
      assertThat(replica.vectors()).isDeepEqualTo(vectors(10));
      assertThat(replica.completedRounds()).isEqualTo(7);
      assertThat(replica.endedEpochs()).isEqualTo(1);
      assertThat(replica.openEpoch()).isEqualTo(rank < 3 ? OptionalInt.of(0) : OptionalInt.empty());
      assertThat(replica.exchangeStates()).doesNotContainKey("clocks");
    }
    assertThat(Replica.of(parts, role(1, 4, 2)).exchangeStates().get("clocks")).containsExactly(1);
    Replica withOneServer = Replica.of(parts, role(1, 3, 2));
    assertThat(withOneServer.endedEpochs()).as("its shard goes on where it was").isEqualTo(2);
    assertThat(withOneServer.openEpoch()).hasValue(1);
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
        .hasMessageContaining("follows 3");
  }

  /** Of four ranks, two compute; the last epoch of each of them is open. */
  private static ReplicaPart served(int rank, Range range, long rounds, int endedEpochs) {
    float[][] whole = vectors(10);
    float[][] parts = new float[2][];
    for (int v = 0; v < 2; v++) {
      parts[v] = Arrays.copyOfRange(whole[v], range.start(), range.end());
    }
    return new ReplicaPart(
        role(rank, 4, 2),
        true,
        true,
        rounds,
        rounds,
        rounds / 4.0,
        endedEpochs > 0 ? OptionalInt.of(endedEpochs - 1) : OptionalInt.empty(),
        endedEpochs,
        10,
        Holding.SERVED,
        range,
        slices(parts),
        EpochSums.NONE,
        "sgd",
        states(10, rank, rank, 10 * rank));
  }

  @Test
  void refusesAModelOfWhichARankCannotWriteItsPart() throws IOException {
    ReplicaPart.checkFits(4, 125_000_000, 0);
    assertThatThrownBy(() -> ReplicaPart.checkFits(4, 200_000_000, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("3200000000 bytes (4 vectors of 200000000 parameters")
        .hasMessageContaining("more --workers");
    assertThatThrownBy(() -> ReplicaPart.checkFits(4, 100_000_000, 1_000_000_000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("and 1000000000 bytes of its exchange");
  }

  /** A window on a longer vector is written as its values alone are. */
  @Test
  void windowsAreWrittenAsTheirValues() throws IOException {
    ReplicaPart part = part(1, 3, 10, true);
    List<Slice> windows = new ArrayList<>();
    for (float[] vector : vectors(10)) {
      windows.add(Slice.view(vector, part.range()));
    }
    ReplicaPart read = ReplicaPart.fromBytes(with(part, windows).toBytes());
    assertThat(read.vectors()).isDeepEqualTo(part.vectors());
    assertThat(with(part, windows).toBytes()).isEqualTo(part.toBytes());
  }

  private static ReplicaPart with(ReplicaPart part, Role role) {
    return new ReplicaPart(
        role,
        part.quiet(),
        part.isCurrent(),
        part.completedRounds(),
        part.steps(),
        part.epochs(),
        part.openEpoch(),
        part.endedEpochs(),
        part.length(),
        part.holding(),
        part.range(),
        part.parts(),
        part.sums(),
        part.optimiser(),
        part.exchangeStates());
  }

  private static ReplicaPart with(ReplicaPart part, List<Slice> parts) {
    return new ReplicaPart(
        part.role(),
        part.quiet(),
        part.isCurrent(),
        part.completedRounds(),
        part.steps(),
        part.epochs(),
        part.openEpoch(),
        part.endedEpochs(),
        part.length(),
        part.holding(),
        part.range(),
        parts,
        part.sums(),
        part.optimiser(),
        part.exchangeStates());
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

  /** As when Flink has fewer slots left than there are servers. */
  @Test
  void refusesARunWithoutWorkers() {
    assertThatThrownBy(() -> role(0, 2, 0))
        .hasMessageContaining("a run of 2 ranks, of which 2 only serve, has no worker");
  }

  @Test
  void refusesBytesOfAnotherKind() {
    assertThatThrownBy(() -> ReplicaPart.fromBytes(new byte[100])).isInstanceOf(IOException.class);
  }

  @Test
  void refusesAnotherVersionAndNamesBoth() throws IOException {
    byte[] bytes = part(0, 1, 10, true).toBytes();
    bytes[7]++;
    assertThatThrownBy(() -> ReplicaPart.fromBytes(bytes))
        .isInstanceOf(StateVersionException.class)
        .hasMessageContaining("the workers' state is in version 11")
        .hasMessageContaining("reads version 10");
  }

  // ---- another exchange ------------------------------------------------------------------------

  @Test
  void underAnotherExchangeReplicasThatDifferBecomeOne() throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 5, 1, 1), own(1, 7, 2, 3));

    for (int rank = 0; rank < 2; rank++) {
      Replica replica = Replica.of(parts, role(rank, 2, 2, 100, "another"));
      assertThat(replica.vectors()).isDeepEqualTo(new float[][] {{2, 2}});
      assertThat(replica.completedRounds()).isEqualTo(7);
      assertThat(replica.endedEpochs()).as("what is left is dealt anew").isEqualTo(1);
      assertThat(replica.openEpoch()).hasValue(0);
      assertThat(replica.closedEpochs()).as("all are to evaluate it").isZero();
      assertThat(replica.exchangeStates()).doesNotContainKey("clocks");
    }
  }

  @Test
  void workersInStepKeepTheirPlaceUnderAnotherExchange() throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 7, 2, 1), own(1, 7, 2, 3));

    Replica first = Replica.of(parts, role(0, 2, 2, 100, "another"));
    Replica second = Replica.of(parts, role(1, 2, 2, 100, "another"));
    assertThat(first.openEpoch()).hasValue(1);
    assertThat(second.openEpoch()).as("it has told of its epoch").isEmpty();
    assertThat(second.vectors()).isDeepEqualTo(new float[][] {{2, 2}});
    assertThat(second.exchangeStates()).doesNotContainKey("clocks");
  }

  /** Their shards are cut anew: clocks that are apart would wait for batches that never come. */
  @Test
  void withAnotherBatchRanksThatAreApartBeginTogether() throws IOException {
    List<ReplicaPart> parts = List.of(own(0, 5, 1, 1), own(1, 7, 2, 3));

    Replica replica = Replica.of(parts, role(0, 2, 2, 50, "own"));
    assertThat(replica.completedRounds()).isEqualTo(7);
    assertThat(replica.vectors()).isDeepEqualTo(new float[][] {{2, 2}});
    assertThat(replica.exchangeStates()).doesNotContainKey("clocks");
  }

  @Test
  void whatWasServedIsTheModelOfAll() throws IOException {
    List<ReplicaPart> parts = ofTwoWorkersAndTwoServers();

    for (int rank = 0; rank < 2; rank++) {
      Replica replica = Replica.of(parts, role(rank, 2, 2, 100, "another"));
      assertThat(replica.vectors()).isDeepEqualTo(vectors(10));
      assertThat(replica.completedRounds()).isEqualTo(7);
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
            "saved with exchange own, goes on with ring: all workers begin with the mean of its 2"
                + " replicas, with all gradients so far; its clocks and counts are dropped");
    assertThat(replica.change(new StateFormat("own", List.of())))
        .hasValue(
            "saved with the residual of exchange own, what it had still to send; this run keeps none: it is dropped");
    assertThat(SavedModel.of(served(2, new Range(0, 5), 1, 1)).form())
        .as("of servers, and of workers with a share each")
        .startsWith("the weights of those who took the steps");
    assertThat(SavedModel.of(part(0, 2, 10, true)).form()).startsWith("the weights that all have");
  }

  /** What each of two ranks had, by the rule of its kind, at another number of ranks. */
  @ParameterizedTest
  @CsvSource({
    // Rank, of how many; what it keeps, its residual, and its mean.
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
    assertThat(Optional.ofNullable(states.get("residual")).map(ReplicaTest::first))
        .isEqualTo(Optional.ofNullable(residual));
    assertThat(first(states.get("mean"))).isEqualTo(mean);
    assertThat(Replica.of(parts, role(0, 2, 2, 100, "another")).exchangeStates()).isEmpty();
  }

  /** However many ranks there were and are, nothing of what all had together is lost. */
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

  private static SortedMap<String, byte[]> states(int length, int clock, int kept, int values) {
    ByteBuffer vector = ByteBuffer.allocate(length * Float.BYTES);
    while (vector.hasRemaining()) {
      vector.putFloat(values);
    }
    SortedMap<String, byte[]> states = new TreeMap<>();
    states.put("clocks", new byte[] {(byte) clock});
    states.put("kept", new byte[] {(byte) kept});
    states.put("residual", vector.array());
    states.put("mean", vector.array());
    return states;
  }

  private static StateFormat format(String exchange, int version) {
    return new StateFormat(
        exchange,
        List.of(
            StateKind.ofTheseRanks("clocks", version),
            new StateKind("kept", 1, Rescaling.KEEP),
            new StateKind("residual", 1, Rescaling.SUM),
            new StateKind("mean", 1, Rescaling.MEAN)));
  }

  private static Role role(int rank, int ranks, int workers) {
    return role(rank, ranks, workers, 100, "own");
  }

  private static Role role(int rank, int ranks, int workers, int batch, String exchange) {
    return new Role(rank, new Roles(ranks, workers), batch, format(exchange, 3));
  }

  private static float[][] vectors(int length) {
    float[][] vectors = new float[2][length];
    for (int i = 0; i < length; i++) {
      vectors[0][i] = i + 0.5f;
      vectors[1][i] = -i;
    }
    return vectors;
  }

  private static ReplicaPart part(int rank, int ranks, int length, boolean quiet) {
    return part(rank, ranks, length, Range.ofLength(length).part(rank, ranks), true, quiet);
  }

  private static ReplicaPart part(
      int rank, int ranks, int length, Range range, boolean isCurrent, boolean quiet) {
    float[][] whole = vectors(length);
    float[][] parts = new float[2][range.length()];
    for (int v = 0; v < 2; v++) {
      System.arraycopy(whole[v], range.start(), parts[v], 0, range.length());
    }
    return new ReplicaPart(
        role(rank, ranks, ranks),
        quiet,
        isCurrent,
        12,
        isCurrent ? 11 : 3,
        isCurrent ? 2.75 : 0.75,
        OptionalInt.of(3),
        4,
        length,
        Holding.SHARE,
        range,
        slices(parts),
        new EpochSums(
            (rank + 1) * 10L, 1, 5, 2, new RoundSums(3, 4, 5, 6, 0.5, 7 + rank, 8, 9.5, 6), rank),
        "sgd",
        states(length, 7, 1, 2));
  }

  private static List<Slice> slices(float[][] parts) {
    return Arrays.stream(parts).map(part -> Slice.view(part, 0, part.length)).toList();
  }
}
