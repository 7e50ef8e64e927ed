package dev.braid.learner.optimiser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.VectorDigest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/**
 * Compares the bits of all optimisers, with everything between gradient and weights, with recorded
 * digests. Replicas of a run, and a restored run, rely on these bits.
 */
class OptimiserBitsTest {

  private static final int LENGTH = 5000;
  private static final int STEPS = 4;
  private static final long SAMPLES = 32;
  private static final int BATCH = 20;
  private static final Range SHARD = new Range(61, 4001);
  private static final Pace PACE = new Pace(10, 0, 0);
  private static final EpochSchedule SCHEDULE =
      new EpochSchedule(new EpochSchedule.Cosine(0.1), 0.2, 1);

  /**
   * One line for each optimiser and each kind of settings: digests of steps over the whole vector,
   * of steps with the state of a shard, and of a copy of the shard's state. A failure of the test
   * prints all lines.
   */
  private static final String RECORDED =
      """
      """;

  private static Map<String, Optimiser> optimisers(String name) {
    ParameterKinds statistics =
        new ParameterKinds(List.of(new Range(50, 70), new Range(4960, 4990)), List.of());
    ParameterKinds decays =
        new ParameterKinds(
            List.of(),
            List.of(
                new ParameterKinds.Decay(new Range(100, 2500), 0.01, true),
                new ParameterKinds.Decay(new Range(2600, 4900), 0.002, false)));
    ParameterKinds both = new ParameterKinds(statistics.statistics(), decays.decays());
    Clipping norm = new Clipping.ByNorm(10);
    Clipping value = new Clipping.ByValue(0.25);
    Map<String, Optimiser> all = new LinkedHashMap<>();
    all.put("plain", optimiser(name, Clipping.NONE, ParameterKinds.ALIKE, 0));
    all.put("norm", optimiser(name, norm, ParameterKinds.ALIKE, 0));
    all.put("long norm", optimiser(name, new Clipping.ByNorm(1e6), ParameterKinds.ALIKE, 0));
    all.put("value", optimiser(name, value, ParameterKinds.ALIKE, 0));
    all.put("value of each", optimiser(name, value, ParameterKinds.ALIKE, BATCH));
    all.put("statistics", optimiser(name, Clipping.NONE, statistics, 0));
    all.put("decays", optimiser(name, Clipping.NONE, decays, 0));
    all.put("decays of each", optimiser(name, Clipping.NONE, decays, BATCH));
    all.put("all with norm", optimiser(name, norm, both, 0));
    all.put("all with value", optimiser(name, value, both, 0));
    all.put("all of each", optimiser(name, value, both, BATCH));
    return all;
  }

  private static Optimiser optimiser(
      String name, Clipping clipping, ParameterKinds parameters, int batch) {
    UpdaterSpec updater = UpdaterSpec.of(name, OptionalDouble.empty());
    return new Optimiser(updater, SCHEDULE, clipping, parameters, batch);
  }

  @Test
  void bitsAreTheRecordedOnes() {
    StringBuilder lines = new StringBuilder();
    for (String name : UpdaterSpec.NAMES) {
      optimisers(name)
          .forEach(
              (settings, optimiser) ->
                  lines.append(name + " " + settings + ": " + bits(optimiser) + "\n"));
    }
    assertThat(lines.toString()).isEqualTo(RECORDED);
  }

  private static String bits(Optimiser optimiser) {
    // Clipping by norm needs the whole gradient.
    return optimiser.clipping() instanceof Clipping.ByNorm
        ? ofWhole(optimiser)
        : ofWhole(optimiser) + " " + ofShard(optimiser) + " " + ofCopy(optimiser);
  }

  private static String ofWhole(Optimiser optimiser) {
    Updater updater = optimiser.create(PACE);
    float[] weights = weights();
    float[][] state = state(optimiser, LENGTH);
    for (int step = 0; step < STEPS; step++) {
      Range whole = Range.ofLength(LENGTH);
      updater.step(weights, state, 0, step(whole, step));
    }
    return digest(weights, state);
  }

  private static Step step(Range range, int number) {
    Slice sum = Slice.view(gradient(number), range);
    return new Step(range, sum, SAMPLES, gradients(number), number);
  }

  private static String ofShard(Optimiser optimiser) {
    Updater updater = optimiser.create(PACE);
    float[] weights = weights();
    float[][] state = state(optimiser, SHARD.length());
    for (int step = 0; step < STEPS; step++) {
      for (int i = SHARD.chunks(999) - 1; i >= 0; i--) {
        updater.step(weights, state, SHARD.start(), step(SHARD.chunk(i, 999), step));
      }
    }
    return digest(weights, state);
  }

  private static String ofCopy(Optimiser optimiser) {
    Updater updater = optimiser.create(PACE);
    float[][] state = state(optimiser, SHARD.length());
    for (int step = 0; step < STEPS; step++) {
      float[] sum = Arrays.copyOfRange(gradient(step), SHARD.start(), SHARD.end());
      Slice values = Slice.view(sum, 0, sum.length);
      updater.remember(state, SHARD.start(), new Step(SHARD, values, SAMPLES, 1, step));
    }
    return digest(new float[0], state);
  }

  /** Returns the number of gradients in the sum of a step: alternately one and several. */
  private static int gradients(int step) {
    return step % 2 == 0 ? 1 : 3;
  }

  private static float[] weights() {
    return random(1, 1f);
  }

  private static float[] gradient(int step) {
    return random(100 + step, (float) SAMPLES);
  }

  /** Returns values between plus and minus half of the scale, and zeros of both signs. */
  private static float[] random(long seed, float scale) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      float value = (float) (random.nextDouble() - 0.5) * scale;
      if (i % 17 == 0) {
        value = Math.copySign(0f, value);
      } else if (i % 23 == 0) {
        value *= 1e-38f;
      }
      values[i] = value;
    }
    return values;
  }

  private static float[][] state(Optimiser optimiser, int length) {
    float[][] state = new float[optimiser.create(PACE).stateVectors()][length];
    for (float[] vector : state) {
      Arrays.fill(vector, optimiser.updater().initialState());
    }
    return state;
  }

  private static String digest(float[] weights, float[][] state) {
    CRC32 digest = new CRC32();
    digest.update(VectorDigest.sha256(weights));
    for (float[] vector : state) {
      digest.update(VectorDigest.sha256(vector));
    }
    return "%08x".formatted(digest.getValue());
  }
}
