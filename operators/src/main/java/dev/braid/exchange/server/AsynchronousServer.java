package dev.braid.exchange.server;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.membership.StalenessClocks;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Pull;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.vector.Range;
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

  /**
   * A request for weights that waits.
   *
   * @param round the one that its worker would compute next
   */
  private record Waiting(int from, long round, Pull.Request request) {}

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
  private final List<Waiting> waiting = new ArrayList<>();

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
  void push(int from, long round, Gradient gradient) {
    Range part = gradient.range();
    if (!part.isEmpty()) {
      long samples = (long) config.options().batch() * layout.workers();
      port.update(new Update.GradientSum(part, gradient.payload().dense(), samples));
    }
    gradient.payload().release();
    chunks[from]++;
    // A gradient over no samples, or over a range of nothing, is one message.
    if (part.isEmpty() || chunks[from] == layout.chunks(index)) {
      chunks[from] = 0;
      clocks.advance(from, round + 1);
      answerWaiting();
    }
  }

  /** Sends the weights that are asked for, now or later. */
  void pull(int from, long round, Pull.Request request) {
    if (request.atTheEnd() && !ended.get(from)) {
      ended.set(from);
      answerWaiting();
    }
    pulls[from]++;
    Waiting pull = new Waiting(from, round, request);
    if (mayHave(pull)) {
      grant(pull);
    } else if (pulls[from] <= withdrawn[from]) {
      refuse(pull);
    } else {
      waiting.add(pull);
    }
  }

  private void answerWaiting() {
    for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
      Waiting pull = all.next();
      if (mayHave(pull)) {
        all.remove();
        grant(pull);
      }
    }
  }

  /**
   * Who has ended keeps nobody waiting: not all workers have equally many gradients left after a
   * restore.
   */
  private boolean mayHave(Waiting pull) {
    if (pull.request().atTheEnd()) {
      return ended.cardinality() == layout.workers();
    }
    return clocks.of(pull.from()) >= pull.round()
        && pull.round() - bound <= clocks.slowestExcept(ended);
  }

  /** A rank is absent: if it is a worker, its clock does not count. */
  void absent(int other) {
    if (other < layout.workers()) {
      clocks.absent(other);
      answerWaiting();
    }
  }

  void back(int other) {
    if (other < layout.workers()) {
      clocks.back(other);
    }
  }

  /** Whether pulls wait for other workers. */
  boolean keepsWaiting() {
    return !waiting.isEmpty();
  }

  private void grant(Waiting pull) {
    // The worker at this rank has the same model: there is nothing to copy.
    boolean own = pull.from() == config.rank();
    Range range = pull.request().range();
    Payload weights = own ? Payload.none() : Payload.view(port.model()[0], range);
    long lag = clocks.lag(pull.from(), pull.round());
    send(pull.from(), clocks.slowest(), new Pull.Granted(range, lag, weights));
  }

  /**
   * Answers what a worker has asked for and may not have; what it has asked for and has not come
   * yet, when it comes. The worker asks for nothing more before it has all answers.
   */
  void withdraw(int from, Pull.Withdraw requests) {
    withdrawn[from] = requests.requests();
    for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
      Waiting pull = all.next();
      if (pull.from() == from) {
        all.remove();
        refuse(pull);
      }
    }
  }

  private void refuse(Waiting pull) {
    send(pull.from(), pull.round(), new Pull.Refused(pull.request().range()));
  }

  private void send(int to, long round, Body body) {
    port.send(new Message(config.rank(), to, round, body));
  }

  void write(DataOutput out) throws IOException {
    clocks.write(out);
  }

  void read(DataInput in) throws IOException {
    clocks.read(in);
  }
}
