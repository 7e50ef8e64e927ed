package dev.braid.exchange.allreduce.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.mesh.MeshPlanner.Variant;
import dev.braid.exchange.option.ShardedUpdates;
import dev.braid.exchange.option.UnknownWordException;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Holes;
import dev.braid.topology.Mesh;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class MeshChooserTest {

  private static final MeshChooser CHOOSER = new MeshChooser(new MeshTraffic.Links(1.25e9, 100e-6));

  /**
   * Maximum memory for a choice among plans of hundreds of ranks, in bytes; the plans take most of
   * it.
   */
  private static final long MOST_BYTES = 400_000_000;

  /** Rows and columns work at the same time, and carry half of the vector each. */
  @Example
  void ofALargeVector_linksOfBothKindsCarryAHalf() {
    assertThat(CHOOSER.choose(new Mesh(4, 4).whole(), 10_000_000).algorithm())
        .isEqualTo(MeshAlgorithm.TWO_COLOURS);
    assertThat(CHOOSER.choose(Mesh.of("2x2x2").whole(), 10_000_000).algorithm())
        .isEqualTo(MeshAlgorithm.COLOURS);
  }

  @Property(tries = 15)
  void itTakesTheLeastOfThoseThatAreForTheMesh(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 1_000_000) int length) {
    HoledMesh mesh = Holes.inAnyDimensions(seed);
    Variant chosen = CHOOSER.choose(mesh, length);
    assertThat(chosen.algorithm().isFor(mesh.mesh())).isTrue();
    assertThat(chosen)
        .isEqualTo(
            variants(mesh)
                .min(Comparator.comparingLong(variant -> estimatedNanos(mesh, length, variant)))
                .orElseThrow());
    assertThat(CHOOSER.choose(mesh, length)).isEqualTo(chosen);
  }

  /** Compares with the rehearsal, with up to a third of the ranks failed. */
  @Example
  void ofMeshesWithHolesTheChoiceIsMostlyTheFastest() {
    List<Double> behind = new ArrayList<>();
    for (long seed = 0; seed < 60; seed++) {
      HoledMesh mesh = Holes.inAnyDimensions(seed);
      if (mesh.size() > 1) {
        int length = (int) Math.pow(10, new SplittableRandom(seed).nextDouble(4, 8));
        behind.add(timesTheFastest(CHOOSER, mesh, length));
      }
    }
    Collections.sort(behind);
    assertThat(behind.get(behind.size() / 2)).as("median").isEqualTo(1);
    assertThat(behind.get(behind.size() * 9 / 10)).as("nine of ten").isLessThan(1.05);
    assertThat(behind.get(behind.size() - 1)).as("the worst").isLessThan(1.2);
  }

  /**
   * The choice is at most 5% slower than the fastest, also on a mesh with a longer side, on which
   * colours are out of step, and with the links of {@code bench/mesh}.
   */
  @Example
  void ofManyRanksTheChoiceIsTheFastest_orNearlySo() {
    MeshChooser ofAccelerators = new MeshChooser(new MeshTraffic.Links(82e9, 500e-9));
    for (HoledMesh mesh : List.of(new Mesh(8, 8).whole(), new Mesh(8, 16).whole())) {
      for (int length : new int[] {10_000, 10_000_000}) {
        for (MeshChooser chooser : List.of(CHOOSER, ofAccelerators)) {
          assertThat(timesTheFastest(chooser, mesh, length))
              .as("%d values, %s, %s", length, mesh, chooser)
              .isLessThan(1.05);
        }
      }
    }
  }

  /** Returns the rehearsed time of the chosen variant, relative to that of the fastest variant. */
  private static double timesTheFastest(MeshChooser chooser, HoledMesh mesh, int length) {
    double chosen = rehearsedNanos(chooser, mesh, length, chooser.choose(mesh, length));
    return variants(mesh)
        .mapToDouble(variant -> chosen / rehearsedNanos(chooser, mesh, length, variant))
        .max()
        .orElseThrow();
  }

  private static long estimatedNanos(HoledMesh mesh, int length, Variant variant) {
    return MeshEstimate.nanos(
        MeshChooser.plan(mesh, length, variant),
        mesh.mesh().ranks(),
        mesh.routes(),
        CHOOSER.links(),
        MeshChooser.shorter(mesh, length),
        (double) length * Float.BYTES);
  }

  private static double rehearsedNanos(
      MeshChooser chooser, HoledMesh mesh, int length, Variant variant) {
    return MeshRehearsal.nanos(
        mesh,
        MeshChooser.plan(mesh, length, variant),
        MeshChooser.shorter(mesh, length),
        (double) length * Float.BYTES,
        chooser.links());
  }

  private static Stream<Variant> variants(HoledMesh mesh) {
    return Arrays.stream(MeshAlgorithm.values())
        .filter(algorithm -> algorithm.isFor(mesh.mesh()))
        .flatMap(algorithm -> Variant.of(algorithm).stream());
  }

  @Example
  void ofVeryManyRanksOneRingIsNotTheChoice() {
    HoledMesh mesh = new Mesh(42, 42).whole();
    assertThat(CHOOSER.choose(mesh, 100_000_000).algorithm()).isEqualTo(MeshAlgorithm.TWO_COLOURS);
    assertThat(CHOOSER.choose(mesh, 10_000).algorithm()).isNotEqualTo(MeshAlgorithm.ONE_RING);
    HoledMesh holed = new Mesh(42, 42).without(882, 883);
    assertThat(CHOOSER.choose(holed, 100_000_000).algorithm()).isNotEqualTo(MeshAlgorithm.ONE_RING);
  }

  /**
   * Each rank chooses on its own, and does not answer others meanwhile: the routes around holes are
   * therefore found once.
   */
  @Example
  void ofManyRanksAndHolesItTakesLittleMemory() {
    Mesh mesh = new Mesh(24, 24);
    SplittableRandom random = new SplittableRandom(24);
    int[] failed =
        IntStream.range(0, mesh.ranks()).filter(rank -> random.nextInt(10) == 0).toArray();
    ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = memory.getCurrentThreadAllocatedBytes();
    CHOOSER.choose(mesh.without(failed), 1_000_000);
    long allocated = memory.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).isLessThan(MOST_BYTES);
  }

  /**
   * For a given algorithm, chooses the variant: that of groups next to a hole that leaves many
   * smaller rings, and for a vector whose steps are mostly latency; the plain one without latency.
   */
  @Example
  void ofOneAlgorithmItTakesTheWay() {
    Mesh mesh = new Mesh(8, 8);
    HoledMesh holed = mesh.without(mesh.block(3, 2, 2, 4));
    MeshAlgorithm two = MeshAlgorithm.TWO_COLOURS;
    assertThat(CHOOSER.choose(holed, 10_000_000, two)).isEqualTo(Variant.hierarchical(two));
    assertThat(CHOOSER.choose(mesh.whole(), 64, two)).isEqualTo(Variant.hierarchical(two));
    MeshAlgorithm one = MeshAlgorithm.ROWS_THEN_COLUMNS;
    MeshChooser withoutLatency = new MeshChooser(new MeshTraffic.Links(1.25e9, 0));
    assertThat(withoutLatency.choose(mesh.whole(), 10_000_000, one)).isEqualTo(Variant.plain(one));
    assertThat(CHOOSER.choose(new Mesh(5, 5).whole(), 1_000, one)).isEqualTo(Variant.plain(one));
    MeshAlgorithm none = MeshAlgorithm.ROW_PAIRS;
    assertThat(CHOOSER.choose(new Mesh(1, 4).whole(), 100, none)).isEqualTo(Variant.plain(none));
  }

  @Example
  void aRunSaysWhatIsChosen() {
    MeshDescriptor descriptor = new MeshDescriptor();
    ExchangeOptions auto = ExchangeOptions.defaults(16);
    assertThat(descriptor.describe(auto)).contains("4x4, auto");
    assertThat(descriptor.describe(auto, 1_000_000))
        .contains("4x4, 2d-two-colour in groups by auto");
    assertThat(descriptor.describe(auto.with(ShardedUpdates.OPTION, true), 1_000_000))
        .hasValueSatisfying(words -> assertThat(words).endsWith("by auto, updates sharded"))
        .hasValueSatisfying(words -> assertThat(words).doesNotContain("colour"));
    ExchangeOptions two =
        ExchangeOptions.defaults(64)
            .with(MeshDescriptor.ALGORITHM, new MeshChoice.Of(MeshAlgorithm.TWO_COLOURS));
    assertThat(descriptor.describe(two, 64)).contains("8x8, 2d-two-colour in groups");
    assertThat(descriptor.describe(two.with(MeshDescriptor.GROUPS, false), 64))
        .contains("8x8, 2d-two-colour");
    List<Integer> hole = List.of(26, 27, 34, 35);
    assertThat(descriptor.describe(auto.with(MeshDescriptor.GROUPS, false), 64))
        .hasValueSatisfying(words -> assertThat(words).doesNotContain("groups"));
    assertThat(descriptor.describe(two, 64, 64, hole))
        .hasValueSatisfying(words -> assertThat(words).contains(": 2d-two-colour in groups, with"));
    assertThat(descriptor.describe(two.with(MeshDescriptor.GROUPS, false), 64, 64, hole))
        .hasValueSatisfying(words -> assertThat(words).contains(": 2d-two-colour, with"));
  }

  @Example
  void linksAreReadAsTheyAreTyped() {
    MeshTraffic.Links links = MeshDescriptor.LINKS.form().reader().apply("10gbit/100us");
    assertThat(links).isEqualTo(new MeshTraffic.Links(1.25e9, 100e-6));
    for (String text : new String[] {"10gbit/100us", "50mbit/2ms", "0.5mbit/1ns", "1gbit/0us"}) {
      MeshTraffic.Links read = MeshDescriptor.LINKS.form().reader().apply(text);
      assertThat(MeshDescriptor.LINKS.form().shown().apply(read)).isEqualTo(text);
    }
    for (String text :
        new String[] {"", "10gbit", "10gbit/", "/1ms", "10/1ms", "1gbit/1", "a/b/c"}) {
      assertThatThrownBy(() -> MeshDescriptor.LINKS.form().reader().apply(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> MeshChoice.of("3d")).isInstanceOf(UnknownWordException.class);
    assertThat(MeshChoice.of("auto")).isEqualTo(MeshChoice.AUTO);
    assertThat(MeshChoice.of("row-pairs")).isEqualTo(new MeshChoice.Of(MeshAlgorithm.ROW_PAIRS));
  }
}
