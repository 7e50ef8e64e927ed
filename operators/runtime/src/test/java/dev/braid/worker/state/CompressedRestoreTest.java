package dev.braid.worker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.Roles;
import dev.braid.exchange.Update;
import dev.braid.exchange.averaging.AveragingDescriptor;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.state.StateVectors;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.worker.report.EpochSums;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests runs with compressed gradients that are saved and restored, with the same number of ranks
 * and with others.
 */
class CompressedRestoreTest {

  private static final int LENGTH = 300;
  private static final int CHUNK = 20;
  private static final int ROUNDS = 6;

  /** Ranks in one thread, on links that lose nothing. */
  private static final class Run {
    final ExchangeType type;
    final ExchangeOptions options;
    final int ranks;
    final List<ExchangeRunner> exchanges = new ArrayList<>();
    final ArrayDeque<Message> underWay = new ArrayDeque<>();
    final float[][] models;
    long round;

    Run(ExchangeType type, String codec, int ranks, long round) {
      this.type = type;
      this.options =
          ExchangeOptions.defaults(ranks).with(Compression.OPTION, Compression.of(codec));
      this.ranks = ranks;
      this.round = round;
      this.models = new float[ranks][LENGTH];
      for (int rank = 0; rank < ranks; rank++) {
        ExchangeConfig config = new ExchangeConfig(rank, ranks, LENGTH, CHUNK, round, options);
        exchanges.add(type.create(config, port(rank)));
      }
    }

    private Port port(int rank) {
      return new Port() {
        @Override
        public long nowNanos() {
          return 0;
        }

        @Override
        public void send(Message message) {
          underWay.add(message.withPayload(message.payload().copy()));
        }

        /** Needs no deadlines, because nothing is lost. */
        @Override
        public void wakeAt(long nanos) {}

        @Override
        public float[][] model() {
          return new float[][] {models[rank]};
        }

        @Override
        public void update(Update update) {
          Slice values = update.values();
          for (int i = 0; i < values.length(); i++) {
            float value = values.array()[values.offset() + i];
            int at = update.range().start() + i;
            models[rank][at] =
                update instanceof Update.GradientSum ? models[rank][at] + value : value;
          }
        }
      };
    }

    void start() {
      exchanges.forEach(ExchangeRunner::resume);
      deliver();
    }

    /** Completes rounds of random gradients, which are added to a total. */
    void rounds(int count, SplittableRandom random, float[] total) {
      for (int i = 0; i < count; i++) {
        round(
            () -> {
              float[] gradient = new float[LENGTH];
              for (int at = 0; at < LENGTH; at++) {
                gradient[at] = random.nextInt(-9, 10);
                total[at] += gradient[at];
              }
              return gradient;
            });
      }
    }

    void roundOfZeros() {
      round(() -> new float[LENGTH]);
    }

    private void round(Supplier<float[]> gradients) {
      for (ExchangeRunner hosted : exchanges) {
        hosted.contribute(new Contribution(round, gradients.get(), 1));
      }
      deliver();
      round++;
      for (ExchangeRunner hosted : exchanges) {
        assertThat(hosted.completedRounds()).isEqualTo(round);
      }
    }

    private void deliver() {
      while (!underWay.isEmpty()) {
        Message message = underWay.remove();
        exchanges.get(message.to()).receive(message);
      }
    }

    Role role(int rank) {
      return new Role(rank, new Roles(ranks, ranks), 1, type.stateFormat(options));
    }

    /** Returns the parts of all ranks in a checkpoint. */
    List<ReplicaPart> saved() throws IOException {
      List<ReplicaPart> parts = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        ExchangeRunner hosted = exchanges.get(rank);
        if (hosted.isSynchronous()) {
          hosted.rollBack();
        } else {
          assertThat(hosted.isQuiet()).isTrue();
        }
        Range range = Range.ofLength(LENGTH).part(rank, ranks);
        ReplicaPart part =
            new ReplicaPart(
                role(rank),
                true,
                true,
                new SavedPosition(round, round, 0, OptionalInt.empty(), 0),
                new SavedVectors(
                    SavedVectors.Kind.SHARE,
                    LENGTH,
                    range,
                    List.of(Slice.view(models[rank], range))),
                EpochSums.NONE,
                "summing",
                hosted.writeStates());
        parts.add(ReplicaPart.fromBytes(part.toBytes()));
      }
      return parts;
    }

