package dev.braid.exchange.coded;

import dev.braid.coding.CodeTree;
import dev.braid.coding.CyclicCode;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import dev.braid.exchange.state.StateKind;
import dev.braid.topology.RegularTree;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** Options of the coded exchanges, and the tree that follows from them. */
public final class CodedOptions {

  /** Value of {@link #CHILDREN} that derives the number of children from the number of layers. */
  private static final int FROM_LAYERS = 0;

  /** S: number of each parent's children that it does not wait for. */
  public static final ExchangeOption<Integer> STRAGGLERS =
      ExchangeOption.named("stragglers", "S", ValueForm.wholeNumber(0, Integer.MAX_VALUE))
          .help(
              "Number of workers below each parent that can be late. The price: that many "
                  + "workers compute the same samples; with drop-stragglers, the samples of late "
                  + "workers are lost.")
          .byDefault("1, or 0 for one worker", workers -> Math.min(1, Math.max(0, workers - 1)));

  /** n: number of children of a parent. */
  public static final ExchangeOption<Integer> CHILDREN =
      ExchangeOption.named("children", "N", ValueForm.wholeNumber(2, Integer.MAX_VALUE))
          .help(
              "Number of workers below each parent of the tree. With 2 and stragglers=1, one "
                  + "of each pair can be late.")
          .foundOutByDefault(
              "the least number with at most that many layers, or slightly more", FROM_LAYERS);

  /** L: maximum number of layers of workers. */
  public static final ExchangeOption<Integer> LAYERS =
      ExchangeOption.named("layers", "L", ValueForm.wholeNumber(1, Integer.MAX_VALUE))
          .help("Largest number of layers of workers in the tree; 1: a master and its workers.")
          .byDefault(2);

  /** Whether the tree stays the same for the whole run. */
  public static final ExchangeOption<Plan> PLAN =
      ExchangeOption.named("plan", "NAME", ValueForm.word(Plan.class, Plan::title))
          .help(
              "fixed: the tree does not change, so that a second run ends with the same "
                  + "bits. auto: chooses the tree again after each epoch from the measured times "
                  + "of gradients and answers; children, layers and stragglers are for the first "
                  + "epoch.")
          .byDefault(Plan.FIXED);

  /** Source of the tree. */
  public enum Plan {
    /** The options determine the tree for the whole run. */
    FIXED,
    /** Measured times determine the tree from the second epoch on. */
    AUTO;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private CodedOptions() {}

  /**
   * Returns the tree of {@code coded} for the given number of workers. If fewer workers are left
   * than were requested, a parent has at most all of them as children, and waits for at least one.
   */
  static CodeTree tree(ExchangeOptions chosen, int workers) {
    int children = chosen.get(CHILDREN);
    return children == FROM_LAYERS
        ? fitted(workers, chosen.get(LAYERS), chosen.get(STRAGGLERS))
        : of(workers, children, chosen.get(STRAGGLERS));
  }

  /** Returns whether the tree can change at the end of an epoch. */
  public static boolean choosesAnew(ExchangeOptions chosen) {
    return chosen.get(PLAN) == Plan.AUTO;
  }

  /** Returns a tree of one layer: a master with all workers as its children. */
  static CodeTree star(ExchangeOptions chosen, int workers) {
    return of(workers, workers, chosen.get(STRAGGLERS));
  }

  /** Returns a tree of one layer whose master waits for all workers. */
  static CodeTree starOfAll(int workers) {
    return of(workers, workers, 0);
  }

  /**
   * Returns the state that an exchange of this family saves in checkpoints: the number of rounds,
   * if the root has no batches.
   */
  static List<StateKind> states(ExchangeOptions chosen) {
    return chosen.get(ExchangeOptions.ROOT) == ExchangeOptions.DEDICATED
        ? List.of(CodedReduce.ROUNDS)
        : List.of();
  }

  private static CodeTree of(int workers, int children, int stragglers) {
    int below = Math.min(children, workers);
    return new CodeTree(new RegularTree(workers, below), Math.min(stragglers, below - 1));
  }

  /**
   * Returns the tree with the fewest children per parent that has at most the given number of
   * layers and whose sum has the same bits regardless of stragglers. If there is none, returns the
   * tree with the smallest load among those with up to twice the fewest children. In a tree of few
   * children the last layer may be nearly empty, so that each of its workers computes all samples
   * of its parent.
   */
  private static CodeTree fitted(int workers, int layers, int stragglers) {
    int fewest = Math.min(workers, Math.max(fewestChildren(workers, layers), stragglers + 1));
    return IntStream.rangeClosed(fewest, workers)
        .mapToObj(children -> of(workers, children, stragglers))
        .filter(CodeTree::isRepetition)
        .findFirst()
        .orElseGet(
            () ->
                IntStream.rangeClosed(fewest, Math.min(workers, 2 * fewest))
                    .mapToObj(children -> of(workers, children, stragglers))
                    .min(Comparator.comparingDouble(CodeTree::load))
                    .orElseThrow());
  }

