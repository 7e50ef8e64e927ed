package dev.braid.exchange.coded;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Coded;
import dev.braid.exchange.message.Coded.Answer;
import dev.braid.exchange.message.Coded.Entered;
import dev.braid.exchange.message.Coded.RoundSum;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
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
 * One rank of a coded reduction (CodedReduce §III-B, CR.Execute). A worker answers its parent with
 * its own linear combination of gradients plus the sum that it decodes from its children's answers.
 * The master decodes the sum of the round and sends it down the tree. A parent waits only for as
 * many answers as decoding needs; a straggler drops its gradient when the sum arrives.
 *
 * <p>Chunks travel up and down one by one. A parent adds answers in an order that does not depend
 * on their arrival.
 *
 * <p>A round ends at a rank only when the rank has {@linkplain #enter entered} it, so that its
 * model does not change while it is evaluated. {@link Entries} travel up the tree. The master sends
 * no sum that would leave a rank more than {@value Entries#MOST_ROUNDS_BEHIND} rounds behind, and
 * no sum of a new epoch before all ranks have entered that epoch.
 */
final class CodedReduce implements Synchronous, Measured, Stateful {

  /**
   * Checkpointed number of complete rounds at a root without batches, which has no other count of
   * them.
   */
  static final StateKind ROUNDS = StateKind.ofTheseRanks("rounds", 1);

  private final ExchangeConfig config;
  private final LoopbackPort port;
  private final CodedLayout layout;
  private final Rule rule;
  private final Range vector;
  private final int chunks;
  private final int[] below;
  private final Entries entries;
  private final AnswerFigures figures = new AnswerFigures();

  /** Answers of this rank's children; empty if it has none. */
  private final Optional<ChildAnswers> ofChildren;

  /** Answers of the first layer to the master; empty unless this rank is the root. */
  private final Optional<ChildAnswers> ofFirstLayer;

  private final float[] subtree;
  private final float[] sum;
  private final BitSet sent = new BitSet();
  private final BitSet summed = new BitSet();

  /** Messages of later rounds, and sums of the current round if the rank has not entered it. */
  private final Deque<Message> early = new ArrayDeque<>();

  private Optional<Contribution> local = Optional.empty();
  private long completed;
  private long samples;
  private boolean countsOwn;
  private boolean countedOwn;

  /** The difference between the exchanges of this family. */
  interface Rule {

    /**
     * Returns how a parent gets a sum from its children's answers.
     *
     * @param parent a rank, or {@code RegularTree.MASTER}
     */
    Decoder decoder(int parent);

    /** Returns whether a sum covers all samples of the round, regardless of stragglers. */
    boolean usesAllSamples();

    /** Returns whether each round waits for the gradients of all workers. */
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

  // ---- the rank's own gradient -----------------------------------------------------------------

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

  // ---- messages --------------------------------------------------------------------------------

  @Override
  public void receive(Message message) {
    handle(message);
    port.deliver(this::handle);
  }

  private void handle(Message message) {
    if (message.body() instanceof Entered entered) {
      entries.entered(message.origin(), message.round(), entered.barrier());
      tellEntries();
      endChunks();
      return;
    }
    if (message.body() instanceof RoundSum ofRound) {
      for (int to : below) {
        send(to, message.round(), ofRound);
      }
    } else if (!(message.body() instanceof Answer)) {
      throw message.unexpected();
    }
    if (!take(message)) {
      early.add(message);
    }
  }

  /**
   * Processes a message of the current or an earlier round.
   *
   * @return false if the message must wait, because its round is still to come or has not been
   *     entered
   */
  private boolean take(Message message) {
    boolean isAnswer = message.body() instanceof Answer;
    if (message.round() < completed) {
      if (isAnswer) {
        figures.isLate();
      }
      message.release();
      return true;
    }
    if (message.round() > completed || !(isAnswer || mayEnd())) {
      return false;
    }
    if (message.body() instanceof Answer answer) {
      takeAnswer(message.origin(), answer);
    } else {
      RoundSum ofRound = (RoundSum) message.body();
      message.payload().copyTo(sum, message.range().start());
      message.release();
      countsOwn = ofRound.hasYours();
      chunkIsSummed(chunk(ofRound.range()), ofRound.samples());
    }
    return true;
  }

  private boolean mayEnd() {
    return rule.waitsForAll() || entries.isIn(completed);
  }

  private int chunk(Range range) {
    return range.start() / config.chunkLength();
  }

  private void takeEarly() {
    // A message that is taken may end the round. That takes those of the remaining messages that
    // are due then.
    for (int i = early.size(); i > 0 && !early.isEmpty(); i--) {
      Message message = early.remove();
      if (!take(message)) {
        early.add(message);
      }
    }
  }

  private void tellEntries() {
    if (!rule.waitsForAll() && !layout.isRoot() && entries.isNews()) {
      send(layout.parent(), entries.news(), new Entered(entries.barrier()));
    }
  }

  private void send(int to, long round, Coded body) {
    // Sends the values, which copies them, instead of handing them over: a late rank may not have
    // read them yet when they are overwritten.
    port.send(new Message(config.rank(), to, round, body));
  }

  // ---- up --------------------------------------------------------------------------------------

  private void takeAnswer(int from, Answer answer) {
    boolean isForMaster = layout.isOfFirstLayer(from);
    int chunk = chunk(answer.range());
    if (!layout.isWorker()) {
      figures.waits(port.nowNanos());
    }
    ChildAnswers answers = (isForMaster ? ofFirstLayer : ofChildren).orElseThrow();
    answers.add(from, chunk, answer, port.nowNanos());
    if (!isForMaster) {
      answer(chunk);
    } else if (rule.usesAllSamples()) {
      endChunk(chunk);
    } else if (answers.isDecided()) {
      // This answer may be the last one that the master waits for, in all chunks.
      endChunks();
    }
  }

  /**
   * Sends a chunk of the answer to the parent, if this rank's gradient is ready and enough children
   * have answered the chunk.
   */
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
    Payload payload = Payload.view(values, range);
    send(layout.parent(), completed, new Answer(range, local.get().samples(), payload));
  }

  // ---- down ------------------------------------------------------------------------------------

  private void endChunks() {
    long round = completed;
    for (int chunk = 0; chunk < chunks && completed == round; chunk++) {
      endChunk(chunk);
    }
  }

  /**
   * Sends a chunk's sum down the tree from the master, if the sum can be decoded and no rank is too
   * far behind.
   */
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
        send(to, completed, new RoundSum(range, ofSamples.getAsLong(), isIn, values));
      }
      countsOwn = !layout.isOfFirstLayer(config.rank()) || answers.isIn(config.rank());
      chunkIsSummed(chunk, ofSamples.getAsLong());
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
    // Takes answers of ranks that are ahead. The next sum waits until this rank enters its round.
    takeEarly();
  }

  // ---- rounds ----------------------------------------------------------------------------------

  /**
   * Returns the number of complete rounds. A root without batches has no rounds of its own, and
   * returns the number with which it began.
   */
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
  public void addFigures(FigureValues to) {
    figures.addTo(to);
  }

  /** Returns the mean time to receive one answer, in seconds; 0 if it is unknown. */
  double messageSeconds() {
    return figures.messageSeconds();
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