    static Run restored(
        ExchangeType type, String codec, int ranks, List<ReplicaPart> parts, long round)
        throws IOException {
      Run run = new Run(type, codec, ranks, round);
      for (int rank = 0; rank < ranks; rank++) {
        Replica replica = Replica.of(parts, run.role(rank));
        System.arraycopy(replica.vectors()[0], 0, run.models[rank], 0, LENGTH);
        run.exchanges.get(rank).readStates(replica.exchangeStates());
      }
      return run;
    }

    float[] sumOfResiduals() throws IOException {
      return sumOf("residual");
    }

    /** Returns the sum over all ranks of a state that is a vector. */
    float[] sumOf(String name) throws IOException {
      float[] sum = new float[LENGTH];
      for (ExchangeRunner hosted : exchanges) {
        byte[] state = hosted.writeStates().get(name);
        float[] ofRank =
            StateVectors.read(new DataInputStream(new ByteArrayInputStream(state)), LENGTH);
        for (int i = 0; i < LENGTH; i++) {
          sum[i] += ofRank[i];
        }
      }
      return sum;
    }

    /**
     * Returns the sum of the model and the residuals: all that the workers have computed, with its
     * momentum.
     */
    float[] movedAndKept() throws IOException {
      float[] all = sumOfResiduals();
      for (int i = 0; i < LENGTH; i++) {
        all[i] += models[0][i];
      }
      return all;
    }

