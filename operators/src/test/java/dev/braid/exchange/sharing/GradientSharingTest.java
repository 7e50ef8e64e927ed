package dev.braid.exchange.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.ReplicaCopyBody;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Sharing.Has;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.exchange.message.Sharing.SideHas;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.vector.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Ranks on links that deliver in order, with no time in which anything could be sent again. */
class GradientSharingTest {

  private static final int LENGTH = 7;
  private static final int CHUNK = 3;

  /** By sender and receiver. */
  private final Map<String, Deque<Message>> links = new TreeMap<>();

  private final List<GradientSharing> ranks = new ArrayList<>();
  private final List<float[]> models = new ArrayList<>();
  private final float[] computed = new float[LENGTH];

  /** Nothing is late here. */
  private final class Links extends ForwardingPort {
    Links(float[] model) {
      super(new RecordingPort(model));
    }

    @Override
    public void wakeAt(long nanos) {}

    @Override
    public void send(Message message) {
      links
          .computeIfAbsent(message.from() + " to " + message.to(), key -> new ArrayDeque<>())
          .add(message.withPayload(message.payload().copy()));
    }
  }

  private void start(int count, int children, int staleness) {
    ExchangeOptions options =
        ExchangeOptions.defaults(count).with(ExchangeOptions.STALENESS, staleness);
    for (int rank = 0; rank < count; rank++) {
      float[] model = new float[LENGTH];
      models.add(model);
      ranks.add(
          new GradientSharing(
              new ExchangeConfig(rank, count, LENGTH, CHUNK, 0, options),
              new Links(model),
              children,
              UpdateForm.DENSE));
    }
  }

  private void contribute(int rank, SplittableRandom random) {
    GradientSharing exchange = ranks.get(rank);
    float[] gradient = new float[LENGTH];
    int samples = random.nextInt(4);
    for (int i = 0; i < LENGTH && samples > 0; i++) {
      gradient[i] = random.nextInt(-9, 10);
      computed[i] -= gradient[i];
    }
    exchange.contribute(new Contribution(exchange.completedRounds(), gradient, samples));
  }

  /** False if nothing is under way. */
  private boolean deliverOne(SplittableRandom random) {
    List<Deque<Message>> busy = links.values().stream().filter(link -> !link.isEmpty()).toList();
    if (busy.isEmpty()) {
      return false;
    }
    Message message = busy.get(random.nextInt(busy.size())).remove();
    ranks.get(message.to()).receive(message);
    return true;
  }

  private boolean areAllQuiet() {
    return ranks.stream().allMatch(GradientSharing::isQuiet);
  }

  /** Until every rank is quiet, and no longer. */
  private void flush(SplittableRandom random) {
    ranks.forEach(GradientSharing::flush);
    while (!areAllQuiet()) {
      assertThat(deliverOne(random))
          .as("something is under way where a rank is not quiet")
          .isTrue();
    }
  }

  /**
   * At a checkpoint what is still under way is dropped, acknowledgements and what all have. Nobody
   * waits for it: the next gradients come to all, and the next checkpoint to its end.
   */
  @Property(tries = 300)
  void nothingIsMissedThatACheckpointDrops(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 9) int count,
      @ForAll @IntRange(min = 2, max = 8) int children,
      @ForAll @IntRange(min = 0, max = 3) int staleness) {
    links.clear();
    ranks.clear();
    models.clear();
    Arrays.fill(computed, 0);
    SplittableRandom random = new SplittableRandom(seed);
    start(count, children, staleness);
    for (int checkpoint = 0; checkpoint < 4; checkpoint++) {
      for (int i = 0; i < 12 * count; i++) {
        int rank = random.nextInt(count);
        if (ranks.get(rank).mayCompute()) {
          contribute(rank, random);
        } else if (!deliverOne(random)) {
          assertThat(ranks).as("the slowest waits for nobody").anyMatch(Exchange::mayCompute);
        }
      }
      flush(random);
      for (float[] model : models) {
        assertThat(model).containsExactly(computed);
      }
      links.clear();
      for (GradientSharing exchange : ranks) {
        exchange.emptied();
        exchange.goOn();
      }
    }
  }

  private static Message message(int from, long number, Body body) {
    return new Message(from, 0, 0, new Transit(0, number, 0, Route.DIRECT), body);
  }

  private static SharedUpdate update(int origin, long number) {
    Range range = new Range(0, CHUNK);
    return new SharedUpdate(origin, number, range, 1, Payload.view(new float[LENGTH], range));
  }

  /** What no rank of these says stops the run, and is not taken into the model. */
  @Test
  void whatMakesNoSenseIsRefused() {
    start(3, 2, 0);
    GradientSharing master = ranks.get(0);
    assertThatThrownBy(() -> master.receive(message(1, 1, update(3, 0))))
        .hasMessage("update 0 of rank 3: there are 3 ranks, and no so many updates");
    assertThatThrownBy(() -> master.receive(message(1, 2, update(1, Long.MAX_VALUE))))
        .hasMessageContaining("no so many updates");
    assertThatThrownBy(() -> master.receive(message(1, 3, update(0, 0))))
        .hasMessage("update 0 of this rank 0 from rank 1: it has computed 0");
    assertThatThrownBy(() -> master.receive(message(1, 4, update(1, 5))))
        .hasMessageContaining("where part 0 is next");
    assertThatThrownBy(() -> master.receive(message(1, 5, new SideHas(7, 0))))
        .hasMessageContaining("there are 3 ranks");
    assertThatThrownBy(() -> master.receive(message(7, 1, new Has(0, 0))))
        .hasMessageContaining("rank 7 is no neighbour of rank 0");
    assertThat(models.get(0)).containsOnly(0);
  }

  @Test
  void whoHasNoModelGivesNone() {
    start(3, 2, 0);
    GradientSharing left = ranks.get(2);
    left.participation()
        .elastic()
        .orElseThrow()
        .handle(new Enter(new View(1, List.of(0, 1), 0, List.of(0, 1))));
    Message request =
        new Message(
            0, 2, 0, new Transit(1 << 20, 1, 0, Route.DIRECT), new ReplicaCopyBody.Request());
    assertThatThrownBy(() -> left.receive(request))
        .hasMessage("rank 0 asks for the model of rank 2, which waits for one itself");
  }
}
