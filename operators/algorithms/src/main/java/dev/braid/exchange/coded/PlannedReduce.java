package dev.braid.exchange.coded;

import dev.braid.coding.CodeTree;
import dev.braid.coding.TimesOfRounds;
import dev.braid.coding.TreeInUse;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.TreeChoice;
import dev.braid.exchange.participation.Planning;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateReader;
import dev.braid.topology.RegularTree;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A coded reduction that chooses its tree again at the end of each epoch, by the measured times of
 * gradients and answers (a choice that CodedReduce §V leaves open). Within an epoch it is a {@link
 * CodedReduce}.
 *
 * <pre>
 *   last round of an epoch is complete ── TIMES, to the root ──▶ root: PlanOfEpoch
 *   next round, in the chosen tree ◀───── CHOSEN, to all ────────┘
 * </pre>
 *
 * <p>The tree changes only between epochs, because the tree determines which samples a rank
 * computes. No batch is handed out before the tree is known, and ranks wait for each other there in
 * any case. Each rank sends its times after its sums of the epoch, so the root chooses only when
 * all of these sums have arrived. From then on messages of earlier rounds are of no use, and
 * messages of the next round are kept until the choice arrives.
 *
 * <p>Checkpoints contain the choice, so a restored run uses the same tree. A rank that is held
 * between sending its times and the choice sends its times again. If the root has already chosen,
 * it repeats its choice, of which there is one for each epoch. A checkpoint that falls in between
 * also contains the rank's times of the epoch, so that a restored run makes the same choice.
 */
final class PlannedReduce implements Synchronous, Measured, Stateful, Planning {

  static final StateKind STATE = StateKind.ofTheseRanks("tree", 2);

  private static final long UNKNOWN = -1;

  private final ExchangeConfig config;
  private final Port port;
  private final int root;
  private final PlanOfEpoch plan;

  /** Messages of the next round, kept while its tree is not known. */
  private final Deque<Message> early = new ArrayDeque<>();

  private Supplier<SplittableRandom> random =
      () -> {
        throw new IllegalStateException("a tree cannot be chosen: there is no random generator");
      };

  private CodeTree codes;
  private TreeInUse inUse;
  private CodedReduce reduce;

  /** Figures of the trees before this one. */
  private final FigureValues before = new FigureValues();

  /**
   * Times of the current epoch. A gradient that is ready after the epoch's end counts for the next
   * epoch.
   */
  private TimesOfRounds times = new TimesOfRounds();

  /** Times of the epoch that has ended, while the next tree is not known. */
  private EpochTimes ofEpoch = EpochTimes.NONE;

  /** The first round in this tree, or the first round after the tree was last confirmed. */
  private long since;

  /** Last round of the current epoch, or {@link #UNKNOWN}. */
  private long lastOfEpoch = UNKNOWN;

  /** Whether the next round's tree is not known yet. */
  private boolean isOpen;

  /** Begins with the tree that the options determine. */
  PlannedReduce(ExchangeConfig config, Port port, CodeTree first) {
    this.config = config;
    this.port = port;
    this.root = CodedLayout.root(config);
    this.plan = new PlanOfEpoch(config);
    become(first, config.completedRounds());
    this.inUse = new TreeInUse(first.tree().children(), first.stragglers(), Float.NaN, Float.NaN);
    this.since = config.completedRounds();
  }

  private void become(CodeTree tree, long rounds) {
    codes = tree;
    reduce =
        new CodedReduce(
            config.after(rounds), port, CodedLayout.of(tree, config), new DecodedSum(tree));
  }

  // ---- rounds ----------------------------------------------------------------------------------

  @Override
  public boolean mayCompute() {
    return !isOpen && reduce.mayCompute();
  }

  @Override
  public void enter(long round, boolean isLastOfEpoch) {
    if (isOpen) {
      throw new IllegalStateException("round " + round + " cannot begin: its tree is not known");
    }
    if (isLastOfEpoch) {
      lastOfEpoch = round;
    }
    reduce.enter(round, isLastOfEpoch);
    openIfEpochIsOver();
  }

  @Override
  public void contribute(Contribution local) {
    reduce.contribute(local);
    openIfEpochIsOver();
  }

  @Override
  public void receive(Message message) {
    if (message.body() instanceof TreeChoice.Times told) {
      takeTimes(message.origin(), message.round(), told);
    } else if (message.body() instanceof TreeChoice.Chosen chosen) {
      if (isOpen && message.round() == jointRounds()) {
        adopt(chosen.tree());
      }
    } else if (message.round() < since) {
      message.release();
    } else if (isOpen && message.round() >= jointRounds()) {
      early.add(message);
    } else {
      reduce.receive(message);
      openIfEpochIsOver();
    }
  }

  /**
   * Returns the number of complete rounds. A root without batches has no rounds of its own, and
   * returns the number with which it began.
   */
  @Override
  public long completedRounds() {
    return isWorker() ? reduce.completedRounds() : config.completedRounds();
  }

  /** Returns the number of complete rounds, also at a root without batches. */
  @Override
  public long jointRounds() {
    return reduce.jointRounds();
  }

  /** Returns true only for a single rank, because a later tree may not wait for all gradients. */
  @Override
  public boolean waitsForAll() {
    return config.ranks() == 1;
  }

