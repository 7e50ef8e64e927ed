package dev.braid.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.event.Target;
import dev.braid.chaos.sim.check.ExactRoundSums;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the simulator finds mistakes, and that its times are right. */
class SimulationTest {

  private static final int HEADER = Message.HEADER_BYTES;

  /** Returns an exchange without the transport that resends lost messages and drops duplicates. */
  private static ExchangeFactory bare(ExchangeType exchange) {
    return ExchangeRunner.bare(exchange.descriptor()::create);
  }

  @Test
  void aLostMessage_isStuck_andTheFailureSaysWhereAndWithWhichSeed() {
    Simulation simulation =
        Simulation.of(bare(ExchangeType.RING), 3, 9)
            .seed(77)
            .faults(List.of(ChaosEvent.of(new Action.Cut(), link(2, 0))))
            .build();

    assertThatThrownBy(simulation::run)
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("stuck")
        .hasMessageContaining("seed 77")
        .hasMessageContaining("rank 2: 0 rounds complete")
        .hasMessageContaining("cut 2 0");
  }

  @Test
  void aDuplicatedMessage_isSeen() {
    Simulation simulation =
        Simulation.of(bare(ExchangeType.TREE), 3, 9)
            .rounds(2)
            .faults(List.of(ChaosEvent.of(new Action.Duplicate(1), link(1, 0))))
            .build();
    assertThatThrownBy(simulation::run).isInstanceOf(SimulationFailure.class);
  }

  @Test
  void anExchangeThatNeverEnds_hitsTheBound() {
    Simulation simulation =
        Simulation.of(ExchangeRunner.bare(Waking::new), 2, 1).maxEvents(1_000).build();
    assertThatThrownBy(simulation::run).hasMessageContaining("not done after 1000 events");
  }

  @Test
  void aValueThatIsUsedAfterItsRelease_makesTheSumWrong() {
    assertThatThrownBy(checked(Fault.RELEASES_TOO_EARLY)::run)
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("of the sum is NaN");
  }

  @Test
  void aGradientThatIsWrittenInto_isSeen() {
    assertThatThrownBy(checked(Fault.WRITES_GRADIENT)::run)
        .hasMessageContaining("wrote into its gradient of round 0");
  }

  @Test
  void samplesThatAreForgotten_areSeen() {
    assertThatThrownBy(checked(Fault.FORGETS_SAMPLES)::run)
        .hasMessageContaining("a sum over 1 samples, not 2");
  }

  @Test
  void theSameExchangeWithoutFault_passes() {
    SimulationResult result = checked(Fault.SOUND).run();
    assertThat(result.replicas()[0]).isEqualTo(result.replicas()[1]);
    assertThat(result.unreleased()).isZero();
  }

  /** The run has two rounds, and there is no batch for a third. */
  @Test
  void aRoundThatNobodyAskedFor_isSeen() {
    assertThat(checked(Fault.SOUND).run().completedRounds()).containsExactly(2, 2);
    Simulation miscounted = Simulation.of(pair(Fault.MISCOUNTS), 2, 4).rounds(2).build();
    assertThatThrownBy(miscounted::run).hasMessageContaining("not all ranks can finish");
  }

  @Test
  void aChangeOfChunkLength_changesTheEvents_andNotTheReplicas() {
    SimulationResult whole = Simulation.of(ExchangeType.TREE::create, 7, 100).build().run();
    SimulationResult cut =
        Simulation.of(ExchangeType.TREE::create, 7, 100).chunkLength(10).build().run();
    assertThat(cut.digest()).isNotEqualTo(whole.digest());
    assertThat(cut.replicas()).isDeepEqualTo(whole.replicas());
  }

  /**
   * On equal links a ring of n takes 2(n−1) steps, each of the latency and a block's sending time.
   */
  @Test
  void ringOnEqualLinks_takesTheTimeOfTheory() {
    int ranks = 8;
    int block = 100;
    long latencyNanos = 50_000;
    SimulationResult result =
        Simulation.of(ExchangeType.RING::create, ranks, ranks * block)
            .rounds(3)
            .links(seed -> SoundLinks.uniform(latencyNanos, 1e9))
            .computeTime(ComputeTime.constant(1_000_000))
            .build()
            .run();

    long step = latencyNanos + HEADER + (long) block * Float.BYTES;
    for (int round = 0; round < 3; round++) {
      assertThat(result.roundNanos(round)).isEqualTo(1_000_000 + 2L * (ranks - 1) * step);
    }
  }

  @Test
  void theSlowestRank_setsThePaceOfASynchronousRound() {
    SimulationResult result =
        Simulation.of(ExchangeType.TREE::create, 3, 1)
            .links(seed -> SoundLinks.uniform(0, 1e15))
            .computeTime((rank, round) -> rank == 1 ? 9_000_000 : 1_000)
            .build()
            .run();
    assertThat(result.endNanos()).isEqualTo(9_000_000);
  }

