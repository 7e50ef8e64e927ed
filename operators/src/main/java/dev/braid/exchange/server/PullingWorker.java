package dev.braid.exchange.server;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Pull;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.transport.Outbox;
import dev.braid.vector.Range;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The worker's side of {@link AsynchronousServers}: sends every gradient to the servers, asks for
 * their weights, and may compute when it has all of them.
 *
 * <p>It asks at once, chunk by chunk, in a window for each server: a server answers when this
 * worker's gradient is in the weights and the bound allows. A pull that a flush has withdrawn
 * begins anew afterwards.
 */
final class PullingWorker {

  private final ExchangeConfig config;
  private final ServerLayout layout;
  private final Port port;
  private final Outbox gradients;
  private final boolean[] addressee;

  /** Per server: chunks that were asked for in this pull; and those whose answer is missing. */
  private final int[] asked;

  private final int[] unanswered;

  /** Per server: pulls of all rounds. */
  private final long[] pulls;

  private long rounds;

  /** Chunks of all servers that this pull has not brought yet. */
  private int missing;

  /** Of this pull: gradients of others that elements lack, added up; and of the slowest worker. */
  private long lag;

  private long worstLag;

  private int underWay;

  /** From a flush until this worker asks again: nothing is asked for meanwhile. */
  private boolean withdrawn;

  /** Whether it asks again as soon as all that was withdrawn is answered. */
  private boolean goesOn;

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
      // Not all begin with the first server, which would be the bottleneck of a moment.
      int server = (config.rank() + i) % layout.servers();
      Arrays.fill(addressee, false);
      addressee[layout.rankOf(server)] = true;
      gradients.post(addressee, rounds, layout.range(server), local.samples(), local.gradient());
    }
    rounds++;
    pull();
  }

  /** Something has arrived that was sent from here; of questions the answer counts. */
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
    while (asked[server] < layout.chunks(server) && unanswered[server] < Outbox.WINDOW_MESSAGES) {
      Range chunk = layout.chunk(server, asked[server]++);
      unanswered[server]++;
      pulls[server]++;
      underWay++;
      Pull.Request request = new Pull.Request(chunk, pullsAtTheEnd);
      port.send(new Message(config.rank(), layout.rankOf(server), rounds, request));
    }
  }

  /**
   * The weights that were asked for.
   *
   * @param slowest the clock of the slowest worker
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

  /** What was asked for was withdrawn. */
  void refused(int from) {
    answered(layout.serverAt(from));
  }

  private void answered(int server) {
    unanswered[server]--;
    underWay--;
    if (!withdrawn) {
      ask(server);
      pullAtTheEnd();
    } else if (goesOn) {
      goOn();
    }
  }

  /** How far the weights lag behind that the last pull has brought. */
  Staleness staleness() {
    int others = layout.workers() - 1;
    return others == 0
        ? Staleness.NONE
        : new Staleness(lag / (double) ((long) config.length() * others), worstLag);
  }

  /** Asks for nothing any more, and takes back what was asked for: it may not be given for long. */
  void flush() {
    goesOn = false;
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
   * Asks again for what a flush has withdrawn. Where the flush was not over, answers that it has
   * not got would be taken for those to the new questions: so these wait until all have come.
   */
  void goOn() {
    goesOn = withdrawn && underWay > 0;
    if (goesOn) {
      return;
    }
    withdrawn = false;
    if (missing > 0 && underWay == 0) {
      pull();
    } else {
      pullAtTheEnd();
    }
  }

  /** This worker computes nothing any more. */
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

  /** Whether a rank has still to confirm or to answer something that was sent to it. */
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
