package dev.braid.exchange.server;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Serving;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Share.Weights;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateReader;
import dev.braid.exchange.transport.LoopbackPort;
import dev.braid.exchange.transport.Window;
import dev.braid.vector.Range;
import java.io.DataInput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Synchronous parameter servers: every worker sends each server its gradient over the server's
 * range. The server adds up the gradients in the order of the ranks, takes one step of the updater
 * along their mean, and sends the new weights to all workers (Ako §2.2, steps 1 to 3; Li et al.,
 * "Scaling Distributed Machine Learning with the Parameter Server", 2014). Only the server keeps
 * the updater's state.
 *
 * <p>Chunks proceed one by one: a server answers the first chunk while the last one is still in
 * flight. A worker has at most {@value Window#CHUNKS} unanswered chunks per server, which bounds
 * the messages in flight in both directions.
 *
 * <p>A server takes the step over a chunk as soon as the chunk is complete, and cannot undo it. A
 * round therefore counts as {@linkplain #jointRounds() joint} from its first complete chunk: all
 * workers have contributed by then, and a checkpoint waits for the remaining chunks.
 */
public final class SynchronousServers implements Synchronous, Serving, Stateful {

  static final StateKind ROUNDS = StateKind.ofTheseRanks("rounds", 1);

  private final ExchangeConfig config;
  private final LoopbackPort port;
  private final ServerLayout layout;
  private final Optional<SynchronousServer> server;

  /** Per server: number of chunks of the current round sent to it. */
  private final int[] pushed;

  /** Per server: number of chunks of the current round that it has answered. */
  private final int[] answered;

  private Optional<Contribution> local = Optional.empty();
  private int answersMissing;
  private long completed;

  public SynchronousServers(ExchangeConfig config, Port port) {
    this.config = config;
    this.port = new LoopbackPort(config.rank(), port);
    this.layout = ServerLayout.of(config);
    this.server =
        layout.isServer(config.rank())
            ? Optional.of(new SynchronousServer(config, layout, this.port))
            : Optional.empty();
    this.pushed = new int[layout.servers()];
    this.answered = new int[layout.servers()];
    this.completed = config.completedRounds();
  }

  @Override
  public boolean mayCompute() {
    return layout.isWorker(config.rank()) && local.isEmpty();
  }

  @Override
  public void contribute(Contribution contribution) {
    if (!mayCompute() || contribution.round() != completed) {
      throw new IllegalStateException(
          "gradient of round " + contribution.round() + " while round " + completed + " is next");
    }
    local = Optional.of(contribution);
    for (int i = 0; i < layout.servers(); i++) {
      pushed[i] = 0;
      answered[i] = 0;
      answersMissing += layout.chunks(i);
    }
    for (int i = 0; i < layout.servers(); i++) {
      // Workers begin with different servers; otherwise the first would be a brief bottleneck.
      push((config.rank() + i) % layout.servers());
    }
    port.deliver(this::handle);
  }

  private void push(int to) {
    while (pushed[to] < layout.chunks(to) && pushed[to] - answered[to] < Window.CHUNKS) {
      Contribution gradient = local.orElseThrow();
      Range chunk = layout.chunk(to, pushed[to]++);
      Payload values = Payload.view(gradient.gradient(), chunk);
      Gradient part = new Gradient(chunk, gradient.samples(), values);
      // A server that answers has received the values, and the gradient stays unchanged until all
      // servers have answered.
      port.handOver(new Message(config.rank(), layout.rankOf(to), completed, part));
    }
  }

  @Override
  public void receive(Message message) {
    handle(message);
    port.deliver(this::handle);
  }

  private void handle(Message message) {
    if (message.body() instanceof Gradient gradient) {
      server.orElseThrow(message::unexpected).push(message.from(), message.round(), gradient);
    } else if (message.body() instanceof Weights weights) {
      weights(message, weights);
    } else {
      throw message.unexpected();
    }
  }

  private void weights(Message message, Weights weights) {
    if (local.isEmpty() || message.round() != completed) {
      throw new IllegalStateException(
          "weights of round "
              + message.round()
              + " from rank "
              + message.from()
              + " while round "
              + completed
              + (local.isPresent() ? " is under way" : " is next"));
    }
    // The range that this rank serves is already up to date in its model.
    if (message.from() != config.rank() && !weights.range().isEmpty()) {
      port.update(new Update.Replacement(0, weights.range(), weights.payload().dense()));
    }
    message.release();
    int from = layout.serverAt(message.from());
    answered[from]++;
    push(from);
    if (--answersMissing == 0) {
      local = Optional.empty();
      completed++;
    }
  }

  /** Returns the worker's rounds; a server that computes nothing has no rounds of its own. */
  @Override
  public long completedRounds() {
    return completed;
  }

  @Override
  public long jointRounds() {
    return server.map(SynchronousServer::begunRounds).orElse(completed);
  }

  @Override
  public boolean isThrough(long rounds) {
    boolean served = server.isEmpty() || server.get().completedRounds() >= rounds;
    return served && (!layout.isWorker(config.rank()) || completed >= rounds);
  }

  @Override
  public Range served() {
    return server.map(SynchronousServer::range).orElse(Range.EMPTY);
  }

  @Override
  public void rollBack() {
    local = Optional.empty();
    answersMissing = 0;
    server.ifPresent(SynchronousServer::rollBack);
  }

  /** Returns the number of rounds, the only state at the end of a round. */
  @Override
  public List<LastingState> states() {
    return List.of(new LastingState(ROUNDS, out -> out.writeLong(jointRounds()), this::readRounds));
  }

  private void readRounds(DataInput in) throws IOException {
    long rounds = StateReader.readLong(in, 0, "rounds");
    server.ifPresent(known -> known.resumeAfter(rounds));
  }
}