  /** The events are those of the documentation, verbatim. */
  @Test
  void aFileOfEvents_isPlayed() throws Exception {
    List<ChaosEvent> events = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("../../docs/reference/chaos-events.md"))) {
      if (line.matches(" {4}[a-z]+ [0-9a-z].*")) {
        events.add(EventReader.read(line));
      }
    }
    assertThat(events).extracting(event -> event.action().title()).contains("cut", "rejoin");
    SimulationResult result =
        Simulation.of(ExchangeType.TREE::create, 7, 100).rounds(200).faults(events).build().run();
    assertThat(result.rounds()).isEqualTo(200);
    assertThat(result.replicas()[6]).isEqualTo(result.replicas()[0]);
  }

  @Test
  void anEventOfARankThatIsNotThere_isRefused() {
    ChaosEvent event = ChaosEvent.of(new Action.Isolate(), new Target.OfRank(3));
    assertThatThrownBy(
            () -> Simulation.of(ExchangeType.TREE::create, 3, 9).faults(List.of(event)).build())
        .hasMessageContaining("rank 3: the training has 3 ranks");
  }

  /** The message is 12 µs in flight, and then held 5 ms by the links. */
  @Test
  void aFaultActsOnWhatHasComeThroughTheNetwork() {
    SimulationResult result =
        Simulation.of(ExchangeType.TREE::create, 2, 1)
            .links(seed -> (from, to, bytes, now) -> now + 12_000)
            .computeTime(ComputeTime.constant(0))
            .faults(List.of(ChaosEvent.of(new Action.Delay(5, 0), link(1, 0))))
            .build()
            .run();
    assertThat(result.endNanos()).isEqualTo(5_000_000 + 2 * 12_000);
  }

  /** 2 MB wait for a link that carries 10 kB/s; after 5 s the link is unlimited again. */
  @Test
  void whatWaitsWhenAFaultEnds_goesOnAtOnce() {
    for (Action slow : List.of(new Action.Throttle(10_000), new Action.Delay(200_000, 0))) {
      ChaosEvent fault = ChaosEvent.of(slow, link(1, 0));
      ChaosEvent heal =
          ChaosEvent.of(new Action.Heal(), link(1, 0)).withStart(new Start.After(5_000));
      assertThat(endMillis(List.of(fault.withDuration(5_000)))).isBetween(5_000L, 5_100L);
      assertThat(endMillis(List.of(fault, heal))).isBetween(5_000L, 5_100L);
    }
  }

  private static long endMillis(List<ChaosEvent> faults) {
    return Simulation.of(ExchangeType.TREE::create, 2, 500_000)
            .chunkLength(10_000)
            .links(seed -> SoundLinks.uniform(50_000, 1e9))
            .faults(faults)
            .build()
            .run()
            .endNanos()
        / 1_000_000;
  }

  private static Target link(int from, int to) {
    return new Target.OfLink(new Link(from, to), true);
  }

  private static Simulation checked(Fault fault) {
    Gradients gradients = Gradients.wholeNumbers(5, 4, (rank, round) -> 1);
    return Simulation.of(pair(fault), 2, 4)
        .rounds(2)
        .gradients(gradients)
        .check(() -> ExactRoundSums.exact(gradients, 2))
        .build();
  }

  private static ExchangeFactory pair(Fault fault) {
    return ExchangeRunner.bare((config, port) -> new Pair(fault, config, port));
  }

  /** Mistakes of {@link Pair}. */
  private enum Fault {
    SOUND,
    RELEASES_TOO_EARLY,
    WRITES_GRADIENT,
    FORGETS_SAMPLES,
    MISCOUNTS
  }

  /**
   * Exchange of two ranks that send each other their gradients; it assumes that both are ready at
   * the same time.
   */
  private static final class Pair implements Synchronous {
    private final Fault fault;
    private final ExchangeConfig config;
    private final Port port;
    private float[] sum = {};
    private float[] local = {};
    private long rounds;

    Pair(Fault fault, ExchangeConfig config, Port port) {
      this.fault = fault;
      this.config = config;
      this.port = port;
    }

    @Override
    public boolean mayCompute() {
      return sum.length == 0;
    }

    @Override
    public void contribute(Contribution contribution) {
      local = contribution.gradient();
      sum = local.clone();
      int other = 1 - config.rank();
      Range all = Range.ofLength(sum.length);
      Slice values = Slice.view(local, all);
      port.send(new Message(config.rank(), other, rounds, Sum.partial(all, 1, Payload.of(values))));
    }

    @Override
    public void receive(Message message) {
      Slice values = message.payload().dense();
      if (fault == Fault.RELEASES_TOO_EARLY) {
        values.release();
      }
      for (int i = 0; i < sum.length; i++) {
        sum[i] += values.array()[values.offset() + i];
      }
      values.release();
      if (fault == Fault.WRITES_GRADIENT) {
        local[0] = 1e6f;
      }
      int samples = fault == Fault.FORGETS_SAMPLES ? 1 : 2;
      Range all = Range.ofLength(sum.length);
      port.update(new Update.GradientSum(all, Slice.view(sum, all), samples));
      sum = new float[0];
      rounds += fault == Fault.MISCOUNTS && rounds == 1 ? 2 : 1;
    }

    @Override
    public long completedRounds() {
      return rounds;
    }

    @Override
    public void rollBack() {
      sum = new float[0];
    }
  }

  /** Exchange that requests one deadline after another. */
  private static final class Waking implements Synchronous {
    private final Port port;

    Waking(ExchangeConfig config, Port port) {
      this.port = port;
    }

    @Override
    public boolean mayCompute() {
      return true;
    }

    @Override
    public void contribute(Contribution local) {
      deadline();
    }

    @Override
    public void deadline() {
      port.wakeAt(port.nowNanos() + 1);
    }

    @Override
    public void receive(Message message) {}

    @Override
    public long completedRounds() {
      return 0;
    }

    @Override
    public void rollBack() {}
  }
}
