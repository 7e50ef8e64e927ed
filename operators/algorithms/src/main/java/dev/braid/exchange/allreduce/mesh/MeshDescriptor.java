package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.allreduce.mesh.MeshPlanner.Variant;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ShardedUpdates;
import dev.braid.exchange.option.ValueForm;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Descriptor of {@code mesh}. */
public final class MeshDescriptor implements ExchangeDescriptor {

  /** Shape of the mesh: its rows and columns, or more dimensions. */
  public static final ExchangeOption<Mesh> MESH =
      ExchangeOption.named(
              "shape",
              "RxC",
              new ValueForm<>(
                  Mesh.class, "RxC, RxCxD or more, torus:RxC", Mesh::of, Mesh::toString))
          .help(
              "Rows and columns of the mesh, such as 2x4, whose product is the number of "
                  + "workers; or more dimensions, such as 2x2x2; or torus:4x4, in which a link "
                  + "closes each line.")
          .byDefault("the most square shape", workers -> Mesh.mostSquare(Math.max(1, workers)));

  /** Algorithm of the sum. */
  public static final ExchangeOption<MeshChoice> ALGORITHM =
      ExchangeOption.named(
              "algorithm",
              "NAME",
              new ValueForm<>(
                  MeshChoice.class, MeshChoice.KNOWN, MeshChoice::of, MeshChoice::toString))
          .help(
              "Algorithm of the sum. 1d: one ring of all workers. 2d: rings of rows, then of "
                  + "columns. 2d-two-colour: one half as 2d, the other half with columns first. "
                  + "row-pairs: rings of two rows, then across. nd: rings along each dimension in "
                  + "turn. nd-colours: as nd, with one part per dimension, each in another order. "
                  + "auto: the algorithm with the shortest predicted time, chosen again when "
                  + "workers are excluded.")
          .byDefault(MeshChoice.AUTO);

  /**
   * Assumed bandwidth and latency of each link, for the choice of the algorithm. The default is
   * about what Flink achieves on a 10 Gbit/s network.
   */
  public static final ExchangeOption<MeshTraffic.Links> LINKS =
      ExchangeOption.named("links", "RATE/TIME", LinkFigures.FORM)
          .help(
              "Assumed bandwidth and latency of each link, such as 10gbit/100us, to choose "
                  + "an algorithm or groups. They are not measured, as the choice determines the "
                  + "order of the sums.")
          .byDefault(new MeshTraffic.Links(1.25e9, 100e-6));

  /** Whether algorithms may add up in groups of workers first. */
  public static final ExchangeOption<Boolean> GROUPS =
      ExchangeOption.named("groups", "on|off", ValueForm.onOff())
          .help(
              "Whether algorithms may add up in groups of workers first and then across the "
                  + "groups, if the predicted time is shorter. off: algorithms as in the paper.")
          .byDefault(true);

  /** Number of copies of each shard of the updater's state, in addition to the owner's. */
  public static final ExchangeOption<Integer> COPIES =
      ExchangeOption.named("copies", "N", ValueForm.wholeNumber(0, 1))
          .help(
              "Number of copies of each worker's part of the optimiser's state, at a distant "
                  + "worker. With 1, the other workers continue without excluded workers as long "
                  + "as they have each part or its copy; otherwise they wait.")
          .byDefault(1);

  @Override
  public String name() {
    return "mesh";
  }

  @Override
  public String summary() {
    return "allreduce on a mesh or torus that routes around excluded ranks";
  }

  @Override
  public String advice() {
    return "Choose it when the links between workers form a mesh, or the vector is large "
        + "and a ring of all workers has too many hops.";
  }

  @Override
  public String source() {
    return "Kumar and Jouppi, \"Highly available data parallel ML training on mesh networks\","
        + " 2020";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(
        MESH, ALGORITHM, GROUPS, LINKS, ShardedUpdates.OPTION, COPIES, Compression.OPTION);
  }

  @Override
  public Optional<String> condition(ExchangeOption<?> option) {
    if (option.equals(COPIES)) {
      return Optional.of("with " + ShardedUpdates.OPTION.with(true));
    }
    return option.equals(LINKS)
        ? Optional.of("with %s or %s".formatted(ALGORITHM.with(MeshChoice.AUTO), GROUPS.with(true)))
        : Optional.empty();
  }

