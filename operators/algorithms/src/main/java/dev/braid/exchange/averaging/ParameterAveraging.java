package dev.braid.exchange.averaging;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.allreduce.TreeAllreduce;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateReader;
import dev.braid.exchange.state.StateVectors;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Parameter averaging, or local SGD: every rank trains independently for k batches. Then the
 * weights and the updater's state of all ranks are replaced by their mean (Deeplearning4j,
 * "Distributed training", parameter averaging). The mean is computed with a {@linkplain
 * TreeAllreduce tree}.
 *
 * <p>With k = 1 and plain SGD, this is synchronous training. With a larger k, ranks wait for each
 * other and send data only every k batches. Replicas drift apart in between, and the larger k is,
 * the less useful is their mean. The updater's state is averaged too; otherwise a replica's
 * momentum would pull it back towards its old weights.
 *
 * <p>With any other option, ranks send {@linkplain AveragedMoves moves} instead of models, and keep
 * their own updater's state. Then the model may be divided into {@linkplain Fragment fragments},
 * which are averaged in turn, each every k batches; and ranks may train on some batches while a
 * fragment is averaged (Douillard et al., "Streaming DiLoCo with overlapping communication", 2025,
 * Sections 2.2 and 2.3). A mean that arrives early waits until the rank has trained on these
 * batches, and a rank that has waits for the mean. The result therefore does not depend on timing.
 * One fragment at a time is averaged.
 *
 * <p>A round is one batch and is complete at once; an average is a joint step of all ranks. Ranks
 * may therefore be at different batches of one period at a checkpoint. All ranks complete the last
 * average that any rank has completed. An average beyond that is rolled back, and begun again after
 * the checkpoint from the same weights.
 */
public final class ParameterAveraging implements Synchronous, Stateful, Measured {

  /** State with the number of averages and the number of batches since the last one began. */
  static final StateKind AVERAGES = StateKind.ofTheseRanks("averages", 1);

  /** State with the average that has begun and is not applied, if this can last over batches. */
  private static final StateKind UNAPPLIED = StateKind.ofTheseRanks("unapplied average", 1);

  private final ExchangeConfig config;
  private final Port port;
  private final Range whole;
  private final int interval;
  private final int overlap;
  private final int count;
  private final Averaged averaged;

  /** The parts of the model; created at their first use. */
  private List<Fragment> fragments = List.of();

  private long completed;

  /** Number of averages that have been applied. */
  private long applied;

  /** Number of batches since the beginning of the last average that has been applied. */
  private int since;

  /** Number of averages that have begun since the last batch, at most {@link #count}. */
  private int fresh;

  /** Whether an average has begun that has not been applied. */
  private boolean isUnderWay;

  /** Number of batches since its beginning. */
  private int lag;

  /** Whether its sum has arrived, and waits in {@link #arrived} for this rank's batches. */
  private boolean hasArrived;

  private float[] arrived = {};

  private boolean isEnding;

  public ParameterAveraging(ExchangeConfig config, Port port) {
    this.config = config;
    this.port = port;
    this.whole = Range.ofLength(config.length());
    this.interval = config.options().get(AveragingDescriptor.INTERVAL);
    this.overlap = config.options().get(AveragingDescriptor.OVERLAP);
    this.count = Math.min(config.options().get(AveragingDescriptor.FRAGMENTS), config.length());
    this.completed = config.completedRounds();
    this.fresh = count;
    this.averaged =
        averagesMoves(config.options())
            ? new AveragedMoves(config, port)
            : new AveragedModels(config, port);
  }

  /** Returns whether moves are averaged, and not models. */
  static boolean averagesMoves(ExchangeOptions options) {
    return !options.get(Compression.OPTION).equals(Compression.NONE)
        || OuterStep.of(options).isPresent()
        || isStreaming(options);
  }

  /** Returns whether averages are under way, or partly complete, between two batches. */
  private static boolean isStreaming(ExchangeOptions options) {
    return options.get(AveragingDescriptor.FRAGMENTS) > 1
        || options.get(AveragingDescriptor.OVERLAP) > 0;
  }

  /** Returns the kinds of states to save. */
  static List<StateKind> states(ExchangeOptions options) {
    List<StateKind> kinds = new ArrayList<>(List.of(AVERAGES));
    if (isStreaming(options)) {
      kinds.add(UNAPPLIED);
    }
    if (averagesMoves(options)) {
      kinds.addAll(AveragedMoves.states(options));
    }
    return kinds;
  }

  @Override
  public boolean mayCompute() {
    return !isUnderWay || lag < overlap;
  }

  @Override
  public void contribute(Contribution local) {
    if (!mayCompute() || local.round() != completed) {
      throw new IllegalStateException(
          "gradient of round " + local.round() + " while round " + completed + " is next");
    }
    if (local.samples() > 0) {
      averaged.modelChanges();
      Slice gradient = Slice.view(local.gradient(), whole);
      port.update(new Update.GradientSum(whole, gradient, local.samples()));
    }
    completed++;
    since++;
    fresh = 0;
    if (isUnderWay) {
      lag++;
    }
    advance();
  }

