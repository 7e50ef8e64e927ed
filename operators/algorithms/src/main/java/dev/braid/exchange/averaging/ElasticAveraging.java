package dev.braid.exchange.averaging;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.compression.GradientCompression;
import dev.braid.exchange.fttree.BraidedTree;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.participation.ViewMessage.ToArbiter;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import dev.braid.exchange.participation.ViewPort;
import dev.braid.exchange.runner.ExchangeRunner;
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
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Averaging in views: {@linkplain ParameterAveraging averaging} of moves in which unreachable ranks
 * are left out of averages. The averages are the rounds of a {@link BraidedTree}, which routes
 * around failed links and agrees on views. What it copies to a rank that rejoins is the {@linkplain
 * LastMean last mean}, not a rank's weights.
 *
 * <p>The next mean is the last one plus the mean of the members' moves, weighted by the numbers of
 * samples that the moves come from. A rank that rejoins adds its own moves that are in no average
 * to the mean that it receives, and they are part of its next move. Each batch that a rank has
 * trained on is therefore in one average, and training ends when all ranks are reachable. The
 * batches up to the average at which a rank rejoins are not used.
 *
 * <p>A round is one batch and is complete at once. {@linkplain #jointRounds() Joint rounds}, views
 * and messages count averages. All ranks end training with an average of all ranks.
 */
public final class ElasticAveraging implements Synchronous, Stateful, Measured {

  /** State with the number of averages and the number of batches up to the last one. */
  private static final StateKind AVERAGES = new StateKind("averages", 1, StateKind.Rescaling.COPY);

  /** State with this rank's moves that are in no average. */
  private static final StateKind OWN_MOVES = StateKind.ofTheseRanks("own moves", 1);

  /**
   * A rank's contribution to an average.
   *
   * @param sum the rank's move times the number of samples, {@code float[length]}
   */
  private record Part(float[] sum, long samples) {}

  private static final Part NO_PART = new Part(new float[0], 0);

  private final ExchangeConfig config;
  private final Port port;
  private final Range whole;
  private final int interval;
  private final Compression compression;
  private final LastMean mean;
  private final AveragesInViews participant = new AveragesInViews();

  /** The exchange that computes the averages, one a round; created at its first use. */
  private Optional<ExchangeRunner> sums = Optional.empty();

  /** Number of batches that this rank has trained on or missed. */
  private long completed;

  /** Number of averages in the last mean. */
  private long averages;

  /** Number of batches up to the last mean, which is the same at all ranks. */
  private long covered;

  /** Number of samples of this rank's moves that are not in the last mean. */
  private long samples;

  /** By the parity of the average: this rank's last two contributions. */
  private final Part[] parts = {NO_PART, NO_PART};

  /**
   * This rank's moves that are in no average, {@code float[length]}, while its mean is not that of
   * the view; otherwise empty.
   */
  private float[] ownMoves = {};

  /** Whether no rank has trained or rejoined since the last average. */
  private boolean isAveraged;

  private boolean isFrozen;
  private boolean isEnding;

  public ElasticAveraging(ExchangeConfig config, Port port) {
    this.config = config;
    this.port = port;
    this.whole = Range.ofLength(config.length());
    this.interval = config.options().get(AveragingDescriptor.INTERVAL);
    this.compression = config.options().get(Compression.OPTION);
    this.mean = new LastMean(config, this::weights);
    this.completed = config.completedRounds();
    this.covered = completed;
  }

  /** Returns the kinds of states to save. */
  static List<StateKind> states(ExchangeOptions options) {
    List<StateKind> kinds = new ArrayList<>(List.of(AVERAGES));
    kinds.addAll(LastMean.states(options));
    kinds.add(OWN_MOVES);
    GradientCompression.statesOfSums(options.get(Compression.OPTION)).stream()
        .map(AveragedMoves::rescaled)
        .forEach(kinds::add);
    return kinds;
  }

  private float[] weights() {
    return port.model()[0];
  }

  private ExchangeRunner sums() {
    if (sums.isEmpty()) {
      // A full contribution has the samples of all batches of an interval.
      long batch = (long) interval * config.options().batch();
      ExchangeOptions options =
          config.options().withBatch((int) Math.min(batch, Integer.MAX_VALUE));
      sums =
          Optional.of(
              ExchangeRunner.ofSums(
                  BraidedTree::ofRareRounds,
                  true,
                  compression,
                  config.with(options).after(averages),
                  new MeanPort()));
    }
    return sums.get();
  }

  // ---- batches ---------------------------------------------------------------------------------

  @Override
  public boolean mayCompute() {
    return participant.isCurrent() && !isDue();
  }

  /** Returns whether an average is next. */
  private boolean isDue() {
    return completed - covered >= interval || (isEnding && !isAveraged);
  }

  @Override
  public void contribute(Contribution local) {
    if (!mayCompute() || local.round() != completed) {
      throw new IllegalStateException(
          "gradient of round " + local.round() + " while round " + completed + " is next");
    }
    if (local.samples() > 0) {
      mean.weightsChange();
      samples += local.samples();
      Slice gradient = Slice.view(local.gradient(), whole);
      port.update(new Update.GradientSum(whole, gradient, local.samples()));
    }
    completed++;
    isAveraged = false;
    advance();
  }

  @Override
  public long completedRounds() {
    return completed;
  }

  /** Returns the batches since the last average: other ranks' gradients since then are missing. */
  @Override
  public Staleness staleness() {
    int since = (int) (completed - covered);
    return config.ranks() == 1 ? Staleness.NONE : new Staleness(since, since);
  }

  // ---- averages --------------------------------------------------------------------------------

  /** Applies an average that is complete, and contributes to the next one if it is due. */
  private void advance() {
    applyIfComplete();
    while (!isFrozen && participant.isCurrent() && isDue() && sums().mayCompute()) {
      sums().contribute(part());
      applyIfComplete();
    }
  }

  private Contribution part() {
    mean.weightsChange();
    int slot = slot(averages);
    float[] sum = parts[slot].sum().length == 0 ? new float[whole.length()] : parts[slot].sum();
    float[] now = weights();
    float[] base = mean.values();
    for (int i = 0; i < sum.length; i++) {
      sum[i] = (now[i] - base[i]) * samples;
    }
    parts[slot] = new Part(sum, samples);
    return new Contribution(averages, sum, samples);
  }

  private static int slot(long average) {
    return (int) (average & 1);
  }

  private void applyIfComplete() {
    if (!participant.isCurrent() || sums().completedRounds() == averages) {
      return;
    }
    averages++;
    covered = Math.min(covered + interval, completed);
    samples = 0;
    isAveraged = true;
    mean.weightsChange();
    port.update(new Update.Replacement(0, whole, Slice.view(mean.values(), whole)));
  }

  /**
   * Keeps the own moves that are in no average, because the view continues without this rank or
   * from a mean that it lacks.
   *
   * @param inView number of averages in the mean of the view
   */
  private void keepOwnMoves(long inView) {
    mean.weightsChange();
    float[] now = weights();
    float[] base = mean.values();
    ownMoves = new float[whole.length()];
    if (inView > averages) {
      // The mean of the view contains them.
      samples = 0;
      return;
    }
    // If no member has this rank's last average, the members repeat it without this rank.
    Part last = inView < averages ? parts[slot(inView)] : NO_PART;
    for (int i = 0; i < ownMoves.length; i++) {
      ownMoves[i] = now[i] - base[i] + (last.samples() > 0 ? last.sum()[i] / last.samples() : 0);
    }
    samples += last.samples();
  }

  /**
   * Continues from a mean that this rank has received, with its own moves.
   *
   * @param averagesOfCopy number of averages in the mean
   * @param position number of batches that a rank with this mean has trained on. This rank misses
   *     the batches before it, so that the others need not wait for it at the next average
   * @param steps number of steps of the updater
   */
  private void rejoin(long averagesOfCopy, long position, long steps) {
    covered = Math.min(covered + (averagesOfCopy - averages) * interval, position);
    averages = averagesOfCopy;
    completed = Math.max(completed, position);
    float[] next = ownMoves;
    ownMoves = new float[0];
    float[] base = mean.values();
    for (int i = 0; i < next.length; i++) {
      // A sum of moves of running statistics could make a variance negative.
      next[i] = mean.isExact(i) ? base[i] : base[i] + next[i];
    }
    port.update(new Update.Replacement(0, whole, Slice.view(next, whole)));
    port.views().caughtUp(completed, steps);
  }

  @Override
  public void receive(Message message) {
    sums().receive(message);
    advance();
  }

  @Override
  public void deadline() {
    sums().deadline();
    advance();
  }

  /** Ends training with an average, so that all replicas are equal. */
  @Override
  public void end() {
    isEnding = true;
    advance();
  }

  /** Returns whether training may end: a rank that is excluded has moves that are in no average. */
  @Override
  public boolean isQuiet() {
    return isAveraged && participant.isCurrent() && participant.view().size() == config.ranks();
  }

  /** The port of the exchange that computes the averages; its model is the last mean. */
  private final class MeanPort extends ForwardingPort {

    MeanPort() {
      super(port);
    }

    @Override
    public float[][] model() {
      return mean.vectors();
    }

    @Override
    public void update(Update update) {
      Slice values = update.values();
      if (update instanceof Update.GradientSum sum) {
        mean.move(whole, values, (float) sum.samples());
      } else if (update instanceof Update.Replacement part) {
        float[] vector = mean.vectors()[part.vector()];
        System.arraycopy(
            values.array(), values.offset(), vector, part.range().start(), values.length());
      }
    }

    @Override
    public ViewPort views() {
      return participant;
    }
  }

  // ---- views -----------------------------------------------------------------------------------

  @Override
  public Participation participation() {
    return new Participation.InViews(participant);
  }

  /**
   * This rank in views of averages. The steps of a copy are the number of batches that its sender
   * has trained on.
   */
  private final class AveragesInViews implements Elastic, ViewPort {

    @Override
    public void handle(ToRank message) {
      boolean wasCurrent = isCurrent();
      sums().handle(message);
      if (message instanceof Enter enter) {
        if (wasCurrent && !isCurrent()) {
          keepOwnMoves(enter.view().round());
        }
        // A rank that rejoins may have moves of its own.
        isAveraged &= enter.view().current().size() == enter.view().size();
      }
      advance();
    }

    @Override
    public View view() {
      return sums.flatMap(ExchangeRunner::view).orElseGet(() -> View.all(config.ranks(), averages));
    }

    @Override
    public boolean isCurrent() {
      return sums.map(ExchangeRunner::isCurrent).orElse(true);
    }

    @Override
    public void tell(ToArbiter message) {
      port.views().tell(message);
    }

    @Override
    public long steps() {
      return completed;
    }

    @Override
    public void caughtUp(long round, long steps) {
      // The updater's schedule continues where those of the other ranks are.
      long missed = Math.max(0, steps - completed);
      rejoin(round, steps, port.views().steps() + missed);
    }
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  /** Returns the number of averages. */
  @Override
  public long jointRounds() {
    return averages;
  }

  @Override
  public boolean isThrough(long rounds) {
    return participant.isCurrent() && averages >= rounds && sums().isThrough(rounds);
  }

  @Override
  public boolean replicasAgree() {
    return false;
  }

  @Override
  public void freeze() {
    isFrozen = true;
  }

  @Override
  public void rollBack() {
    sums().rollBack();
  }

  @Override
  public boolean servesWhileHeld() {
    return true;
  }

  @Override
  public void resume() {
    isFrozen = false;
    if (participant.isCurrent() && ownMoves.length > 0) {
      // The rank was excluded when it was saved. It has been restored with the others' mean.
      rejoin(averages, covered, port.views().steps());
    }
    sums().resume();
    advance();
  }

  /** Returns the states, averages first, because the sums resume from their number. */
  @Override
  public List<LastingState> states() {
    List<LastingState> states = new ArrayList<>();
    states.add(new LastingState(AVERAGES, this::writeAverages, this::readAverages));
    states.addAll(mean.states());
    states.add(new LastingState(OWN_MOVES, this::writeOwnMoves, this::readOwnMoves));
    states.addAll(AveragedMoves.statesOfSums(compression, () -> List.of(sums())));
    return states;
  }

  private void writeAverages(DataOutput out) throws IOException {
    out.writeLong(averages);
    out.writeLong(covered);
  }

  private void readAverages(DataInput in) throws IOException {
    averages = StateReader.readLong(in, 0, "averages");
    covered = StateReader.readLong(in, 0, "batches up to the last average");
    // Without the state of its own moves, a rank's weights differ from the mean by the mean of all
    // ranks' moves. So they count once at each rank.
    samples = 1;
  }

  private void writeOwnMoves(DataOutput out) throws IOException {
    out.writeLong(samples);
    out.writeBoolean(ownMoves.length > 0);
    if (ownMoves.length > 0) {
      StateVectors.write(out, ownMoves);
    }
  }

  private void readOwnMoves(DataInput in) throws IOException {
    samples = StateReader.readLong(in, 0, "samples since the last average");
    if (in.readBoolean()) {
      ownMoves = StateVectors.readFinite(in, whole.length(), "vector of own moves");
    }
  }

  // ---- figures ---------------------------------------------------------------------------------

  @Override
  public OptionalDouble bytesPerSecond() {
    return sums().bytesPerSecond();
  }

  @Override
  public void addFigures(FigureValues to) {
    to.add(Figure.KEPT_VECTORS, mean.keptVectors() + parts.length);
    sums.ifPresent(it -> it.addFigures(to));
  }
}