  @Override
  public boolean usesAllSamples() {
    return true;
  }

  @Override
  public boolean countsOwnGradient(long round) {
    return reduce.countsOwnGradient(round);
  }

  @Override
  public void rollBack() {
    reduce.rollBack();
    early.forEach(Message::release);
    early.clear();
    plan.forget();
    lastOfEpoch = UNKNOWN;
  }

  @Override
  public void resume() {
    reduce.resume();
    if (isOpen) {
      tellTimes();
    }
  }

  // ---- the choice ------------------------------------------------------------------------------

  private void openIfEpochIsOver() {
    if (lastOfEpoch != UNKNOWN && jointRounds() > lastOfEpoch && config.ranks() > 1) {
      lastOfEpoch = UNKNOWN;
      isOpen = true;
      ofEpoch = timesOfEpoch();
      times = new TimesOfRounds();
      tellTimes();
    }
  }

  private EpochTimes timesOfEpoch() {
    int most = Math.min(config.length(), config.chunkLength());
    return EpochTimes.of(times.quantiles(most), reduce.messageSeconds());
  }

  private void tellTimes() {
    if (config.rank() != root) {
      send(root, ofEpoch.toMessage());
      return;
    }
    if (isWorker()) {
      plan.add(root, ofEpoch);
    }
    chooseIfAllAreKnown();
  }

  private void takeTimes(int from, long round, TreeChoice.Times told) {
    EpochTimes ofRank = EpochTimes.of(told);
    told.payload().release();
    if (!isOpen && round == since) {
      send(from, new TreeChoice.Chosen(inUse));
    } else if (round >= jointRounds()) {
      // A root without batches learns from the other ranks that an epoch is over.
      isOpen |= !isWorker();
      plan.add(from, ofRank);
      chooseIfAllAreKnown();
    }
  }

  private void chooseIfAllAreKnown() {
    if (!isOpen || !plan.isComplete()) {
      return;
    }
    TreeInUse chosen = plan.choose(codes, random);
    for (int rank = 0; rank < config.ranks(); rank++) {
      if (rank != root) {
        send(rank, new TreeChoice.Chosen(chosen));
      }
    }
    adopt(chosen);
  }

  private void send(int to, TreeChoice what) {
    port.send(new Message(config.rank(), to, jointRounds(), what));
  }

  private void adopt(TreeInUse chosen) {
    boolean isAnother = !chosen.isSameTree(inUse);
    inUse = chosen;
    if (isAnother) {
      reduce.addFigures(before);
      become(tree(inUse), jointRounds());
    }
    since = jointRounds();
    isOpen = false;
    ofEpoch = EpochTimes.NONE;
    plan.forget();
    for (int i = early.size(); i > 0; i--) {
      reduce.receive(early.remove());
    }
  }

  private boolean isWorker() {
    return config.roles().computes(config.rank());
  }

  private void checkTree() throws IOException {
    int workers = config.roles().workers();
    boolean isTree = inUse.children() >= 1 && inUse.children() <= workers;
    if (!isTree || inUse.stragglers() < 0 || inUse.stragglers() >= inUse.children()) {
      throw new IOException(
          ("the exchange's state: %d children, %d stragglers, %d workers: must be stragglers < "
                  + "children <= workers")
              .formatted(inUse.children(), inUse.stragglers(), workers));
    }
  }

  private CodeTree tree(TreeInUse of) {
    return new CodeTree(new RegularTree(config.roles().workers(), of.children()), of.stragglers());
  }

  // ---- queries and state -----------------------------------------------------------------------

  @Override
  public void drawFrom(Supplier<SplittableRandom> source) {
    random = source;
  }

  @Override
  public void computed(double nanosOfRound) {
    times.add(nanosOfRound);
  }

  @Override
  public Optional<CodeTree> plan() {
    return isOpen ? Optional.empty() : Optional.of(codes);
  }

  @Override
  public void addFigures(FigureValues to) {
    to.add(before);
    reduce.addFigures(to);
    to.set(Figure.TREE_CHILDREN, inUse.children());
    to.set(Figure.TREE_STRAGGLERS, inUse.stragglers());
    to.set(Figure.PLANNED_TIME, inUse.seconds());
    to.set(Figure.PLANNED_TIME_BEFORE, inUse.secondsBefore());
  }

  @Override
  public List<LastingState> states() {
    List<LastingState> states = new ArrayList<>();
    states.add(new LastingState(STATE, this::write, this::read));
    // Belongs to the reduction in the tree that has been read before.
    if (!reduce.states().isEmpty()) {
      states.add(
          new LastingState(
              CodedReduce.ROUNDS, out -> reduce.writeRounds(out), in -> reduce.readRounds(in)));
    }
    return states;
  }

  private void write(DataOutput out) throws IOException {
    inUse.write(out);
    out.writeLong(since);
    out.writeBoolean(isOpen);
    if (isOpen) {
      ofEpoch.write(out);
    }
  }

  private void read(DataInput in) throws IOException {
    inUse = TreeInUse.read(in);
    checkTree();
    since = StateReader.readLong(in, 0, "first round of the tree");
    isOpen = in.readBoolean();
    ofEpoch = isOpen ? EpochTimes.read(in) : EpochTimes.NONE;
    become(tree(inUse), config.completedRounds());
  }
}
