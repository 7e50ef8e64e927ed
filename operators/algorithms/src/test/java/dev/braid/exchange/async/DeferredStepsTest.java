package dev.braid.exchange.async;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class DeferredStepsTest {

  private final List<DeferredSteps.Part> applied = new ArrayList<>();

  /** Ranges may arrive in any way, also while some are applied: each is applied exactly once. */
  @Property(tries = 500)
  void allThatComesIsAppliedOnce(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 40) int length,
      @ForAll @IntRange(min = 1, max = 50) int parts) {
    SplittableRandom random = new SplittableRandom(seed);
    DeferredSteps deferred = new DeferredSteps(length);
    float[] come = new float[length];
    float[] gone = new float[length];
    for (int i = 0; i < 30; i++) {
      if (random.nextInt(3) > 0) {
        int start = random.nextInt(length);
        Range range = new Range(start, random.nextInt(start + 1, length + 1));
        float[] values = new float[range.length()];
        for (int j = 0; j < values.length; j++) {
          values[j] = random.nextInt(-9, 10);
        }
        deferred.add(gradient(range, values, random.nextInt(1, 1000)), parts);
        add(come, range, values);
      } else {
        deferred.applyNext(part -> add(gone, part.range(), part.values().toArray()));
      }
    }
    float[] waiting = gone.clone();
    deferred.parts().forEach(part -> add(waiting, part.range(), part.values().toArray()));
    assertThat(waiting).isEqualTo(come);
    deferred.applyAll(part -> add(gone, part.range(), part.values().toArray()));
    assertThat(gone).isEqualTo(come);
    assertThat(deferred.parts()).isEmpty();
  }

  @Example
  void whatComesAtOnce_isAppliedInSoManyRounds() {
    DeferredSteps deferred = new DeferredSteps(6);
    deferred.add(gradient(new Range(0, 6), new float[] {1, 2, 3, 4, 5, 6}, 90), 3);
    deferred.add(gradient(new Range(0, 2), new float[] {1, 1}, 40), 3);

    for (int i = 0; i < 4; i++) {
      deferred.applyNext(
          part ->
              applied.add(
                  new DeferredSteps.Part(part.range(), copy(part.values()), part.samples())));
    }
    assertThat(applied)
        .extracting(DeferredSteps.Part::range)
        .containsExactlyInAnyOrder(new Range(0, 2), new Range(2, 4), new Range(4, 6));
    assertThat(applied)
        .filteredOn(part -> part.range().start() == 0)
        .allSatisfy(part -> assertThat(part.values().toArray()).containsExactly(2, 3))
        .allSatisfy(part -> assertThat(part.samples()).isEqualTo(130));
    assertThat(applied)
        .filteredOn(part -> part.range().start() == 4)
        .allSatisfy(part -> assertThat(part.samples()).isEqualTo(90));
  }

  @Example
  void nothingThatCame_isNothingToApply() {
    DeferredSteps deferred = new DeferredSteps(6);
    deferred.applyNext(applied::add);
    deferred.applyAll(applied::add);
    assertThat(applied).isEmpty();
    assertThat(deferred.vectors()).isZero();
  }

  private static Slice copy(Slice values) {
    return Slice.view(values.toArray(), 0, values.length());
  }

  private static Gradient gradient(Range range, float[] values, long samples) {
    Slice slice = Slice.view(values, 0, values.length);
    return new Gradient(range, samples, true, Payload.of(slice));
  }

  private static void add(float[] into, Range range, float[] values) {
    for (int i = 0; i < values.length; i++) {
      into[range.start() + i] += values[i];
    }
  }
}
