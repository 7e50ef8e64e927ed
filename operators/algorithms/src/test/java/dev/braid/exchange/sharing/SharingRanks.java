package dev.braid.exchange.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.participation.ViewMessage.ToArbiter;
import dev.braid.exchange.participation.ViewPort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Ranks on links that deliver in order, without time in which a message could be sent again. A test
 * controls the order among links, and the views; messages in flight are lost when a view begins.
 */
final class SharingRanks {

  static final int LENGTH = 7;
  static final int CHUNK = 3;
  static final int CHUNKS = 3;

  private record Link(int from, int to) implements Comparable<Link> {
    @Override
    public int compareTo(Link other) {
      return from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
    }
  }

  private final TreeMap<Link, Deque<Message>> links = new TreeMap<>();
  private final Set<Link> stalled = new TreeSet<>();
  private final List<GradientSharing> exchanges = new ArrayList<>();
  private final List<float[]> models = new ArrayList<>();
  private final int[] modelsRead;
  private final float[] computed = new float[LENGTH];
  private final SharingLimits limits;
  private View view;

  SharingRanks(int count, int children, int staleness) {
    ExchangeOptions options =
        ExchangeOptions.defaults(count).with(ExchangeOptions.STALENESS, staleness);
    modelsRead = new int[count];
    view = View.all(count, 0);
    limits = SharingLimits.of(new ExchangeConfig(0, count, LENGTH, CHUNK, 0, options));
    for (int rank = 0; rank < count; rank++) {
      float[] model = new float[LENGTH];
      models.add(model);
      exchanges.add(
          new GradientSharing(
              new ExchangeConfig(rank, count, LENGTH, CHUNK, 0, options),
              new Port(rank, model),
              children));
    }
  }

  /** A port on which no message is ever late. */
  private final class Port extends ForwardingPort implements ViewPort {
    private final int rank;

    Port(int rank, float[] model) {
      super(new RecordingPort(model));
      this.rank = rank;
    }

    @Override
    public void wakeAt(long nanos) {}

    @Override
    public void send(Message message) {
      link(message.from(), message.to()).add(message.withPayload(message.payload().copy()));
    }

    @Override
    public float[][] model() {
      modelsRead[rank]++;
      return super.model();
    }

    @Override
    public ViewPort views() {
      return this;
    }

    @Override
    public void tell(ToArbiter message) {}

    @Override
    public long steps() {
      return 0;
    }

    @Override
    public void caughtUp(long round, long steps) {}
  }

  List<GradientSharing> exchanges() {
    return exchanges;
  }

  GradientSharing rank(int rank) {
    return exchanges.get(rank);
  }

  SharingLimits limits() {
    return limits;
  }

  float[] model(int rank) {
    return models.get(rank);
  }

  /** Returns how often a rank's model was read, to copy it or to learn its number of vectors. */
  int modelsRead(int rank) {
    return modelsRead[rank];
  }

  // ---- events ----------------------------------------------------------------------------------

  /** Contributes a gradient of whole numbers at a rank. */
  void contribute(int rank, int samples, SplittableRandom random) {
    GradientSharing exchange = exchanges.get(rank);
    float[] gradient = new float[LENGTH];
    for (int i = 0; i < LENGTH && samples > 0; i++) {
      gradient[i] = random.nextInt(-9, 10);
      computed[i] -= gradient[i];
    }
    exchange.contribute(new Contribution(exchange.completedRounds(), gradient, samples));
  }

  Deque<Message> link(int from, int to) {
    return links.computeIfAbsent(new Link(from, to), link -> new ArrayDeque<>());
  }

  /** Delivers the next message of a link. */
  Message deliver(int from, int to) {
    Message message = link(from, to).remove();
    exchanges.get(to).receive(message);
    return message;
  }

  /** Delivers one message of a random link. Returns false if no message is in flight. */
  boolean deliverOne(SplittableRandom random) {
    List<Link> busy = busy();
    busy.removeAll(stalled);
    if (busy.isEmpty()) {
      busy = busy();
    }
    if (busy.isEmpty()) {
      return false;
    }
    Link link = busy.get(random.nextInt(busy.size()));
    deliver(link.from(), link.to());
    return true;
  }

  private List<Link> busy() {
    List<Link> busy = new ArrayList<>(links.keySet());
    busy.removeIf(link -> links.get(link).isEmpty());
    return busy;
  }

  /** Stalls other links than before: they carry nothing while another link does. */
  void stallOthers(SplittableRandom random) {
    stalled.clear();
    links.keySet().stream().filter(link -> random.nextInt(3) == 0).forEach(stalled::add);
  }

  /**
   * Lets a random rank contribute if it may compute, or else delivers a message, this many times.
   */
  void exchangeAtRandom(int times, int leastSamples, SplittableRandom random) {
    for (int i = 0; i < times; i++) {
      int rank = random.nextInt(exchanges.size());
      if (rank(rank).mayCompute()) {
        contribute(rank, random.nextInt(leastSamples, 4), random);
      } else if (!deliverOne(random)) {
        assertThat(view.members())
            .as("the slowest rank does not wait")
            .anyMatch(member -> rank(member).mayCompute());
      }
    }
  }

  /** Delivers messages until every rank is quiet, and not longer. */
  void flush(SplittableRandom random) {
    exchanges.forEach(GradientSharing::flush);
    while (!exchanges.stream().allMatch(GradientSharing::isQuiet)) {
      assertThat(deliverOne(random))
          .as("something is under way where a rank is not quiet")
          .isTrue();
    }
  }

  /** Resumes all ranks after a checkpoint, or after it was declined. */
  void goOnFromCheckpoint() {
    links.clear();
    for (GradientSharing exchange : exchanges) {
      exchange.emptied();
      exchange.resume();
    }
  }

  void resume() {
    exchanges.forEach(GradientSharing::resume);
  }

  // ---- views -----------------------------------------------------------------------------------

  Elastic elastic(int rank) {
    return rank(rank).participation().elastic().orElseThrow();
  }

  /** Begins a view of these members; those that are current before it have its model. */
  void enter(List<Integer> members) {
    List<Integer> current = members.stream().filter(member -> elastic(member).isCurrent()).toList();
    links.clear();
    view = new View(view.number() + 1, members, 0, current);
    for (int rank = 0; rank < exchanges.size(); rank++) {
      elastic(rank).handle(new Enter(view));
    }
  }

  /** Begins a view without some ranks. */
  void leaveOut(Integer... ranks) {
    List<Integer> out = List.of(ranks);
    enter(IntStream.range(0, exchanges.size()).boxed().filter(it -> !out.contains(it)).toList());
  }

  View view() {
    return view;
  }

  /** Checks that each gradient is in each model once. */
  void assertSame() {
    for (float[] model : models) {
      assertThat(model).containsExactly(computed);
    }
  }
}
