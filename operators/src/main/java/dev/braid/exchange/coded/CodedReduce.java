package dev.braid.exchange.coded;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.DecodingUse;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateReader;
import dev.braid.exchange.transport.LoopbackPort;
import dev.braid.topology.RegularTree;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One rank of a coded reduction (CodedReduce §III-B, CR.Execute): it answers its parent with its
 * own linear combination and what it decodes of its children's answers; the master decodes the sum
 * of the round, and hands it down the tree. A parent waits for as many answers as decoding needs,
 * and for no more; whoever is late gives its gradient up when the sum comes.
 *
 * <p>Chunks go up and down one by one. A parent adds in an order that does not depend on arrival.
 *
 * <p>A round ends at a rank only when it has {@linkplain #enter entered} it, so that its model
 * stays as it is while it is evaluated. {@link Entries} go up the tree, and the master hands out no
 * sum that would leave a rank more than {@value Entries#MOST_ROUNDS_BEHIND} rounds behind, nor one
 * of a new epoch before all have entered it.
 */
final class CodedReduce implements Synchronous, Measured, Stateful {

  /** How many rounds are complete at a root that has no batches by which a checkpoint knows. */
  static final StateKind ROUNDS = StateKind.ofTheseRanks("rounds", 1);

  // Phases: what is said.

  /** What a child answers its parent. */
  private static final int ANSWER = 0;

  /** The sum of the round. */
  private static final int SUM = 1;

  /** The same, with the receiver's own gradient in it, where it might be without. */
  private static final int SUM_WITH_YOURS = 2;

  /**
   * The sender, and all below it, are in the message's round; no values. In the place of samples:
   * the first round that is not to end before all are in it, as far as the sender knows.
   */
  private static final int ENTERED = 3;

  private final ExchangeConfig config;
  private final LoopbackPort port;
  private final CodedLayout layout;
  private final Rule rule;
  private final Range vector;
  private final int chunks;
  private final int[] below;
  private final Entries entries;
  private final AnswerFigures figures = new AnswerFigures();

  /** Of this rank's children, where it has any. */
  private final Optional<ChildAnswers> ofChildren;

  /** Of the first layer, at the root. */
  private final Optional<ChildAnswers> ofFirstLayer;

  private final float[] subtree;
  private final float[] sum;
  private final BitSet sent = new BitSet();
  private final BitSet summed = new BitSet();

  /** What came before its round, or sums before the rank is in it. */
  private final Deque<Message> early = new ArrayDeque<>();

  private Optional<Contribution> local = Optional.empty();
  private long completed;
  private long samples;
  private boolean countsOwn;
  private boolean countedOwn;

  /** What distinguishes the exchanges of this family. */
  interface Rule {

    /** How the answers of a rank's children, or of the master's, become a sum. */
    Decoder decoder(int parent);

    /** Whether samples are used whoever is late. */
    boolean usesAllSamples();

    /** Whether all gradients are waited for. */
    boolean waitsForAll();
  }

  CodedReduce(ExchangeConfig config, Port port, CodedLayout layout, Rule rule) {
    this.config = config;
    this.port = new LoopbackPort(config.rank(), port);
    this.layout = layout;
    this.rule = rule;
    this.vector = Range.ofLength(config.length());
    this.chunks = vector.chunks(config.chunkLength());
    this.below = layout.below();
    this.completed = config.completedRounds();
    this.entries = new Entries(below, layout.isWorker(), completed);
    this.ofChildren = answers(config.rank(), layout.children());
    this.ofFirstLayer =
        layout.isRoot() ? answers(RegularTree.MASTER, layout.firstLayer()) : Optional.empty();
    this.subtree = new float[ofChildren.isPresent() ? config.length() : 0];
    this.sum = new float[config.length()];
  }

  private Optional<ChildAnswers> answers(int parent, int[] children) {
    int longest = Math.min(config.chunkLength(), config.length());
    return children.length == 0
        ? Optional.empty()
        : Optional.of(
            new ChildAnswers(parent, rule.decoder(parent), children, chunks, longest, figures));
  }

  // ---- what the rank says
  // ------------------------------------------------------------------------

  @Override
  public boolean mayCompute() {
    return layout.isWorker() && local.isEmpty();
  }

  @Override
  public void enter(long round, boolean isLastOfEpoch) {
    if (round != completed) {
      throw new IllegalStateException(
          "round " + round + " is entered while round " + completed + " is next");
    }
    entries.enter(round, isLastOfEpoch);
    tellEntries();
    takeEarly();
    endChunks();
    port.deliver(this::handle);
  }

  @Override
  public void contribute(Contribution contribution) {
    if (local.isPresent() || contribution.round() != completed) {
      throw new IllegalStateException(
          "gradient of round " + contribution.round() + " while round " + completed + " is next");
    }
    local = Optional.of(contribution);
    figures.waits(port.nowNanos());
    for (int chunk = 0; chunk < chunks; chunk++) {
      answer(chunk);
    }
    port.deliver(this::handle);
  }

  // ---- messages
  // ----------------------------------------------------------------------------------

  @Override
  public void receive(Message message) {
    handle(message);
    port.deliver(this::handle);
  }

  private void handle(Message message) {
    if (!(message.body() instanceof Sum said)) {
      throw message.unexpected();
    }
    if (said.phase() == ENTERED) {
      entries.entered(message.origin(), message.round(), said.samples());
      tellEntries();
      endChunks();
      return;
    }
    if (said.phase() != ANSWER) {
      passOn(message.round(), said);
    }
    if (!take(message)) {
      early.add(message);
    }
  }

  /** Whether a message is used, or of no use any more; if not, its time is still to come. */
  private boolean take(Message message) {
    Sum said = (Sum) message.body();
    boolean isAnswer = said.phase() == ANSWER;
    if (message.round() < completed) {
      if (isAnswer) {
        figures.isLate();
      }
      said.payload().release();
      return true;
    }
    if (message.round() > completed || !(isAnswer || mayEnd())) {
      return false;
    }
    if (isAnswer) {
      takeAnswer(message.origin(), said);
    } else {
      said.payload().copyTo(sum, said.range().start());
      said.payload().release();
      countsOwn = said.phase() == SUM_WITH_YOURS;
      chunkIsSummed(chunk(said), said.samples());
    }
    return true;
  }

  private boolean mayEnd() {
    return rule.waitsForAll() || entries.isIn(completed);
  }

  private int chunk(Sum said) {
    return said.range().start() / config.chunkLength();
  }

  private void takeEarly() {
    // What is taken may end the round, which takes of the rest what is due then.
    for (int i = early.size(); i > 0 && !early.isEmpty(); i--) {
      Message message = early.remove();
      if (!take(message)) {
        early.add(message);
      }
    }
  }

  private void tellEntries() {
    if (!rule.waitsForAll() && !layout.isRoot() && entries.isNews()) {
      say(layout.parent(), entries.news(), ENTERED, Range.EMPTY, entries.barrier(), Payload.none());
    }
  }

  private void say(int to, long round, int phase, Range range, long ofSamples, Payload values) {
    Sum.Kind kind = phase == ANSWER ? Sum.Kind.PARTIAL : Sum.Kind.FINISHED;
    // Sent, which copies values, and not handed over: a rank that is late may still lack them when
    // they are written again.
    port.send(
        new Message(config.rank(), to, round, new Sum(kind, phase, range, ofSamples, values)));
  }

  // ---- up
  // ----------------------------------------------------------------------------------------

  private void takeAnswer(int from, Sum said) {
    boolean isForMaster = layout.isOfFirstLayer(from);
    int chunk = chunk(said);
    if (!layout.isWorker()) {
      figures.waits(port.nowNanos());
    }
    (isForMaster ? ofFirstLayer : ofChildren).orElseThrow().add(from, chunk, said, port.nowNanos());
    if (!isForMaster) {
      answer(chunk);
    } else if (rule.usesAllSamples()) {
      endChunk(chunk);
    } else if (ofFirstLayer.orElseThrow().isDecided()) {
      // It may be the last of those that are waited for, in all chunks.
      endChunks();
    }
  }

  /** Sends a chunk up, if this rank and enough of its children have it. */
  private void answer(int chunk) {
    if (local.isEmpty() || sent.get(chunk)) {
      return;
    }
    Range range = vector.chunk(chunk, config.chunkLength());
    float[] own = local.get().gradient();
    float[] values = own;
    if (ofChildren.isPresent()) {
      if (ofChildren.get().take(chunk, range, subtree, port.nowNanos()).isEmpty()) {
        return;
      }
      Vectors.add(subtree, range.start(), Slice.view(own, range));
      values = subtree;
    }
    sent.set(chunk);
    say(
        layout.parent(),
        completed,
        ANSWER,
        range,
        local.get().samples(),
        Payload.view(values, range));
  }

  // ---- down
  // --------------------------------------------------------------------------------------

  private void endChunks() {
    long round = completed;
    for (int chunk = 0; chunk < chunks && completed == round; chunk++) {
      endChunk(chunk);
    }
  }

  /** The master hands a chunk's sum out, if it has it, and all are near enough. */
  private void endChunk(int chunk) {
    boolean may = rule.waitsForAll() || entries.mayEnd(completed);
    if (ofFirstLayer.isEmpty() || !may) {
      return;
    }
    Range range = vector.chunk(chunk, config.chunkLength());
    ChildAnswers answers = ofFirstLayer.get();
    OptionalLong ofSamples = answers.take(chunk, range, sum, port.nowNanos());
    if (ofSamples.isPresent()) {
      Payload values = Payload.view(sum, range);
      for (int to : below) {
        boolean isIn = layout.isOfFirstLayer(to) && answers.isIn(to);
        say(to, completed, isIn ? SUM_WITH_YOURS : SUM, range, ofSamples.getAsLong(), values);
      }
      countsOwn = !layout.isOfFirstLayer(config.rank()) || answers.isIn(config.rank());
      chunkIsSummed(chunk, ofSamples.getAsLong());
    }
  }

  private void passOn(long round, Sum said) {
    for (int to : below) {
      say(to, round, said.phase(), said.range(), said.samples(), said.payload());
    }
  }

  private void chunkIsSummed(int chunk, long ofSamples) {
    summed.set(chunk);
    samples = ofSamples;
    if (summed.cardinality() < chunks) {
      return;
    }
    countedOwn = countsOwn;
    figures.roundEnds(true, port.nowNanos());
    forgetRound();
    completed++;
    if (samples > 0 && layout.isWorker()) {
      port.update(new Update.GradientSum(vector, Slice.view(sum, vector), samples));
    }
    // Answers of those who are ahead; the next sum waits until this rank enters its round.
    takeEarly();
  }

  // ---- rounds
  // ------------------------------------------------------------------------------------

  /** A root that computes nothing has no rounds of its own. */
  @Override
  public long completedRounds() {
    return layout.isWorker() ? completed : config.completedRounds();
  }

  @Override
  public long jointRounds() {
    return completed;
  }

  @Override
  public List<LastingState> states() {
    boolean isNeeded = config.options().get(ExchangeOptions.ROOT) == ExchangeOptions.DEDICATED;
    return isNeeded
        ? List.of(new LastingState(ROUNDS, this::writeRounds, this::readRounds))
        : List.of();
  }

  void writeRounds(DataOutput out) throws IOException {
    out.writeLong(completed);
  }

  void readRounds(DataInput in) throws IOException {
    completed = StateReader.readLong(in, 0, "rounds");
    entries.forget(completed);
  }

  @Override
  public boolean waitsForAll() {
    return rule.waitsForAll();
  }

  @Override
  public boolean usesAllSamples() {
    return rule.usesAllSamples();
  }

  @Override
  public boolean countsOwnGradient(long round) {
    return rule.usesAllSamples() || rule.waitsForAll() || countedOwn;
  }

  @Override
  public Optional<DecodingUse> decodingUse() {
    return Optional.of(figures.use());
  }

  @Override
  public void rollBack() {
    early.forEach(Message::release);
    early.clear();
    figures.roundEnds(false, port.nowNanos());
    forgetRound();
    entries.forget(completed);
  }

  private void forgetRound() {
    local = Optional.empty();
    sent.clear();
    summed.clear();
    ofChildren.ifPresent(ChildAnswers::clear);
    ofFirstLayer.ifPresent(ChildAnswers::clear);
  }
}
