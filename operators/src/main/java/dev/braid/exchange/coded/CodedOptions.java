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
import java.util.function.Function;
import java.util.stream.IntStream;

/** What may be chosen of coded exchanges, and the tree that follows from it. */
public final class CodedOptions {

  /** Of {@link #CHILDREN}: as many as follow from the layers. */
  private static final int FROM_LAYERS = 0;

  /** S: how many of a parent's children are not waited for. */
  public static final ExchangeOption<Integer> STRAGGLERS =
      ExchangeOption.named("stragglers", "S", ValueForm.wholeNumber(0, Integer.MAX_VALUE))
          .help(
              "Number of workers below each parent that can be late. The price: that many "
                  + "workers compute the same samples; with drop-stragglers, the samples of late "
                  + "workers are lost.")
          .byDefault("1, or 0 for one worker", workers -> Math.min(1, Math.max(0, workers - 1)));

  /** n: how many children a parent has. */
  public static final ExchangeOption<Integer> CHILDREN =
      ExchangeOption.named("children", "N", ValueForm.wholeNumber(2, Integer.MAX_VALUE))
          .help(
              "Number of workers below each parent of the tree. With 2 and stragglers=1, one "
                  + "of each pair can be late.")
          .foundOutByDefault(
              "the least number with at most that many layers, or slightly more", FROM_LAYERS);

  /** L: how many layers of workers there are. */
  public static final ExchangeOption<Integer> LAYERS =
      ExchangeOption.named("layers", "L", ValueForm.wholeNumber(1, Integer.MAX_VALUE))
          .help("Largest number of layers of workers in the tree; 1: a master and its workers.")
          .byDefault(2);

  /** Whether the tree stays as it is. */
  public static final ExchangeOption<Plan> PLAN =
      ExchangeOption.named("plan", "NAME", ValueForm.word(Plan.class, Plan::title))
          .help(
              "fixed: the tree does not change, so that a second run ends with the same "
                  + "bits. auto: chooses the tree again after each epoch from the measured times "
                  + "of gradients and answers; children, layers and stragglers are for the first "
                  + "epoch.")
          .byDefault(Plan.FIXED);

  /** An earlier run that chooses {@link #CHILDREN} and {@link #STRAGGLERS}; none by default. */
  public static final ExchangeOption<String> PLAN_FROM =
      ExchangeOption.named(
              "plan-from",
              "FOLDER",
              new ValueForm<>(
                  String.class, "the results of a run", Function.identity(), place -> place))
          .help(
              "The --out folder of an earlier run with the same model and batch (a path "
                  + "without commas). Its measured times of gradients and answers choose children "
                  + "and stragglers with the shortest rounds.")
          .foundOutByDefault("no choice: children and stragglers are as given", "");

  /** The options that {@link #PLAN_FROM} takes the place of. */
  static final List<ExchangeOption<?>> PLANNED = List.of(STRAGGLERS, CHILDREN, LAYERS);

  /** Where the tree comes from. */
  public enum Plan {
    /** From the options. */
    FIXED,
    /** From what is measured, from the second epoch on. */
    AUTO;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private CodedOptions() {}

  /**
   * The tree of {@code coded}, for as many workers as there are. Where fewer are left than were
   * asked for, a parent has at most all of them, and at least one is waited for.
   */
  static CodeTree tree(ExchangeOptions chosen, int workers) {
    int children = chosen.get(CHILDREN);
    return children == FROM_LAYERS
        ? fitted(workers, chosen.get(LAYERS), chosen.get(STRAGGLERS))
        : of(workers, children, chosen.get(STRAGGLERS));
  }

  /** Whether another tree may follow at the end of an epoch. */
  public static boolean choosesAnew(ExchangeOptions chosen) {
    return chosen.get(PLAN) == Plan.AUTO;
  }

  /** A master with all workers below it. */
  static CodeTree star(ExchangeOptions chosen, int workers) {
    return of(workers, workers, chosen.get(STRAGGLERS));
  }

  /** A master that waits for all workers below it. */
  static CodeTree starOfAll(int workers) {
    return of(workers, workers, 0);
  }

  /** The states of any exchange of the family. */
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
   * The fewest children with which the layers are no more, and the sum has the same bits whoever
   * straggles. Where no number has such sums, the least load: the last layer of a tree of few
   * children may be nearly empty, and each worker of it compute all of them.
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

  /** Why {@code coded} cannot have what is chosen. */
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
          "%s: %d workers fill %d at most"
              .formatted(LAYERS.with(layers), workers, mostLayers(workers)));
    }
    int below = children == FROM_LAYERS ? tree(chosen, workers).tree().children() : children;
    return mistakeInStragglers(chosen, below).or(() -> mistakeInRoot(chosen));
  }

  /** Why a {@linkplain #star star} cannot have what is chosen. */
  static Optional<String> mistakeInStar(ExchangeOptions chosen) {
    return mistakeInStragglers(chosen, chosen.workers()).or(() -> mistakeInRoot(chosen));
  }

  private static int mostLayers(int workers) {
    return new RegularTree(workers, Math.min(2, workers)).layers();
  }

  /**
   * Why so many stragglers are impossible.
   *
   * @param children of a parent
   */
  private static Optional<String> mistakeInStragglers(ExchangeOptions chosen, int children) {
    int stragglers = chosen.get(STRAGGLERS);
    return stragglers < children
        ? Optional.empty()
        : Optional.of(
            "%s: a parent must wait for at least one of its %d workers: must be 0 to %d"
                .formatted(STRAGGLERS.with(stragglers), children, children - 1));
  }

  /** Why the root cannot be where it is to be. */
  static Optional<String> mistakeInRoot(ExchangeOptions chosen) {
    int root = chosen.get(ExchangeOptions.ROOT);
    return root < chosen.workers()
        ? Optional.empty()
        : Optional.of(
            "%s: the workers are ranks 0 to %d; dedicated is a rank of its own"
                .formatted(ExchangeOptions.ROOT.with(root), chosen.workers() - 1));
  }

  /**
   * Why a code cannot have what is chosen to make gradients smaller. What a rank keeps for later
   * depends on all that it has computed; one that was late has not computed what others have that
   * stand in for it, and its next answer would be another than theirs.
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
            + " needs identical answers from workers that stand in for each other, and late "
            + "workers keep other residuals");
  }

  /** A tree in a run's first line. */
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

  /** What there is no bound for is told. */
  private static String asLargeAs(CodeTree codes) {
    return codes.largestCyclicCode() <= CyclicCode.MOST_BOUNDED
        ? ""
        : ", which decoding can magnify ten thousand times; if s + 1 divides n, it does not";
  }
}
