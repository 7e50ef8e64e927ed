package dev.braid.bench.scale;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.MeshLinks;
import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.allreduce.mesh.MeshChooser;
import dev.braid.exchange.allreduce.mesh.MeshPlan;
import dev.braid.exchange.allreduce.mesh.MeshPlanner;
import dev.braid.exchange.allreduce.mesh.MeshPlanner.Variant;
import dev.braid.exchange.allreduce.mesh.PlannedAllreduce;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Simulates Tables 1 and 2 of Kumar and Jouppi 2020: allreduce on physical meshes of 16x32 and
 * 32x32 accelerators, whole and with a failed block of 4x2, for the gradients of ResNet-50 and
 * BERT, next to the paper's figures.
 *
 * <p>A link carries {@value #GIGABITS_PER_SECOND} Gbit/s in each direction, like a link of a TPU v3
 * (Jouppi et al., "A domain-specific supercomputer for training deep neural networks", 2020). A
 * message has a latency of {@value #LINK_LATENCY_NANOS} ns per link. Values are float32. Adding
 * them takes no time.
 *
 * <p>The paper does not state the duration of a step, only the allreduce's share of it. The time to
 * compute a gradient is therefore set so that {@code row-pairs} on the whole mesh takes the paper's
 * share; this figure agrees by construction. All others follow from the simulation: those with the
 * failed block, and those of the other algorithms.
 *
 * <p>The {@link MeshChooser} selects the {@linkplain Variant variant} of an algorithm, as in the
 * paper or in groups first. With {@code growth} it is the paper's variant. That table shows the
 * time of an allreduce on whole meshes of 8x8 to 64x64 ({@code 1d} up to 32x32): of the shortest
 * possible vector, whose time is hardly more than the links' latency (§2.1), and of ResNet-50's
 * vector.
 *
 * <p>Usage: {@code MeshAtScale [RxC ...]}, of {@code 16x32} and {@code 32x32}; both if none is
 * given; or {@code MeshAtScale growth [side ...] [algorithm ...]}.
 */
public final class MeshAtScale {

  private static final int USAGE = 2;
  private static final int GIGABITS_PER_SECOND = 656;
  private static final double BYTES_PER_SECOND = GIGABITS_PER_SECOND * 1e9 / Byte.SIZE;
  private static final int LINK_LATENCY_NANOS = 500;
  private static final long COMPUTE_NANOS = 1_000_000;

  /** Elements per rank, so many that shards of unequal numbers of elements are nearly equal. */
  private static final int ELEMENTS_PER_RANK = 16;

  /**
   * Number of rounds. The second is measured, which starts from the state in which the first leaves
   * the ranks.
   */
  private static final int ROUNDS = 2;

  private static final String GROWTH = "growth";
  private static final List<String> SIDES = List.of("8", "16", "32", "64");

  /**
   * Highest number of ranks in one ring of all ranks: n ranks send 2n(n − 1) messages a round, too
   * many for four times as many ranks.
   */
  private static final int RANKS_OF_A_RING = 1024;

  private static final int HOLE_HEIGHT = 2;
  private static final int HOLE_WIDTH = 4;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * A line of the paper's tables.
   *
   * @param parameters number of the model's parameters
   * @param fullPercent the allreduce's share of a step in percent, on the whole mesh; Table 2
   * @param holedPercent the allreduce's share of a step in percent, with the failed block
   * @param fullMinutes duration of the benchmark in minutes; Table 1
   * @param holedMinutes duration of the benchmark in minutes, with the failed block
   * @param efficiency the paper's efficiency with the failed block
   */
  record Paper(
      Mesh mesh,
      String model,
      long parameters,
      double fullPercent,
      double holedPercent,
      double fullMinutes,
      double holedMinutes,
      double efficiency) {}

  private static final long RESNET = 25_557_032;
  private static final long BERT = 336_226_108;

  static final List<Paper> TABLES =
      List.of(
          new Paper(new Mesh(16, 32), "ResNet-50", RESNET, 4.2, 6.4, 1.80, 1.84, 0.99),
          new Paper(new Mesh(32, 32), "ResNet-50", RESNET, 8.8, 11, 1.08, 1.15, 0.946),
          new Paper(new Mesh(16, 32), "BERT", BERT, 3.7, 4.7, 1.90, 1.92, 1.02),
          new Paper(new Mesh(32, 32), "BERT", BERT, 6.0, 7.8, 1.16, 1.19, 0.986));

  private static final List<MeshAlgorithm> OF_THE_PAPER =
      List.of(
          MeshAlgorithm.ONE_RING,
          MeshAlgorithm.ROWS_THEN_COLUMNS,
          MeshAlgorithm.TWO_COLOURS,
          MeshAlgorithm.ROW_PAIRS);

  private MeshAtScale() {}

  /** Prints the tables, each line as soon as it has been simulated. */
  public static void main(String[] args) {
    List<Mesh> meshes = TABLES.stream().map(Paper::mesh).distinct().toList();
    List<String> names = meshes.stream().map(Mesh::toString).toList();
    boolean isOfGrowth = args.length > 0 && args[0].equals(GROWTH);
    List<String> chosen = List.of(args).subList(isOfGrowth ? 1 : 0, args.length);
    List<String> titles = OF_THE_PAPER.stream().map(MeshAlgorithm::title).toList();
    List<String> ofGrowth = Stream.concat(SIDES.stream(), titles.stream()).toList();
    if (!(isOfGrowth ? ofGrowth : names).containsAll(chosen)) {
      System.err.printf(
          "usage: MeshAtScale [RxC ...], of %s%n       MeshAtScale %s [side ...] [algorithm ...],"
              + " of %s%n",
          String.join(", ", names), GROWTH, String.join(", ", ofGrowth));
      System.exit(USAGE);
    }
    if (isOfGrowth) {
      printGrowth(chosenOf(SIDES, chosen), chosenOf(titles, chosen));
    } else {
      printTables(chosen);
    }
  }

  /** Returns the chosen elements in their order; all if none is chosen. */
  private static List<String> chosenOf(List<String> all, List<String> chosen) {
    List<String> some = all.stream().filter(chosen::contains).toList();
    return some.isEmpty() ? all : some;
  }

  /** Prints the growth table, for one element per rank and for ResNet-50. */
  private static void printGrowth(List<String> sides, List<String> titles) {
    System.out.printf(
        Locale.ROOT,
        "# milliseconds of an allreduce; links of %d Gbit/s and %d ns in each direction, float32%n",
        GIGABITS_PER_SECOND,
        LINK_LATENCY_NANOS);
    System.out.printf(
        "%-6s %-15s %20s %12s%n", "mesh", "algorithm", "an element a rank", "ResNet-50");
    for (String side : sides) {
      Mesh mesh = new Mesh(Integer.parseInt(side), Integer.parseInt(side));
      OF_THE_PAPER.stream()
          .filter(algorithm -> titles.contains(algorithm.title()))
          .forEach(algorithm -> printGrowth(mesh, algorithm));
    }
  }

  private static void printGrowth(Mesh mesh, MeshAlgorithm algorithm) {
    boolean isTooLong = algorithm == MeshAlgorithm.ONE_RING && mesh.ranks() > RANKS_OF_A_RING;
    String times =
        isTooLong
            ? String.format(
                Locale.ROOT,
                "not simulated: %,d messages a round",
                2L * mesh.ranks() * (mesh.ranks() - 1))
            : String.format(
                Locale.ROOT,
                "%20.3f %12.3f",
                plainNanos(mesh, algorithm, mesh.ranks()) / NANOS_PER_MILLI,
                plainNanos(mesh, algorithm, RESNET) / NANOS_PER_MILLI);
    System.out.printf("%-6s %-15s %s%n", mesh, algorithm.title(), times);
  }

  private static void printTables(List<String> chosen) {
    System.out.printf(
        Locale.ROOT,
        "# links of %d Gbit/s and %d ns in each direction, float32; a block of %d columns and %d"
            + " rows failed in the middle%n",
        GIGABITS_PER_SECOND,
        LINK_LATENCY_NANOS,
        HOLE_WIDTH,
        HOLE_HEIGHT);
    System.out.println(
        "# share of a step, in %: the paper's, and here, where row-pairs on the whole mesh is put"
            + " in");
    System.out.println(
        "mesh   model      algorithm       allreduce ms: whole  failed   share: whole  failed "
            + " added   minutes: failed   efficiency");
    for (Paper paper : TABLES) {
      if (chosen.isEmpty() || chosen.contains(paper.mesh().toString())) {
        print(paper);
      }
    }
  }

  private static void print(Paper paper) {
    System.out.printf(
        Locale.ROOT,
        "%-6s %-10s %-15s %19s %7s %14.1f %7.1f %6.1f %17.2f %12.3f%n",
        paper.mesh(),
        paper.model(),
        "the paper's",
        "",
        "",
        paper.fullPercent(),
        paper.holedPercent(),
        paper.holedPercent() - paper.fullPercent(),
        paper.holedMinutes(),
        paper.efficiency());
    Map<MeshAlgorithm, Times> times = new TreeMap<>();
    for (MeshAlgorithm algorithm : OF_THE_PAPER) {
      times.put(algorithm, times(paper, algorithm));
    }
    double share = paper.fullPercent() / 100;
    double compute = times.get(MeshAlgorithm.ROW_PAIRS).full() * (1 - share) / share;
    times.forEach((algorithm, one) -> print(paper, algorithm.title(), one, compute));
    Times best =
        new Times(
            times.values().stream().mapToDouble(Times::full).min().orElseThrow(),
            times.values().stream().mapToDouble(Times::holed).min().orElseThrow());
    print(paper, "the best", best, compute);
  }

  private static void print(Paper paper, String title, Times times, double compute) {
    double full = 100 * times.full() / (compute + times.full());
    double holed = 100 * times.holed() / (compute + times.holed());
    double efficiency = (compute + times.full()) / (compute + times.holed());
    int ranks = paper.mesh().ranks();
    double fewer = (double) ranks / (ranks - HOLE_HEIGHT * HOLE_WIDTH);
    System.out.printf(
        Locale.ROOT,
        "%-6s %-10s %-15s %19.3f %7.3f %14.1f %7.1f %6.1f %17.2f %12.3f%n",
        paper.mesh(),
        paper.model(),
        title,
        times.full() / NANOS_PER_MILLI,
        times.holed() / NANOS_PER_MILLI,
        full,
        holed,
        holed - full,
        paper.fullMinutes() * fewer / efficiency,
        efficiency);
  }

  /** Durations of an allreduce in nanoseconds: on the whole mesh, and with the failed block. */
  record Times(double full, double holed) {}

  private static Times times(Paper paper, MeshAlgorithm algorithm) {
    Mesh mesh = paper.mesh();
    HoledMesh holed =
        mesh.without(mesh.block(mesh.rows() / 2, mesh.columns() / 2 - 2, HOLE_HEIGHT, HOLE_WIDTH));
    return new Times(
        nanos(mesh.whole(), algorithm, paper.parameters()),
        nanos(holed, algorithm, paper.parameters()));
  }

  /**
   * Returns the duration of an allreduce on the live part of a mesh, if all ranks begin at once.
   */
  static double nanos(HoledMesh mesh, MeshAlgorithm algorithm, long parameters) {
    return nanos(mesh, algorithm, parameters, LINK_LATENCY_NANOS, BYTES_PER_SECOND);
  }

  /**
   * Returns the duration of an allreduce with the given links, which also determine the chooser's
   * variant.
   */
  static double nanos(
      HoledMesh mesh,
      MeshAlgorithm algorithm,
      long parameters,
      long linkLatencyNanos,
      double bytesPerSecond) {
    MeshTraffic.Links links =
        new MeshTraffic.Links(bytesPerSecond, linkLatencyNanos / NANOS_PER_SECOND);
    Variant variant = new MeshChooser(links).choose(mesh, Math.toIntExact(parameters), algorithm);
    return nanos(mesh, variant, parameters, ELEMENTS_PER_RANK, linkLatencyNanos, bytesPerSecond);
  }

  /** Returns the duration of an allreduce by the paper's variant, with one element per rank. */
  private static double plainNanos(Mesh mesh, MeshAlgorithm algorithm, long parameters) {
    Variant plain = Variant.plain(algorithm);
    return nanos(mesh.whole(), plain, parameters, 1, LINK_LATENCY_NANOS, BYTES_PER_SECOND);
  }

  /**
   * Returns the duration of an allreduce of a vector with {@code elementsPerRank} elements per
   * rank, each of which stands for several parameters.
   */
  private static double nanos(
      HoledMesh mesh,
      Variant variant,
      long parameters,
      int elementsPerRank,
      long linkLatencyNanos,
      double bytesPerSecond) {
    int length = elementsPerRank * mesh.mesh().ranks();
    List<Integer> places = Arrays.stream(mesh.live()).boxed().toList();
    List<Integer> numbers =
        IntStream.range(0, mesh.mesh().ranks()).mapToObj(places::indexOf).toList();
    MeshPlan plan = MeshPlanner.plan(mesh, length, variant).renumbered(numbers);
    SimulationResult result =
        Simulation.of(
                ExchangeRunner.bare((config, port) -> new PlannedAllreduce(config, port, plan)),
                places.size(),
                length)
            .bytesPerElement((double) parameters * Float.BYTES / length)
            .rounds(ROUNDS)
            .links(seed -> new MeshLinks(mesh, places, linkLatencyNanos, bytesPerSecond))
            .computeTime(ComputeTime.constant(COMPUTE_NANOS))
            .gradients(Gradients.wholeNumbers(1, length, (rank, round) -> 1))
            .build()
            .run();
    return (double) result.roundNanos(ROUNDS - 1) - COMPUTE_NANOS;
  }
}
