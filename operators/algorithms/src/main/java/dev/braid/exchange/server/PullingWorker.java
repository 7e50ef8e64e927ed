package dev.braid.exchange.server;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Pull;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.transport.Flight;
import dev.braid.exchange.transport.Outbox;
import dev.braid.vector.Range;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The worker's side of {@link AsynchronousServers}: sends every gradient to the servers, pulls
 * their weights, and may compute when it has all of them.
 *
 * <p>The worker requests weights right after its gradient, chunk by chunk, with one window per
 * server. A server answers when this worker's gradient is in the weights and the bound allows it. A
 * pull that a flush has withdrawn is repeated from the start afterwards.
 */
final class PullingWorker {

  private final ExchangeConfig config;
  private final ServerLayout layout;
  private final Port port;
  private final Outbox gradients;
  private final boolean[] addressee;

  /** Per server: number of chunks requested in this pull. */
  private final int[] asked;

  /** Per server: number of requested chunks whose answer is missing. */
  private final int[] unanswered;

  /** Per server: number of requests in all rounds. */
  private final long[] pulls;

  private long rounds;

  /** Number of chunks of all servers that this pull has not returned yet. */
  private int missing;

  /** Number of other workers' gradients that the pulled weights lack, summed over elements. */
  private long lag;

  /** Maximum number of rounds in this pull by which this worker is ahead of the slowest one. */
  private long worstLag;

  /** Number of unanswered requests at all servers. */
  private int underWay;

  /** Whether a flush has withdrawn requests; no request is sent until {@link #resume}. */
  private boolean withdrawn;

  /** Whether this worker pulls again as soon as all withdrawn requests are answered. */
  private boolean resumes;

  private boolean ended;
  private boolean pullsAtTheEnd;

  PullingWorker(ExchangeConfig config, ServerLayout layout, Port port) {
    this.config = config;
    this.layout = layout;
    this.port = port;
    this.gradients = new Outbox(config, port, Gradient::new);
    this.addressee = new boolean[config.ranks()];
    this.asked = new int[layout.servers()];
    this.unanswered = new int[layout.servers()];
    this.pulls = new long[layout.servers()];
    this.rounds = config.completedRounds();
  }

  long rounds() {
    return rounds;
  }

  boolean mayCompute() {
    return missing == 0 && !ended;
  }

  void contribute(Contribution local) {
    if (!mayCompute() || local.round() != rounds) {
      throw new IllegalStateException(
          "gradient of round " + local.round() + " while round " + rounds + " is next");
    }
    for (int i = 0; i < layout.servers(); i++) {
      // Workers begin with different servers; otherwise the first would be a brief bottleneck.
      int server = (config.rank() + i) % layout.servers();
      Arrays.fill(addressee, false);
      addressee[layout.rankOf(server)] = true;
      gradients.post(addressee, rounds, layout.range(server), local.samples(), local.gradient());
    }
    rounds++;
    pull();
  }

  /** Handles the arrival of a sent message. Requests are ignored: their answer counts. */
  void arrived(Message message) {
    if (message.body() instanceof Gradient || message.body() instanceof Pull.Withdraw) {
      gradients.arrived(message);
    }
  }

  private void pull() {
    missing = 0;
    lag = 0;
    worstLag = 0;
    for (int server = 0; server < layout.servers(); server++) {
      missing += layout.chunks(server);
      asked[server] = 0;
    }
    for (int i = 0; i < layout.servers(); i++) {
      ask((config.rank() + i) % layout.servers());
    }
  }

  private void ask(int server) {
    while (asked[server] < layout.chunks(server) && unanswered[server] < Flight.LEAST) {
      Range chunk = layout.chunk(server, asked[server]++);
      unanswered[server]++;
      pulls[server]++;
      underWay++;
      Pull.Request request = new Pull.Request(chunk, pullsAtTheEnd);
      port.send(new Message(config.rank(), layout.rankOf(server), rounds, request));
    }
  }

  /**
   * Takes requested weights into the model.
   *
   * @param slowest clock of the slowest worker, in rounds
   */
  void weights(int from, long slowest, Pull.Granted granted) {
    missing--;
    lag += granted.lag() * granted.range().length();
    worstLag = Math.max(worstLag, rounds - slowest);
    if (!granted.payload().isEmpty()) {
      port.update(new Update.Replacement(0, granted.range(), granted.payload().dense()));
    }
    granted.payload().release();
    answered(layout.serverAt(from));
  }

  /** Handles a server's answer that a request was withdrawn. */
  void refused(int from) {
    answered(layout.serverAt(from));
  }

  private void answered(int server) {
    unanswered[server]--;
    underWay--;
    if (!withdrawn) {
      ask(server);
      pullAtTheEnd();
    } else if (resumes) {
      resume();
    }
  }

  /** Returns the staleness of the weights of the last pull. */
  Staleness staleness() {
    int others = layout.workers() - 1;
    return others == 0
        ? Staleness.NONE
        : new Staleness(lag / (double) ((long) config.length() * others), worstLag);
  }

  /** Stops sending requests and withdraws unanswered ones, whose answers may take long. */
  void flush() {
    resumes = false;
    if (withdrawn) {
      return;
    }
    withdrawn = true;
    for (int server = 0; server < layout.servers(); server++) {
      if (unanswered[server] > 0) {
        gradients.tell(layout.rankOf(server), rounds, new Pull.Withdraw(pulls[server]));
      }
    }
  }

  /**
   * Repeats the pull that a flush has withdrawn. If answers to withdrawn requests are missing, the
   * pull waits for them, because they could be mistaken for answers to the new requests.
   */
  void resume() {
    resumes = withdrawn && underWay > 0;
    if (resumes) {
      return;
    }
    withdrawn = false;
    if (missing > 0 && underWay == 0) {
      pull();
    } else {
      pullAtTheEnd();
    }
  }

  /** Signals that this worker has no more gradients to compute. */
  void end() {
    ended = true;
    pullAtTheEnd();
  }

  private void pullAtTheEnd() {
    if (ended && !pullsAtTheEnd && !withdrawn && missing == 0) {
      pullsAtTheEnd = true;
      pull();
    }
  }

  /** Returns whether a rank still has to acknowledge or answer a message of this worker. */
  boolean waitsFor(int rank) {
    boolean owesAnswer = layout.isServer(rank) && unanswered[layout.serverAt(rank)] > 0;
    return owesAnswer || gradients.isUnderWay(rank);
  }

  boolean isQuiet() {
    boolean pullsOn = ended && missing > 0 && !withdrawn;
    return gradients.isAcknowledged() && underWay == 0 && !pullsOn;
  }

  void write(DataOutput out) throws IOException {
    out.writeBoolean(missing == 0);
  }

  void read(DataInput in) throws IOException {
    missing = in.readBoolean() ? 0 : 1;
  }
}