    void checkNothingIsLost(float[] computed) throws IOException {
      float[] kept = sumOfResiduals();
      for (float[] model : models) {
        for (int i = 0; i < LENGTH; i++) {
          assertThat(model[i] + kept[i]).isEqualTo(computed[i]);
        }
      }
    }
  }

  /** Uses whole numbers and whole thresholds, so that all sums are exact. */
  @ParameterizedTest
  @CsvSource({
    "ring, threshold:4",
    "ring, top-k:0.03",
    "ring, int4",
    "ring, bitmap:4",
    "tree, threshold:4",
    "tree, auto:8",
    "ft-tree, threshold:4",
    "ft-tree, top-k:0.03",
    "ft-tree, int4",
    "mesh, threshold:4",
    "mesh, auto:8",
    "uncoded, threshold:4",
    "sharing, threshold:4",
    "sharing, auto:8"
  })
  void fourTwoAndEightWorkersLoseNothing(String exchange, String codec) throws IOException {
    ExchangeType type = ExchangeType.named(exchange).orElseThrow();
    SplittableRandom random = new SplittableRandom(3);
    float[] computed = new float[LENGTH];
    Run run = new Run(type, codec, 4, 0);
    run.start();
    run.rounds(ROUNDS, random, computed);
    run.checkNothingIsLost(computed);
    assertThat(run.sumOfResiduals()).as("something is kept").isNotEqualTo(new float[LENGTH]);
    for (int ranks : new int[] {2, 8, 1, 3}) {
      List<ReplicaPart> parts = run.saved();
      float[] kept = run.sumOfResiduals();
      run = Run.restored(type, codec, ranks, parts, run.round);
      assertThat(run.sumOfResiduals()).isEqualTo(kept);
      run.start();
      run.rounds(ROUNDS, random, computed);
      run.checkNothingIsLost(computed);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ring, threshold",
    "ring, threshold:adaptive",
    "ring, top-k",
    "ring, dgc:3%",
    "ft-tree, dgc:3%",
    "mesh, dgc:3%",
    "tree, bitmap",
    "tree, bf16",
    "ring, fp16",
    "ft-tree, fp16",
    "ft-tree, threshold",
    "mesh, threshold:adaptive"
  })
  void atAsManyWorkersTheBitsAreTheSame(String exchange, String codec) throws IOException {
    ExchangeType type = ExchangeType.named(exchange).orElseThrow();
    Run undisturbed = new Run(type, codec, 4, 0);
    undisturbed.start();
    undisturbed.rounds(2 * ROUNDS, new SplittableRandom(3), new float[LENGTH]);

    SplittableRandom random = new SplittableRandom(3);
    Run run = new Run(type, codec, 4, 0);
    run.start();
    run.rounds(ROUNDS, random, new float[LENGTH]);
    run = Run.restored(type, codec, 4, run.saved(), run.round);
    run.start();
    run.rounds(ROUNDS, random, new float[LENGTH]);

    assertThat(run.models).isDeepEqualTo(undisturbed.models);
  }

  /**
   * Velocities of earlier gradients add to the next ones. Velocities of workers that no longer
   * exist are added to others'. In a round of zeros, all of the velocity arrives, multiplied by the
   * momentum.
   */
  @ParameterizedTest
  @CsvSource({"ring", "tree", "ft-tree", "mesh"})
  void velocitiesOfFourTwoAndEightWorkersAddUpToTheSame(String exchange) throws IOException {
    ExchangeType type = ExchangeType.named(exchange).orElseThrow();
    String codec = "dgc:3%";
    float momentum = new Compression.Corrected(0.03).momentum();
    SplittableRandom random = new SplittableRandom(3);
    Run run = new Run(type, codec, 4, 0);
    run.start();
    for (int ranks : new int[] {2, 8, 1, 3}) {
      run.rounds(ROUNDS, random, new float[LENGTH]);
      float[] velocity = run.sumOf("velocity");
      float[] before = run.movedAndKept();
      assertThat(velocity).as("something is to come").isNotEqualTo(new float[LENGTH]);
      run = Run.restored(type, codec, ranks, run.saved(), run.round);
      assertThat(run.sumOf("velocity")).containsExactly(velocity, within(1e-3f));
      assertThat(run.movedAndKept()).containsExactly(before, within(1e-3f));
      run.start();
      run.roundOfZeros();
      float[] after = run.movedAndKept();
      for (int i = 0; i < LENGTH; i++) {
        assertThat(after[i] - before[i]).isCloseTo(momentum * velocity[i], within(1e-3f));
      }
    }
  }

  /**
   * A release may have another default codec than a checkpoint. Residuals are sent all the same;
   * velocities begin at zero, and end with the codec that has them.
   */
  @ParameterizedTest
  @CsvSource({
    "sharing, threshold:warm, dgc",
    "sharing, threshold:adaptive, dgc:3%",
    "sharing, top-k:0.03, threshold:warm",
    "mesh, threshold:warm, dgc:3%",
    "ft-tree, bitmap:4, dgc:3%"
  })
  void underAnotherCodecAtOtherWorkersNothingThatWasKeptIsLost(
      String exchange, String before, String after) throws IOException {
    ExchangeType type = ExchangeType.named(exchange).orElseThrow();
    SplittableRandom random = new SplittableRandom(3);
    Run run = new Run(type, before, 4, 0);
    run.start();
    String codec = before;
    for (int ranks : new int[] {4, 2, 4, 8, 1, 3}) {
      run.rounds(ROUNDS, random, new float[LENGTH]);
      float[] kept = run.sumOfResiduals();
      float[] moved = run.movedAndKept();
      codec = codec.equals(before) ? after : before;
      run = Run.restored(type, codec, ranks, run.saved(), run.round);
      assertThat(run.sumOfResiduals()).containsExactly(kept, within(1e-3f));
      assertThat(run.movedAndKept()).containsExactly(moved, within(1e-3f));
      if (codec.startsWith("dgc")) {
        assertThat(run.sumOf("velocity")).isEqualTo(new float[LENGTH]);
      }
      run.start();
    }
    run.roundOfZeros();
  }

  /** Each average contains the mean of the ranks' changes and of their residuals. */
  @ParameterizedTest
  @CsvSource({"threshold:4", "top-k:0.03", "bitmap:4", "int4"})
  void averagesOfFourTwoAndEightWorkersLoseNothing(String codec) throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    float[] expected = new float[LENGTH];
    Run run = new Run(ExchangeType.AVERAGING, codec, 4, 0);
    run.start();
    for (int ranks : new int[] {4, 2, 8, 1}) {
      if (ranks != run.ranks) {
        run = Run.restored(ExchangeType.AVERAGING, codec, ranks, run.saved(), run.round);
        run.start();
      }
      float[] computed = new float[LENGTH];
      run.rounds(4 * AveragingDescriptor.INTERVAL.defaultFor().apply(ranks), random, computed);
      float[] kept = run.sumOfResiduals();
      assertThat(kept).as("something is kept").isNotEqualTo(new float[LENGTH]);
      for (int i = 0; i < LENGTH; i++) {
        expected[i] += computed[i] / ranks;
        for (float[] model : run.models) {
          assertThat(model[i] + kept[i] / ranks).isEqualTo(expected[i]);
        }
      }
    }
  }
}
