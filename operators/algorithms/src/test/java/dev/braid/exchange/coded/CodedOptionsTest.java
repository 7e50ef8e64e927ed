package dev.braid.exchange.coded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.topology.RegularTree;
import java.util.BitSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodedOptionsTest {

  private static final CodedDescriptor CODED = new CodedDescriptor();

  @Property(tries = 64)
  void anyNumberOfWorkersHasATree_andEvenOnesSumsOfTheSameBits(
      @ForAll @IntRange(min = 1, max = 64) int workers) {
    ExchangeOptions options = ExchangeOptions.defaults(workers);
    CodeTree codes = CODED.codes(options, workers).orElseThrow();
    assertThat(CODED.mistake(options)).isEmpty();
    assertThat(codes.tree().workers()).isEqualTo(workers);
    assertThat(codes.tree().layers()).isLessThanOrEqualTo(2);
    assertThat(codes.stragglers()).isEqualTo(workers == 1 ? 0 : 1);
    assertThat(codes.isRepetition()).isEqualTo(workers % 2 == 0 || workers == 1);
    assertThat(CODED.isRepeatable(options)).isEqualTo(codes.isRepetition());
  }

  /** With n + n² workers, the tree is that of the paper. */
  @ParameterizedTest
  @CsvSource({"6, 2", "20, 4", "42, 6"})
  void aTreeThatTwoLayersFillHasTheFewestChildren(int workers, int children) {
    CodeTree codes = CODED.codes(ExchangeOptions.defaults(workers), workers).orElseThrow();
    assertThat(codes.tree()).isEqualTo(RegularTree.ofLayers(children, 2));
  }

  /**
   * An odd number has no sums of equal bits: with the fewest children, three would compute
   * everything.
   */
  @ParameterizedTest
  @CsvSource({"3, 3", "5, 2", "7, 3", "9, 4", "11, 5", "15, 7"})
  void anOddNumberHasTheTreeOfTheLeastLoad_ofThoseWithFewChildren(int workers, int children) {
    CodeTree codes = CODED.codes(ExchangeOptions.defaults(workers), workers).orElseThrow();
    assertThat(codes.tree().children()).isEqualTo(children);
    assertThat(codes.load()).isLessThanOrEqualTo(2.5 / workers);
  }

  /**
   * A cluster may have lost slots: the tree has as many stragglers as possible, and its root at an
   * existing rank.
   */
  @Property(tries = 100)
  void fewerWorkersThanWereAskedForHaveATree(
      @ForAll @IntRange(min = 1, max = 20) int left,
      @ForAll @IntRange(min = 2, max = 20) int children,
      @ForAll @IntRange(min = 0, max = 19) int stragglers,
      @ForAll @IntRange(min = 0, max = 19) int root) {
    ExchangeOptions options =
        ExchangeOptions.defaults(20)
            .with(CodedOptions.CHILDREN, children)
            .with(CodedOptions.STRAGGLERS, stragglers)
            .with(ExchangeOptions.ROOT, root);
    CodeTree codes = CODED.codes(options, left).orElseThrow();
    assertThat(codes.tree().workers()).isEqualTo(left);
    assertThat(IntStream.range(0, left).filter(rank -> isRoot(codes, rank, options))).hasSize(1);
  }

  private static boolean isRoot(CodeTree codes, int rank, ExchangeOptions options) {
    ExchangeConfig config = new ExchangeConfig(rank, codes.tree().workers(), 1, 1, 0, options);
    return CodedLayout.of(codes, config).isRoot();
  }

  @Test
  void theFirstLineHasTheTreeAndTheLoad() {
    assertThat(CODED.describe(ExchangeOptions.defaults(6)))
        .hasValue("n = 2, L = 2, s = 1, load r = 0.500");
    assertThat(new GradientCodingDescriptor().describe(ExchangeOptions.defaults(3)))
        .hasValue("n = 3, L = 1, s = 1, load r = 0.667, equal up to rounding");
    ExchangeOptions many = ExchangeOptions.defaults(20).with(CodedOptions.STRAGGLERS, 10);
    assertThat(new GradientCodingDescriptor().describe(many).orElseThrow())
        .endsWith(
            "equal up to rounding, which decoding can magnify ten thousand times; if s + 1 divides"
                + " n, it does not");
  }

  /**
   * Any root has all other ranks below it, each once, and receives from the ranks that it sends to.
   */
  @Property(tries = 200)
  void sumsReachAllRanksOnce(
      @ForAll @IntRange(min = 1, max = 40) int workers,
      @ForAll @IntRange(min = 2, max = 7) int children,
      @ForAll @IntRange(min = 0, max = 39) int rootSeed) {
    int root = rootSeed % workers;
    CodeTree codes = new CodeTree(new RegularTree(workers, Math.min(children, workers)), 0);
    BitSet reached = new BitSet();
    reach(codes, root, root, reached);
    assertThat(reached.cardinality()).isEqualTo(workers);
  }

  private static void reach(CodeTree codes, int root, int rank, BitSet reached) {
    assertThat(reached.get(rank)).as("rank %d again", rank).isFalse();
    reached.set(rank);
    for (int below : new CodedLayout(codes, root, rank, codes.tree().workers()).below()) {
      assertThat(new CodedLayout(codes, root, below, codes.tree().workers()).parent())
          .isEqualTo(rank);
      reach(codes, root, below, reached);
    }
  }
}