  /** Applies and begins averages as long as one is due. */
  private void advance() {
    while (isUnderWay ? hasArrived && isDue() : since >= gap() || (isEnding && fresh < count)) {
      if (isUnderWay) {
        apply(Slice.view(arrived, Range.ofLength(arrived.length)));
      } else {
        begin();
      }
    }
  }

  /** Returns the number of batches between the beginnings of the last average and the next. */
  private long gap() {
    long next = applied % count;
    return (next + 1) * interval / count - next * interval / count;
  }

  private void begin() {
    isUnderWay = true;
    lag = 0;
    fresh++;
    // If no rank had a sample, no model has changed, but the average takes place all the same.
    averaged.modelChanges();
    averaged.begin(current().range());
    current().contribute();
  }

  /** Returns whether the average under way is applied as soon as its sum has arrived. */
  private boolean isDue() {
    return lag >= overlap || isEnding;
  }

  private void sumArrived(Slice sum) {
    if (isDue()) {
      apply(sum);
    } else {
      arrived = Arrays.copyOfRange(sum.array(), sum.offset(), sum.offset() + sum.length());
      hasArrived = true;
    }
  }

  private void apply(Slice sum) {
    averaged.apply(current().range(), sum);
    applied++;
    since = lag;
    isUnderWay = false;
    hasArrived = false;
  }

  /** Returns the fragment of the average that is under way, or of the next one. */
  private Fragment current() {
    return fragment(applied);
  }

  private Fragment fragment(long average) {
    return fragments().get((int) (average % count));
  }

  private List<Fragment> fragments() {
    if (fragments.isEmpty()) {
      fragments =
          IntStream.range(0, count)
              .mapToObj(
                  i ->
                      new Fragment(
                          config, port, averaged, i, count, jointRounds(), this::sumArrived))
              .toList();
    }
    return fragments;
  }

  @Override
  public void receive(Message message) {
    fragment(message.round()).receive(message);
    // Not when the sum arrives, because its exchange is then still in a call.
    advance();
  }

  @Override
  public long completedRounds() {
    return completed;
  }

  /** Returns the batches since the last average: other ranks' gradients since then are missing. */
  @Override
  public Staleness staleness() {
    return config.ranks() == 1 ? Staleness.NONE : new Staleness(since, since);
  }

  /** Returns the number of averages whose sums have arrived. */
  @Override
  public long jointRounds() {
    return applied + (hasArrived ? 1 : 0);
  }

  @Override
  public boolean replicasAgree() {
    return false;
  }

  @Override
  public void rollBack() {
    fragments.forEach(each -> each.sums().rollBack());
  }

  @Override
  public void resume() {
    if (isUnderWay && !hasArrived) {
      current().contribute();
    }
    advance();
  }

  /** Ends training with an average of each fragment, so that all replicas are equal. */
  @Override
  public void end() {
    isEnding = true;
    advance();
  }

  @Override
  public boolean isQuiet() {
    return !isUnderWay && fresh == count;
  }

  @Override
  public void addFigures(FigureValues to) {
    to.add(Figure.KEPT_VECTORS, averaged.keptVectors());
    for (Fragment each : fragments) {
      FigureValues ofFragment = new FigureValues();
      each.sums().addFigures(ofFragment);
      // It counts vectors of a fragment's length.
      ofFragment.set(Figure.KEPT_VECTORS, ofFragment.get(Figure.KEPT_VECTORS) / count);
      to.add(ofFragment);
    }
  }

  /** Returns the states, averages first, because the sums resume from their number. */
  @Override
  public List<LastingState> states() {
    List<LastingState> states = new ArrayList<>();
    states.add(new LastingState(AVERAGES, this::writeAverages, this::readAverages));
    if (isStreaming(config.options())) {
      states.add(new LastingState(UNAPPLIED, this::writeUnapplied, this::readUnapplied));
    }
    states.addAll(averaged.states(() -> fragments().stream().map(Fragment::sums).toList()));
    return states;
  }

  private void writeAverages(DataOutput out) throws IOException {
    out.writeLong(applied);
    out.writeInt(since);
  }

  private void readAverages(DataInput in) throws IOException {
    applied = StateReader.readLong(in, 0, "averages");
    since = StateReader.readInt(in, 0, Integer.MAX_VALUE, "batches since the last average");
    fresh = since == 0 ? count : 0;
  }

  private void writeUnapplied(DataOutput out) throws IOException {
    out.writeInt(fresh);
    out.writeBoolean(isUnderWay);
    out.writeInt(lag);
    out.writeBoolean(hasArrived);
    if (hasArrived) {
      StateVectors.write(out, arrived);
    }
  }

  private void readUnapplied(DataInput in) throws IOException {
    fresh = StateReader.readInt(in, 0, count, "averages since the last batch");
    isUnderWay = in.readBoolean();
    lag = StateReader.readInt(in, 0, overlap, "batches since an average began");
    hasArrived = in.readBoolean();
    if (hasArrived) {
      int index = (int) (applied % count);
      int length = averaged.length(whole.part(index, count));
      arrived = StateVectors.readFinite(in, length, "sum that is not applied");
    }
  }
}
