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
 * The server's side of {@link AsynchronousServers}: takes a step for every gradient, and keeps the
 * clocks that decide which workers may have the weights.
 */
final class AsynchronousServer {

  /** Staleness bound that no worker reaches. */
  static final long UNBOUNDED = Long.MAX_VALUE / 2;

  /**
   * A pull that waits: a worker's request for weights.
   *
   * @param round the round that the worker computes next
   */
  private record Waiting(int from, long round, Pull.Request request) {}

  private final ExchangeConfig config;
  private final ServerLayout layout;
  private final Port port;
  private final int index;
  private final long bound;

  /** Number of each worker's gradients that are in this server's weights. */
  private final StalenessClocks clocks;

  /** Per worker: number of chunks of its next gradient that are in the weights already. */
  private final int[] chunks;

  /** Workers that have no more gradients to compute. */
  private final BitSet ended = new BitSet();

  /** Per worker: number of pulls received. */
  private final long[] pulls;

  /** Per worker: number of pulls up to its last withdrawal; unanswered ones are refused. */
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

  /** Takes a step along a chunk of a worker's gradient. */
  void push(int from, long round, Gradient gradient) {
    Range part = gradient.range();
    if (!part.isEmpty()) {
      long samples = (long) config.options().batch() * layout.workers();
      port.update(new Update.GradientSum(part, gradient.payload().dense(), samples));
    }
    gradient.payload().release();
    chunks[from]++;
    // A gradient over no samples, or over an empty range, is one message.
    if (part.isEmpty() || chunks[from] == layout.chunks(index)) {
      chunks[from] = 0;
      clocks.advance(from, round + 1);
      answerWaiting();
    }
  }

  /** Sends the requested weights as soon as the bound allows, or refuses a withdrawn request. */
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
   * Returns whether a pull may be answered. Workers that have ended do not count as the slowest,
   * because after a restore workers may have different numbers of gradients left.
   */
  private boolean mayHave(Waiting pull) {
    if (pull.request().atTheEnd()) {
      return ended.cardinality() == layout.workers();
    }
    return clocks.of(pull.from()) >= pull.round()
        && pull.round() - bound <= clocks.slowestExcept(ended);
  }

  /** Handles a rank's absence: the clock of an absent worker does not count. */
  void absent(int other) {
    if (other < layout.workers()) {
      clocks.markAbsent(other);
      answerWaiting();
    }
  }

  void back(int other) {
    if (other < layout.workers()) {
      clocks.back(other);
    }
  }

  /** Returns whether pulls wait for other workers. */
  boolean keepsWaiting() {
    return !waiting.isEmpty();
  }

  private void grant(Waiting pull) {
    // The worker at this rank shares the server's model, so it needs no copy.
    boolean own = pull.from() == config.rank();
    Range range = pull.request().range();
    Payload weights = own ? Payload.none() : Payload.view(port.model()[0], range);
    long lag = clocks.lag(pull.from(), pull.round());
    send(pull.from(), clocks.slowest(), new Pull.Granted(range, lag, weights));
  }

  /**
   * Refuses a worker's waiting pulls, and those that it has sent and that have not arrived yet, on
   * arrival. The worker sends no new pull before it has all answers.
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
