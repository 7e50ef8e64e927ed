package dev.braid.bench.allreduce;

import dev.braid.bench.Stats;
import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.event.Target;
import dev.braid.chaos.stream.EventSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.fttree.FaultTolerantTreeDescriptor;
import dev.braid.exchange.option.LinkTimeout;
import dev.braid.exchange.registry.ExchangeType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Measures the cost of a failed link for a round of the fault-tolerant tree: Tables 1 and 2 of its
 * paper (§7.2), next to the paper's figures.
 *
 * <p>Usage: {@code LinkFaultBenchmark RANKS TIMEOUT}, with a time-out of {@code 500ms}, {@code 1s}
 * or {@code adaptive}. Links fail with the first message of a round and are healed some rounds
 * later, repeatedly: first one link, then two of the same height, then two of consecutive heights.
 * In the last part of each turn all links work. Three ranks have links for the first scenario only.
 */
public final class LinkFaultBenchmark {

  private static final int LENGTH = 407_050;
  private static final int WARM_UP_ROUNDS = 300;
  private static final double MILLIS_PER_SECOND = 1000;

  // Links from child to parent; the first two are in a tree of 3 ranks, all in one of 7.
  private static final Link LEFT = new Link(1, 0);
  private static final Link RIGHT = new Link(2, 0);
  private static final Link LEFT_LEFT = new Link(3, 1);
  private static final Link LEFT_RIGHT = new Link(4, 1);
  private static final Link RIGHT_LEFT = new Link(5, 2);
  private static final Link RIGHT_RIGHT = new Link(6, 2);
  private static final int LEAST_RANKS = 3;

  /** The links that fail together, one turn after the other. */
  private record Scenario(String title, List<List<Link>> turns) {
    /** Returns the turns whose links are all in a tree of {@code ranks} ranks. */
    Scenario among(int ranks) {
      return new Scenario(
          title,
          turns.stream()
              .filter(links -> links.stream().allMatch(link -> link.from() < ranks))
              .toList());
    }
  }

