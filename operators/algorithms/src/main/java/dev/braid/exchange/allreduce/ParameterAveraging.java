package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateReader;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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
 * <p>With compression, ranks send {@linkplain AveragedMoves moves} instead of models.
 *
 * <p>A round is one batch and is complete at once; an average is a joint step of all ranks. Ranks
 * may therefore be at different batches of one period at a checkpoint. All ranks complete the last
 * average that any rank has completed. An average beyond that is rolled back, and begun again after
 * the checkpoint from the same weights.
 */
public final class ParameterAveraging implements Synchronous, Stateful, Measured {

  /** State with the number of averages and the number of batches since the last average. */
  static final StateKind AVERAGES = StateKind.ofTheseRanks("averages", 1);

  private final ExchangeConfig config;
  private final Port port;
  private final Range whole;
  private final int interval;

  private long completed;

  /** Number of batches since the last average. */
  private int since;

  /** Number of complete averages in the state from which this run resumes. */
  private long averagesBefore;

  private boolean averaging;
  private boolean ending;

  /** The exchange that computes the sums; created at its first use. */
  private ExchangeRunner tree;

  private final Averaged averaged;

  /** This rank's part of a sum, of {@link Averaged#length} elements. */
  private float[] part = {};

  public ParameterAveraging(ExchangeConfig config, Port port) {
    this.config = config;
    this.port = port;
    this.whole = Range.ofLength(config.length());
    this.interval = config.options().get(AveragingDescriptor.INTERVAL);
    this.completed = config.completedRounds();
    Compression compression = config.options().get(Compression.OPTION);
    this.averaged =
        compression.equals(Compression.NONE)
            ? new AveragedModels(config, port)
            : new AveragedMoves(config, port, compression);
  }

  /** Returns the kinds of states to save with a compression. */
  static List<StateKind> states(Compression compression) {
    List<StateKind> kinds = new ArrayList<>(List.of(AVERAGES));
    if (!compression.equals(Compression.NONE)) {
      kinds.addAll(AveragedMoves.states(compression));
    }
    return kinds;
  }

  @Override
  public boolean mayCompute() {
    return !averaging;
  }

  @Override
  public void contribute(Contribution local) {
    if (averaging || local.round() != completed) {
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
    averageIfDue();
  }

  private void averageIfDue() {
    if (!averaging && (since >= interval || (ending && since > 0))) {
      averaging = true;
      tree();
      // If no rank had a sample, no model has changed, but the average takes place all the same.
      averaged.modelChanges();
      averaged.writeTo(part);
      tree.contribute(new Contribution(tree.completedRounds(), part, 1));
    }
  }

  private ExchangeRunner tree() {
    if (tree == null) {
      part = new float[averaged.length()];
      tree =
          averaged.sums(
              new ExchangeConfig(
                      config.rank(),
                      config.ranks(),
                      part.length,
                      config.chunkLength(),
                      averagesBefore,
                      config.options())
                  .withExact(config.exact()),
              new MeanPort());
    }
    return tree;
  }

  @Override
  public void receive(Message message) {
    tree().receive(message);
  }

  /** Port of the tree: forwards messages, and turns the sum into the mean. */
  private final class MeanPort extends ForwardingPort {

    MeanPort() {
      super(port);
    }

    @Override
    public void update(Update sum) {
      averaged.apply(sum.values());
      averaging = false;
      since = 0;
    }
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

  /** Returns the number of complete averages. */
  @Override
  public long jointRounds() {
    return tree == null ? averagesBefore : tree.completedRounds();
  }

  @Override
  public boolean replicasAgree() {
    return false;
  }

  @Override
  public void rollBack() {
    averaging = false;
    if (tree != null) {
      tree.rollBack();
    }
  }

  @Override
  public void resume() {
    averageIfDue();
  }

  /** Ends training with an average, so that all replicas are equal. */
  @Override
  public void end() {
    ending = true;
    averageIfDue();
  }

  @Override
  public boolean isQuiet() {
    return since == 0 && !averaging;
  }

  @Override
  public void addFigures(FigureValues to) {
    to.add(Figure.KEPT_VECTORS, averaged.keptVectors());
    if (tree != null) {
      tree.addFigures(to);
    }
  }

  /** Returns the states, averages first, because the sums resume from their number. */
  @Override
  public List<LastingState> states() {
    List<LastingState> states = new ArrayList<>();
    states.add(new LastingState(AVERAGES, this::writeAverages, this::readAverages));
    states.addAll(averaged.states(this::tree));
    return states;
  }

  private void writeAverages(DataOutput out) throws IOException {
    out.writeLong(jointRounds());
    out.writeInt(since);
  }

  private void readAverages(DataInput in) throws IOException {
    averagesBefore = StateReader.readLong(in, 0, "averages");
    since = StateReader.readInt(in, 0, Integer.MAX_VALUE, "batches since the last average");
  }
}
