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
      sgd plain: 87409af7 dd663e21 af08f560
      sgd norm: 08ba73c2
      sgd long norm: 87409af7
      sgd value: cc664f36 c904b1da af08f560
      sgd value of each: 10aae67a 6ad4bda9 af08f560
      sgd statistics: d2c5283b fd048a0e af08f560
      sgd decays: 2a013d98 a3e2617f af08f560
      sgd decays of each: 2b022d72 a71b744a af08f560
      sgd all with norm: 56da941a
      sgd all with value: 8c578330 f816a9b9 af08f560
      sgd all of each: 8c25843a f2bcde4e af08f560
      momentum plain: ba445a7a e3d43439 f6aaf53a
      momentum norm: 1c818098
      momentum long norm: ba445a7a
      momentum value: c7b5a8d1 52f7518c efc8060d
      momentum value of each: 362ce586 daf8f3d1 a042dcef
      momentum statistics: 372e4356 7cdb119e 0d51ca72
      momentum decays: b1975740 bb8e9c3a f6aaf53a
      momentum decays of each: 30ed979f e89d6126 f6aaf53a
      momentum all with norm: d7eb58a1
      momentum all with value: 94d79e00 56d76a7e 665d1cb4
      momentum all of each: 494dfd5b 731a07f3 ca7b2266
      adam plain: 3271b558 2941f0bb cb481af3
      adam norm: 11781605
      adam long norm: 3271b558
      adam value: 8bd08160 4437d7c5 1281699d
      adam value of each: 6bc5ee4a 3d12488f 8bb91e2c
      adam statistics: 1cb53ff0 40ba15be 2d1b1b26
      adam decays: 88fae0b7 317d53a7 cb481af3
      adam decays of each: 069dcbe8 dc8da68f cb481af3
      adam all with norm: d0e06a22
      adam all with value: a64b60f6 46ed0713 2bd59201
      adam all of each: 868ecb81 e45101b5 9fc7e724
      amsgrad plain: 4f117571 7c675ba0 e46c0914
      amsgrad norm: 1af6fc50
      amsgrad long norm: 4f117571
      amsgrad value: 7f577202 c90b14e5 567d6068
      amsgrad value of each: 48a72d0f 84f10d66 884fffc5
      amsgrad statistics: 3a13cedb 036ae5f8 c53d1b70
      amsgrad decays: 8db1ec3d 2f2ee23f e46c0914
      amsgrad decays of each: 6fb02274 30ac447c e46c0914
      amsgrad all with norm: 32a1ae80
      amsgrad all with value: 99378b07 0b50d804 6e14afac
      amsgrad all of each: 3092aa63 330e862b bc5b0764
      rmsprop plain: fabbdf18 afbb1e41 aab52877
      rmsprop norm: 6dde74ec
      rmsprop long norm: fabbdf18
      rmsprop value: 01c5b62a 957178ed ffdf40c1
      rmsprop value of each: 7ee5ef1f a6bfbb56 a3312ddb
      rmsprop statistics: 9bf7915c 44c5f385 b5f2555b
      rmsprop decays: 7ce3f5e8 4dd2d32f aab52877
      rmsprop decays of each: a90837f9 3ecff8d2 aab52877
      rmsprop all with norm: 28063be6
      rmsprop all with value: 6ebf3d88 5c6d9695 bc5dfb18
      rmsprop all of each: ccabaffd 7f063b17 3a4bb7d9
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
