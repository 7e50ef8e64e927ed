package dev.braid.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.topology.RegularTree;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllocationTest {

  /**
   * Coefficients B of the (3,2)-tree in the paper: binary fractions, which doubles hold exactly.
   */
  private static final double[][] PAPERS_B = {{0.5, 1, 0}, {0, 1, -1}, {0.5, 0, 1}};

  /** Decoding coefficients of the (3,2)-tree in the paper; row i applies if child i is late. */
  private static final double[][] PAPERS_A = {{0, 1, 2}, {1, 0, 1}, {2, -1, 0}};

  /** Compares with the paper: §II-C and the example of the (3,2)-tree. */
  @ParameterizedTest
  @CsvSource({"3, 2, 1, 0.26666666667", "12, 2, 0, 0.00641025641", "4, 2, 1, 0.16666666667"})
  void theLoadIsThatOfTheorem1(int children, int layers, int stragglers, double load) {
    CodeTree codes = new CodeTree(RegularTree.ofLayers(children, layers), stragglers);
    assertThat(codes.load()).isCloseTo(load, within(1e-10));
    double sum = 0;
    for (int layer = 1; layer <= layers; layer++) {
      sum += Math.pow((double) children / (stragglers + 1), layer);
    }
    assertThat(codes.load()).isCloseTo(1 / sum, within(1e-12));
  }

  @Property(tries = 100)
  void withRepetitionAllLoadsAreEqualButForOneSample(
      @ForAll @IntRange(min = 1, max = 3) int groups,
      @ForAll @IntRange(min = 0, max = 3) int stragglers,
      @ForAll @IntRange(min = 1, max = 3) int layers,
      @ForAll @IntRange(min = 1, max = 1000) int samples) {
    int children = groups * (stragglers + 1);
    if (children == 1 && layers > 1) {
      return;
    }
    CodeTree codes = new CodeTree(RegularTree.ofLayers(children, layers), stragglers);
    assertThat(codes.isRepetition()).isTrue();
    Allocation allocation = new Allocation(codes, samples);
    int[] loads = loads(codes, allocation);
    int most = Arrays.stream(loads).max().orElseThrow();
    assertThat(most - Arrays.stream(loads).min().orElseThrow()).isLessThanOrEqualTo(1);
    assertThat(allocation.mostLoad()).isEqualTo(most);
    assertThat(most).isEqualTo((int) Math.ceil(codes.load() * samples - 1e-9));
  }

  /** A parent of 3 hands out each sample twice, and an odd share cannot be halved. */
  @Test
  void withOtherCodesTheyMayDifferByTwo() {
    CodeTree codes = new CodeTree(RegularTree.ofLayers(3, 2), 1);
    assertThat(loads(codes, new Allocation(codes, 3754))).contains(1000, 1002);
    assertThat(loads(codes, new Allocation(codes, 3750))).containsOnly(1000);
  }

  /**
   * Six workers are below two; a seventh is below only one of the workers that have the same part.
   */
  @Test
  void whereSubtreesOfAPartDiffer_theSumDependsOnWhoStraggles() {
    assertThat(new CodeTree(new RegularTree(6, 2), 1).isRepetition()).isTrue();
    assertThat(new CodeTree(new RegularTree(7, 2), 1).isRepetition()).isFalse();
    assertThat(new CodeTree(new RegularTree(7, 2), 0).isRepetition()).isTrue();
    assertThat(new CodeTree(new RegularTree(3, 3), 1).isRepetition()).isFalse();
  }

  /**
   * Two workers are below the master, and one of them has a child. Of three samples, it gets only
   * one for itself and its child.
   */
  @Test
  void ofFewSamplesAWorkerMayHaveNone_whereTheLastLayerHasGaps() {
    CodeTree codes = new CodeTree(new RegularTree(3, 2), 0);
    assertThat(new Allocation(codes, 3).leastLoad()).isZero();
    for (int samples = 1; samples < 60; samples++) {
      Allocation allocation = new Allocation(codes, samples);
      assertThat(allocation.leastLoad())
          .isEqualTo(Arrays.stream(loads(codes, allocation)).min().orElseThrow());
    }
  }

  /** Checks with exact numbers, for any stragglers: coefficients of repetition are 1. */
  @Property(tries = 100)
  void eachSampleIsInTheDecodedSumOnce(
      @ForAll @IntRange(min = 1, max = 40) int workers,
      @ForAll @IntRange(min = 2, max = 11) int children,
      @ForAll @IntRange(min = 0, max = 3) int stragglers,
      @ForAll @IntRange(min = 1, max = 400) int samples,
      @ForAll long seed) {
    RegularTree tree = new RegularTree(workers, children);
    CodeTree codes = new CodeTree(tree, Math.min(stragglers, Math.min(children, workers) - 1));
    Allocation allocation = new Allocation(codes, samples);
    double[] sum = decode(codes, allocation, samples, new SplittableRandom(seed));
    for (double times : sum) {
      assertThat(times).isCloseTo(1, within(codes.isRepetition() ? 0 : 1e-6));
    }
    Allocation sizes = Allocation.sizes(codes, samples);
    assertThat(loads(codes, sizes)).isEqualTo(loads(codes, allocation));
    assertThat(sizes.mostLoad()).isEqualTo(allocation.mostLoad());
    assertThat(Arrays.stream(loads(codes, allocation)).max().orElseThrow())
        .isLessThanOrEqualTo(allocation.mostLoad());
  }

  /** Uses the paper's B and A of the (3,2)-tree, whose numbers binary fractions hold exactly. */
  @Test
  void thePapersExampleIsExact() {
    for (double[] row : PAPERS_A) {
      for (int part = 0; part < 3; part++) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int child = 0; child < 3; child++) {
          sum = sum.add(new BigDecimal(row[child]).multiply(new BigDecimal(PAPERS_B[child][part])));
        }
        assertThat(sum).isEqualByComparingTo(BigDecimal.ONE);
      }
    }
    CyclicCode code = new CyclicCode(3, 1, PAPERS_B);
    for (int late = 0; late < 3; late++) {
      BitSet answered = new BitSet();
      answered.set(0, 3);
      answered.clear(late);
      Decoding decoding = code.decoding(answered).orElseThrow();
      for (int i = 0; i < 2; i++) {
        assertThat(decoding.coefficients()[i])
            .isCloseTo(PAPERS_A[late][decoding.children()[i]], within(1e-12));
      }
    }
  }

  /** Checks any number of samples, and any late child below each parent. */
  @Property(tries = 100)
  void withThePapersCodeEachSampleIsInTheSumExactlyOnce(
      @ForAll @IntRange(min = 1, max = 4) int layers,
      @ForAll @IntRange(min = 1, max = 500) int samples,
      @ForAll long seed) {
    CodeTree codes =
        new CodeTree(RegularTree.ofLayers(3, layers), 1, (n, s) -> new CyclicCode(n, s, PAPERS_B));
    double[] sum = new double[samples];
    addExactly(
        RegularTree.MASTER,
        1,
        codes,
        new Allocation(codes, samples),
        new SplittableRandom(seed),
        sum);
    assertThat(sum).containsOnly(1);
  }

  /** Adds the answers of a parent's children to the sum, multiplied by a coefficient. */
  private static void addExactly(
      int parent,
      double coefficient,
      CodeTree codes,
      Allocation allocation,
      SplittableRandom random,
      double[] sum) {
    int[] children = codes.childrenOf(parent);
    int late = random.nextInt(3);
    for (int i = 0; i < children.length; i++) {
      double decoding = coefficient * PAPERS_A[late][i];
      for (Piece piece : allocation.of(children[i])) {
        for (int sample = piece.start(); sample < piece.end(); sample++) {
          sum[sample] += decoding * piece.coefficient();
        }
      }
      addExactly(children[i], decoding, codes, allocation, random, sum);
    }
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> new CodeTree(new RegularTree(12, 3), 3))
        .hasMessage("3 stragglers below each parent of 3 children: must be 0 to 2");
    assertThatThrownBy(() -> GradientCode.of(4, 4))
        .hasMessage("4 stragglers of 4 children: must be 0 to 3");
    assertThatThrownBy(() -> new Allocation(new CodeTree(new RegularTree(2, 2), 0), 0))
        .hasMessage("0 samples in a round: must be at least 1");
  }

  private static int[] loads(CodeTree codes, Allocation allocation) {
    return IntStream.range(0, codes.tree().workers()).map(allocation::load).toArray();
  }

  /**
   * Returns how often each sample is in the master's sum, with the maximum number of stragglers.
   */
  private static double[] decode(
      CodeTree codes, Allocation allocation, int samples, SplittableRandom random) {
    double[] sum = new double[samples];
    addBelow(RegularTree.MASTER, codes, allocation, random, sum);
    return sum;
  }

  private static double[] answer(
      int worker, CodeTree codes, Allocation allocation, SplittableRandom random, int samples) {
    double[] answer = new double[samples];
    for (Piece piece : allocation.of(worker)) {
      for (int sample = piece.start(); sample < piece.end(); sample++) {
        answer[sample] += piece.coefficient();
      }
    }
    addBelow(worker, codes, allocation, random, answer);
    return answer;
  }

  private static void addBelow(
      int parent, CodeTree codes, Allocation allocation, SplittableRandom random, double[] sum) {
    int[] children = codes.tree().childrenOf(parent);
    if (children.length == 0) {
      return;
    }
    GradientCode code = codes.codeOf(parent);
    BitSet answered = new BitSet();
    answered.set(0, children.length);
    while (answered.cardinality() > children.length - code.stragglers()) {
      answered.clear(random.nextInt(children.length));
    }
    Decoding decoding = code.decoding(answered).orElseThrow();
    for (int i = 0; i < decoding.size(); i++) {
      double[] of = answer(children[decoding.children()[i]], codes, allocation, random, sum.length);
      for (int sample = 0; sample < sum.length; sample++) {
        sum[sample] += decoding.coefficients()[i] * of[sample];
      }
    }
  }

  @Property(tries = 200)
  void everyWorkerButThoseOfTheFirstLayerIsAChildOfItsParent(
      @ForAll @IntRange(min = 1, max = 300) int workers,
      @ForAll @IntRange(min = 2, max = 13) int children) {
    RegularTree tree = new RegularTree(workers, children);
    int all = 0;
    for (int parent = RegularTree.MASTER; parent < workers; parent++) {
      int[] below = tree.childrenOf(parent);
      assertThat(below.length).isLessThanOrEqualTo(children);
      all += below.length;
      for (int child : below) {
        assertThat(tree.parent(child)).isEqualTo(parent);
      }
    }
    assertThat(all).isEqualTo(workers);
    List<Integer> lastParents =
        IntStream.range(0, workers)
            .filter(worker -> tree.layerOf(worker) == tree.layers() - 1)
            .mapToObj(worker -> tree.childrenOf(worker).length)
            .toList();
    if (!lastParents.isEmpty()) {
      int most = lastParents.stream().max(Integer::compare).orElseThrow();
      int least = lastParents.stream().min(Integer::compare).orElseThrow();
      assertThat(most - least).isLessThanOrEqualTo(1);
    }
  }
}