  /**
   * The scenarios in the order of the tables. At most one of the root's links fails, because
   * without both the root would be unreachable.
   */
  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario(
              "1-fault",
              List.of(List.of(LEFT), List.of(LEFT_LEFT), List.of(RIGHT), List.of(RIGHT_RIGHT))),
          new Scenario(
              "2-parallel",
              List.of(
                  List.of(LEFT_LEFT, RIGHT_LEFT),
                  List.of(LEFT_RIGHT, RIGHT_RIGHT),
                  List.of(LEFT_LEFT, RIGHT_RIGHT),
                  List.of(LEFT_RIGHT, RIGHT_LEFT))),
          new Scenario(
              "2-serial",
              List.of(
                  List.of(LEFT, LEFT_LEFT),
                  List.of(RIGHT, RIGHT_RIGHT),
                  List.of(LEFT, LEFT_RIGHT),
                  List.of(RIGHT, RIGHT_LEFT))));

  /**
   * The paper's times in seconds, by the number of ranks: without faults, then by scenario. Table 1
   * has 500 ms, Table 2 has 1 s.
   */
  private static final Map<String, Map<Integer, double[]>> PAPER =
      Map.of(
          "500ms",
          Map.of(
              7, new double[] {0.033, 1.449, 1.495, 2.822},
              15, new double[] {0.062, 1.510, 1.513, 2.890},
              31, new double[] {0.091, 1.497, 1.494, 2.880}),
          "1s",
          Map.of(
              7, new double[] {0.034, 2.441, 2.473, 4.839},
              15, new double[] {0.065, 2.541, 2.498, 4.860},
              31, new double[] {0.093, 2.509, 2.541, 4.911}));

  /** Number of a turn's rounds before links fail, and with dead links. */
  private record Turn(int before, int dead) {
    /** A static time-out expires in every round with dead links. */
    static final Turn STATIC = new Turn(20, 2);

    /** Enough rounds to detect that the links work again, which takes up to a second. */
    static final Turn ADAPTIVE = new Turn(300, 100);

    int rounds() {
      return before + dead;
    }
  }

  private final int ranks;
  private final LinkTimeout timeout;
  private final Turn turn;

  private LinkFaultBenchmark(int ranks, LinkTimeout timeout) {
    this.ranks = ranks;
    this.timeout = timeout;
    this.turn = timeout.equals(LinkTimeout.ADAPTIVE) ? Turn.ADAPTIVE : Turn.STATIC;
  }

  /** Runs all scenarios with one number of ranks and one time-out. */
  public static void main(String[] args) throws Exception {
    Map<String, LinkTimeout> timeouts =
        Map.of(
            "500ms",
            new LinkTimeout.Fixed(Duration.ofMillis(500)),
            "1s",
            new LinkTimeout.Fixed(Duration.ofSeconds(1)),
            "adaptive",
            LinkTimeout.ADAPTIVE);
    boolean valid =
        args.length == 2 && args[0].matches("\\d{1,3}") && timeouts.containsKey(args[1]);
    int ranks = valid ? Integer.parseInt(args[0]) : 0;
    if (ranks < LEAST_RANKS) {
      System.err.println(
          "usage: LinkFaultBenchmark RANKS TIMEOUT, with 3 ranks or more and 500ms, 1s or adaptive");
      System.exit(2);
    }
    double[] paper = PAPER.getOrDefault(args[1], Map.of()).get(ranks);
    LinkFaultBenchmark benchmark = new LinkFaultBenchmark(ranks, timeouts.get(args[1]));
    for (int i = 0; i < SCENARIOS.size(); i++) {
      Scenario scenario = SCENARIOS.get(i).among(ranks);
      if (scenario.turns().isEmpty()) {
        continue;
      }
      Result result = benchmark.measure(scenario);
      System.out.printf(
          Locale.ROOT,
          "%-3d %-8s %-10s %7.1f %7.1f %7.1f %7.1f   %s%n",
          ranks,
          args[1],
          scenario.title(),
          result.whole.median(),
          result.failing.median(),
          result.failing.max(),
          result.dead.median(),
          paper == null ? "-" : millis(paper[0]) + " " + millis(paper[1 + i]));
    }
  }

  private static String millis(double seconds) {
    return String.format(Locale.ROOT, "%.0f", MILLIS_PER_SECOND * seconds);
  }

  /**
   * Durations of rounds in milliseconds.
   *
   * @param whole rounds in which all links work
   * @param failing rounds in which links fail
   * @param dead later rounds, in which the links are still dead
   */
  private record Result(Stats whole, Stats failing, Stats dead) {}

  private Result measure(Scenario scenario) throws Exception {
    Path folder = Files.createTempDirectory("braid-link-faults");
    ChaosConfig chaos =
        new ChaosConfig(new EventSource.Lines(events(scenario)), folder.toString(), 1);
    AllreduceRun run =
        new AllreduceRun(
            ExchangeType.FT_TREE,
            ExchangeOptions.defaults(ranks).with(FaultTolerantTreeDescriptor.LINK_TIMEOUT, timeout),
            ranks,
            LENGTH,
            Optional.of(chaos));
    int turns = scenario.turns().size();
    double[] millis = run.measure(WARM_UP_ROUNDS, turns * turn.rounds()).millis();
    double[] failing = new double[turns];
    List<Double> whole = new ArrayList<>();
    List<Double> dead = new ArrayList<>();
    for (int i = 0; i < turns; i++) {
      int fails = i * turn.rounds() + turn.before();
      failing[i] = millis[fails];
      // Later rounds are compared with the last rounds before the failure, which run at the same
      // age of the program.
      addTo(whole, millis, fails - Math.min(turn.dead(), turn.before()), fails);
      addTo(dead, millis, fails + 1, fails + turn.dead());
    }
    return new Result(stats(whole), Stats.of(failing), stats(dead));
  }

  private static void addTo(List<Double> list, double[] millis, int from, int to) {
    Arrays.stream(millis, from, to).forEach(list::add);
  }

  private static Stats stats(List<Double> millis) {
    return Stats.of(millis.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private List<String> events(Scenario scenario) {
    List<String> events = new ArrayList<>();
    long fails = (long) WARM_UP_ROUNDS + turn.before();
    for (List<Link> links : scenario.turns()) {
      for (Link link : links) {
        events.add(event(new Action.Cut(), link, fails));
        events.add(event(new Action.Heal(), link, fails + turn.dead()));
      }
      fails += turn.rounds();
    }
    return events;
  }

  private static String event(Action action, Link link, long round) {
    return EventWriter.write(
        ChaosEvent.of(action, new Target.OfLink(link, false)).withStart(new Start.AtRound(round)));
  }
}