  private static int fewestChildren(int workers, int layers) {
    int children = Math.min(2, workers);
    while (new RegularTree(workers, children).layers() > layers) {
      children++;
    }
    return children;
  }

  /** Returns why {@code coded} cannot run with the chosen options; empty if it can. */
  static Optional<String> mistakeInTree(ExchangeOptions chosen) {
    int workers = chosen.workers();
    int children = chosen.get(CHILDREN);
    int layers = chosen.get(LAYERS);
    if (children > workers) {
      return Optional.of(
          "%s: must be at most %d, the number of workers"
              .formatted(CHILDREN.with(children), workers));
    }
    if (chosen.isChosen(LAYERS) && layers > mostLayers(workers)) {
      return Optional.of(
          "%s: a tree of %d workers has at most %d layers"
              .formatted(LAYERS.with(layers), workers, mostLayers(workers)));
    }
    int below = children == FROM_LAYERS ? tree(chosen, workers).tree().children() : children;
    return mistakeInStragglers(chosen, below).or(() -> mistakeInRoot(chosen));
  }

  /** Returns why a {@linkplain #star star} cannot run with the chosen options; empty if it can. */
  static Optional<String> mistakeInStar(ExchangeOptions chosen) {
    return mistakeInStragglers(chosen, chosen.workers()).or(() -> mistakeInRoot(chosen));
  }

  private static int mostLayers(int workers) {
    return new RegularTree(workers, Math.min(2, workers)).layers();
  }

  /**
   * Returns why the chosen number of stragglers is impossible; empty if it is possible.
   *
   * @param children number of children of a parent
   */
  private static Optional<String> mistakeInStragglers(ExchangeOptions chosen, int children) {
    int stragglers = chosen.get(STRAGGLERS);
    return stragglers < children
        ? Optional.empty()
        : Optional.of(
            "%s: a parent must wait for at least one of its %d workers: must be 0 to %d"
                .formatted(STRAGGLERS.with(stragglers), children, children - 1));
  }

  /** Returns why the chosen root is impossible; empty if it is possible. */
  static Optional<String> mistakeInRoot(ExchangeOptions chosen) {
    int root = chosen.get(ExchangeOptions.ROOT);
    return root < chosen.workers()
        ? Optional.empty()
        : Optional.of(
            "%s: must be a worker's rank, 0 to %d, or dedicated"
                .formatted(ExchangeOptions.ROOT.with(root), chosen.workers() - 1));
  }

  /**
   * Returns why a code cannot be combined with the chosen compression; empty if it can. A residual
   * depends on all gradients that a rank has computed. A rank that was late has skipped gradients
   * which its stand-ins have computed, so its next answer would differ from theirs.
   */
  static Optional<String> mistakeInCompression(
      ExchangeDescriptor exchange, ExchangeOptions chosen, boolean alwaysRepeats) {
    Compression compression = chosen.get(Compression.OPTION);
    if (compression instanceof Compression.HalfBits && !alwaysRepeats) {
      return Optional.of(
          ("%s: decoding magnifies rounding errors, up to hundreds of times, unless all "
                      + "coefficients are 1;")
                  .formatted(Compression.OPTION.with(compression))
              + " use none, or bf16 and fp16 with a tree of equal sums, such as stragglers=1 "
              + "and an even number of children");
    }
    return Compression.mistakeUnlessAllIsSent(
        compression,
        exchange.name()
            + " needs identical answers from workers that stand in for each other, but late "
            + "workers keep different residuals");
  }

  /** Describes a tree for a run's first line. */
  static String describe(CodeTree codes) {
    RegularTree tree = codes.tree();
    return String.format(
        Locale.ROOT,
        "n = %d, L = %d, s = %d, load r = %.3f%s",
        tree.children(),
        tree.layers(),
        codes.stragglers(),
        codes.load(),
        codes.isRepetition() ? "" : ", equal up to rounding" + asLargeAs(codes));
  }

  /**
   * Returns a warning if decoding magnifies rounding errors without a known bound; empty otherwise.
   */
  private static String asLargeAs(CodeTree codes) {
    return codes.largestCyclicCode() <= CyclicCode.MOST_BOUNDED
        ? ""
        : ", which decoding can magnify ten thousand times; if s + 1 divides n, it does not";
  }
}