  @Override
  public boolean uses(ExchangeOption<?> option, ExchangeOptions chosen) {
    boolean isChosen = chosen.get(ALGORITHM) instanceof MeshChoice.Auto || chosen.get(GROUPS);
    boolean isSharded = chosen.get(ShardedUpdates.OPTION);
    boolean isOfNoUse =
        (option.equals(LINKS) && !isChosen) || (option.equals(COPIES) && !isSharded);
    return options().contains(option) && !isOfNoUse;
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public Steps steps(ExchangeOptions chosen) {
    return chosen.get(ShardedUpdates.OPTION) ? Steps.OF_THE_SUM_IN_PARTS : Steps.OF_THE_SUM;
  }

  @Override
  public boolean bearsFaultyLinks(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    Mesh mesh = chosen.get(MESH);
    int workers = chosen.workers();
    if (mesh.ranks() != workers) {
      return Optional.of(
          "%s: a mesh of %d ranks for %d workers: %s must be %d, for example %s, or `workers` %d"
              .formatted(
                  MESH.with(mesh),
                  mesh.ranks(),
                  workers,
                  mesh.dimensions() == 2 ? "rows x columns" : "all dimensions together",
                  workers,
                  Mesh.mostSquare(workers),
                  mesh.ranks()));
    }
    Optional<String> rounded =
        ShardedUpdates.mistake(chosen.get(ShardedUpdates.OPTION), chosen.get(Compression.OPTION));
    if (rounded.isPresent() || !(chosen.get(ALGORITHM) instanceof MeshChoice.Of fixed)) {
      return rounded;
    }
    MeshAlgorithm algorithm = fixed.algorithm();
    if (!algorithm.isFor(mesh)) {
      return Optional.of(noneFor(mesh, fixed));
    }
    return chosen.get(ShardedUpdates.OPTION) && algorithm.hasColours()
        ? Optional.of(
            ("%s: not with %s, where a worker's share must be one part of the model; use "
                    + "one of %s")
                .formatted(
                    ALGORITHM.with(fixed),
                    ShardedUpdates.OPTION.with(true),
                    titles(other -> other.isFor(mesh) && !other.hasColours())))
        : Optional.empty();
  }

  private static String noneFor(Mesh mesh, MeshChoice.Of chosen) {
    String why =
        mesh.dimensions() == 2 ? "a single row has no pairs" : "it needs exactly rows and columns";
    return "%s: not for a mesh of %s: %s; use one of %s"
        .formatted(ALGORITHM.with(chosen), mesh, why, titles(other -> other.isFor(mesh)));
  }

  private static String titles(Predicate<MeshAlgorithm> which) {
    return Arrays.stream(MeshAlgorithm.values())
        .filter(which)
        .map(MeshAlgorithm::title)
        .collect(Collectors.joining(", ", MeshChoice.AUTO + ", ", ""));
  }

  @Override
  public Optional<String> describe(ExchangeOptions chosen) {
    return Optional.of(words(chosen, chosen.get(ALGORITHM).toString()));
  }

  @Override
  public Optional<String> describe(ExchangeOptions chosen, int length) {
    Mesh mesh = chosen.get(MESH);
    Variant variant = variant(chosen, mesh.whole(), length);
    String how = chosen.get(ALGORITHM) instanceof MeshChoice.Auto ? " by auto" : "";
    return Optional.of(words(chosen, variant + how));
  }

  @Override
  public Optional<String> describe(
      ExchangeOptions chosen, int length, int workers, List<Integer> without) {
    HoledMesh left = mesh(chosen, workers).without(without.stream().mapToInt(i -> i).toArray());
    Variant variant = variant(chosen, left, length);
    MeshPlan plan = MeshPlanner.plan(left, length, variant);
    // If no row, or no pair of rows, is full, the plan is that of one ring.
    boolean isOneRing = plan.equals(MeshPlanner.plan(left, length, MeshAlgorithm.ONE_RING));
    List<Integer> forwarding = Arrays.stream(left.live()).filter(plan::forwards).boxed().toList();
    return Optional.of(
        "the mesh adds up without %s: %s%s"
            .formatted(
                workers(without),
                isOneRing ? Variant.plain(MeshAlgorithm.ONE_RING) : variant,
                forwarding.isEmpty() ? "" : ", with forwarding by " + workers(forwarding)));
  }

  private static String workers(List<Integer> ranks) {
    List<String> numbers = ranks.stream().map(String::valueOf).toList();
    int last = numbers.size() - 1;
    return last == 0
        ? "worker " + numbers.get(0)
        : "workers " + String.join(", ", numbers.subList(0, last)) + " and " + numbers.get(last);
  }

  private static String words(ExchangeOptions chosen, String algorithm) {
    String sharded = chosen.get(ShardedUpdates.OPTION) ? ", updates sharded" : "";
    return chosen.get(MESH) + ", " + algorithm + sharded;
  }

  /** Returns the user's or the chooser's variant for the remaining ranks of a mesh. */
  private static Variant variant(ExchangeOptions chosen, HoledMesh mesh, int length) {
    MeshChooser chooser = new MeshChooser(chosen.get(LINKS));
    boolean mayGroup = chosen.get(GROUPS);
    if (chosen.get(ALGORITHM) instanceof MeshChoice.Of fixed) {
      return mayGroup
          ? chooser.choose(mesh, length, fixed.algorithm())
          : Variant.plain(fixed.algorithm());
    }
    boolean isSharded = chosen.get(ShardedUpdates.OPTION);
    return chooser.choose(
        mesh,
        length,
        variant ->
            (mayGroup || !variant.isHierarchical())
                && !(isSharded && variant.algorithm().hasColours()));
  }

  /** Returns the plan for the remaining ranks of a mesh. */
  static MeshPlan plan(ExchangeConfig config, HoledMesh mesh) {
    Variant variant = variant(config.options(), mesh, config.length());
    return MeshPlanner.plan(mesh, config.length(), variant);
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return config.options().get(ShardedUpdates.OPTION)
        ? new ShardedMesh(config, port)
        : new MeshAllreduce(config, port);
  }

  /** Returns the mesh of a run: the chosen one, or the most square one for fewer ranks. */
  static Mesh mesh(ExchangeConfig config) {
    return mesh(config.options(), config.ranks());
  }

  private static Mesh mesh(ExchangeOptions options, int ranks) {
    Mesh chosen = options.get(MESH);
    return chosen.ranks() == ranks ? chosen : Mesh.mostSquare(ranks);
  }
}
