package dev.braid.exchange.coded;

import dev.braid.coding.CodeTree;
import dev.braid.coding.TimesOfRounds;
import dev.braid.coding.TreeInUse;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.DecodingUse;
import dev.braid.exchange.ExchangeConfig;
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
 * A coded reduction whose tree is chosen anew at the end of each epoch, by how long gradients and
 * answers took in it (what CodedReduce §V leaves open): within an epoch it is a {@link
 * CodedReduce}.
 *
 * <pre>
 *   last round of an epoch is complete ── TIMES, to the root ──▶ root: PlanOfEpoch
 *   next round, in the chosen tree ◀───── CHOSEN, to all ────────┘
 * </pre>
 *
 * <p>Between epochs, as the samples that a rank computes follow from the tree: no batch is handed
 * out before it is known, and the others wait there anyway. All ranks' sums of the epoch have come
 * before the root chooses, as each tells its times behind its own. So what comes of earlier rounds
 * then is of use to nobody, and what comes of the next round before the choice is kept.
 *
 * <p>What is chosen is in checkpoints: whoever goes on from one is in the same tree. A rank that is
 * held between its times and the choice tells them again, and the root, if it has chosen, its
 * choice: there is one for each epoch. So its times of the epoch are in a checkpoint that falls
 * there, and whoever goes on from it makes the same choice.
 */
final class PlannedReduce implements Synchronous, Measured, Stateful, Planning {

  static final StateKind STATE = StateKind.ofTheseRanks("tree", 2);

  private static final long UNKNOWN = -1;

  private final ExchangeConfig config;
  private final Port port;
  private final int root;
  private final PlanOfEpoch plan;

  /** What is of the next round, while its tree is not known. */
  private final Deque<Message> early = new ArrayDeque<>();

  private Supplier<SplittableRandom> random =
      () -> {
        throw new IllegalStateException(
            "a tree is to be chosen, and nothing is there to draw from");
      };

  private CodeTree codes;
  private TreeInUse inUse;
  private CodedReduce reduce;

  /** What has become of answers in the trees before. */
  private DecodingUse before = DecodingUse.NONE;

  /** Of the epoch under way; a gradient that comes behind its end counts for the next. */
  private TimesOfRounds times = new TimesOfRounds();

  /** Of the epoch that has ended, while the next tree is not known. */
  private EpochTimes ofEpoch = EpochTimes.NONE;

  /** The first round in the tree, or of which the tree was thought over. */
  private long since;

  /** The round with which the epoch under way ends, if the rank knows. */
  private long lastOfEpoch = UNKNOWN;

  /** Whether the next round's tree is not known yet. */
  private boolean isOpen;

  /** Begins with the tree of the options. */
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

  // ---- rounds
  // ------------------------------------------------------------------------------------

  @Override
  public boolean mayCompute() {
    return !isOpen && reduce.mayCompute();
  }

  @Override
  public void enter(long round, boolean isLastOfEpoch) {
    if (isOpen) {
      throw new IllegalStateException("round " + round + " is entered before its tree is known");
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

  /** A root that computes nothing has no rounds of its own. */
  @Override
  public long completedRounds() {
    return isWorker() ? reduce.completedRounds() : config.completedRounds();
  }

  /** Also at a root that computes nothing. */
  @Override
  public long jointRounds() {
    return reduce.jointRounds();
  }

  /** As another tree may not. */
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
  public void goOn() {
    reduce.goOn();
    if (isOpen) {
      tellTimes();
    }
  }

  // ---- the choice
  // --------------------------------------------------------------------------------

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
    double messageSeconds = reduce.decodingUse().orElseThrow().messageSeconds();
    return EpochTimes.of(times.quantiles(most), messageSeconds);
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
      // A root that has no batches learns from others that an epoch is over.
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
      before = decodingUse().orElseThrow();
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
          "the exchange's state has a tree of %d children, of whom %d may be late, for %d workers"
              .formatted(inUse.children(), inUse.stragglers(), workers));
    }
  }

  private CodeTree tree(TreeInUse of) {
    return new CodeTree(new RegularTree(config.roles().workers(), of.children()), of.stragglers());
  }

  // ---- what others ask of it
  // ---------------------------------------------------------------------

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
  public Optional<DecodingUse> decodingUse() {
    return reduce.decodingUse().map(use -> use.after(before, inUse));
  }

  @Override
  public List<LastingState> states() {
    List<LastingState> states = new ArrayList<>();
    states.add(new LastingState(STATE, this::write, this::read));
    // Of the reduction in the tree that has been read by then.
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
