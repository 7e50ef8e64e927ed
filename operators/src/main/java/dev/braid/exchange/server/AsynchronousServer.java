package dev.braid.exchange.server;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.membership.StalenessClocks;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Message.Kind;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;

/**
 * The server's side of {@link AsynchronousServers}: steps for every gradient, and the clocks that
 * say who may have the weights.
 */
final class AsynchronousServer {

  /** A bound that no worker reaches. */
  static final long UNBOUNDED = Long.MAX_VALUE / 2;

  /** In the place of a pull's samples: the worker goes on, or will compute nothing any more. */
  static final long TO_GO_ON = 0;

  static final long AT_THE_END = 1;

  /**
   * In the place of an answer's samples: here are the weights, and by how much more it is, so many
   * gradients do they lack of all others that the worker has computed itself. The answer's round is
   * the slowest worker's clock.
   */
  static final long GRANTED = 1;

  /** In the place of an answer's samples: the pull was withdrawn. */
  static final long WITHDRAWN = 0;

  private final ExchangeConfig config;
  private final ServerLayout layout;
  private final Port port;
  private final int index;
  private final long bound;

  /** Gradients of each worker that are in the weights here. */
  private final StalenessClocks clocks;

  /** Per worker: chunks of its next gradient that are in the weights already. */
  private final int[] chunks;

  /** Workers that will compute nothing any more. */
  private final BitSet ended = new BitSet();

  /** Per worker: how many pulls have come; and the number of those that it has withdrawn. */
  private final long[] pulls;

  private final long[] withdrawn;

  /** Pulls that wait. */
  private final List<Message> waiting = new ArrayList<>();

  AsynchronousServer(ExchangeConfig config, ServerLayout layout, long bound, Port port) {
    this.config = config;
    this.layout = layout;
    this.port = port;
    this.index = layout.serverAt(config.rank());
    this.bound = bound;
    this.clocks = new StalenessClocks(0, layout.workers(), config.completedRounds());
    this.chunks = new int[layout.workers()];
    this.pulls = new long[layout.workers()];
    this.withdrawn = new long[layout.workers()];
  }

  Range range() {
    return layout.range(index);
  }

  /** Takes a step along a part of a worker's gradient. */
  void push(Message message) {
    int from = message.from();
    if (!message.range().isEmpty()) {
      long samples = (long) config.options().batch() * layout.workers();
      port.update(new Update.GradientSum(message.range(), message.values(), samples));
    }
    answer(message, Kind.ACKNOWLEDGEMENT, Range.EMPTY, message.values().length(), Slice.EMPTY);
    message.values().release();
    chunks[from]++;
    // A gradient over no samples, or over a range of nothing, is one message.
    if (message.range().isEmpty() || chunks[from] == layout.chunks(index)) {
      chunks[from] = 0;
      clocks.advance(from, message.round() + 1);
      answerWaiting();
    }
  }

  /** Sends the weights that are asked for, now or later. */
  void pull(Message message) {
    if (message.samples() == AT_THE_END && !ended.get(message.from())) {
      ended.set(message.from());
      answerWaiting();
    }
    pulls[message.from()]++;
    if (mayHave(message)) {
      grant(message);
    } else if (pulls[message.from()] <= withdrawn[message.from()]) {
      answer(message, Kind.MODEL, message.range(), WITHDRAWN, Slice.EMPTY);
    } else {
      waiting.add(message);
    }
  }

  private void answerWaiting() {
    for (Iterator<Message> all = waiting.iterator(); all.hasNext(); ) {
      Message pull = all.next();
      if (mayHave(pull)) {
        all.remove();
        grant(pull);
      }
    }
  }

  /**
   * A pull's round is the one that its worker would compute next. Who has ended keeps nobody
   * waiting: not all workers have equally many gradients left after a restore.
   */
  private boolean mayHave(Message pull) {
    if (pull.samples() == AT_THE_END) {
      return ended.cardinality() == layout.workers();
    }
    return clocks.of(pull.from()) >= pull.round()
        && pull.round() - bound <= clocks.slowestExcept(ended);
  }

  /** A rank cannot be reached: if it is a worker, its clock does not count. */
  void left(int other) {
    if (other < layout.workers()) {
      clocks.leave(other);
      answerWaiting();
    }
  }

  void back(int other) {
    if (other < layout.workers()) {
      clocks.comeBack(other);
    }
  }

  /** Whether pulls wait for other workers. */
  boolean keepsWaiting() {
    return !waiting.isEmpty();
  }

  private void grant(Message pull) {
    // The worker at this rank has the same model: there is nothing to copy.
    boolean own = pull.from() == config.rank();
    Slice weights = own ? Slice.EMPTY : Slice.view(port.model()[0], pull.range());
    long lag = clocks.lag(pull.from(), pull.round());
    port.send(
        new Message(
            config.rank(),
            pull.from(),
            Kind.MODEL,
            clocks.slowest(),
            pull.range(),
            GRANTED + lag,
            weights));
  }

  /**
   * Answers what a worker has asked for and may not have; what it has asked for and has not come
   * yet, when it comes. The worker asks for nothing more before it has all answers.
   */
  void withdraw(Message message) {
    withdrawn[message.from()] = message.samples();
    for (Iterator<Message> all = waiting.iterator(); all.hasNext(); ) {
      Message pull = all.next();
      if (pull.from() == message.from()) {
        all.remove();
        answer(pull, Kind.MODEL, pull.range(), WITHDRAWN, Slice.EMPTY);
      }
    }
    answer(message, Kind.ACKNOWLEDGEMENT, Range.EMPTY, 0, Slice.EMPTY);
  }

  private void answer(Message to, Kind kind, Range range, long samples, Slice values) {
    port.send(new Message(config.rank(), to.from(), kind, to.round(), range, samples, values));
  }

  void write(DataOutput out) throws IOException {
    clocks.write(out);
  }

  void read(DataInput in) throws IOException {
    clocks.read(in);
  }
}
