package dev.braid.loop;

import dev.braid.loop.envelope.Envelope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The edges from every member to every other's links: each delivers in order but at any time, waits
 * at an aligned barrier until all have reached it, and carries nothing while it is cut.
 */
final class SimulatedNetwork {

  private sealed interface Element {}

  private record Carried(Envelope envelope) implements Element {}

  private record Barrier(long checkpoint) implements Element {}

  /** One way for things to go in order. */
  static final class Channel {
    private final Deque<Element> elements = new ArrayDeque<>();
    private long blockedBy;
    private boolean cut;
    private boolean cutSinceCheckpointBegan;

    private boolean canDeliver() {
      return blockedBy == 0 && !cut && !elements.isEmpty();
    }

    private void heal() {
      cut = false;
      cutSinceCheckpointBegan = false;
    }
  }

  /** By receiver, then by sender. */
  private final List<List<Channel>> channels = new ArrayList<>();

  /** A network of whole and empty channels. */
  SimulatedNetwork(int ranks) {
    for (int to = 0; to < ranks; to++) {
      List<Channel> incoming = new ArrayList<>();
      for (int from = 0; from < ranks; from++) {
        incoming.add(new Channel());
      }
      channels.add(incoming);
    }
  }

  void carry(int from, Envelope envelope) {
    channels.get(envelope.to()).get(from).elements.add(new Carried(envelope));
  }

  void barrier(int from, long checkpoint) {
    channels.forEach(incoming -> incoming.get(from).elements.add(new Barrier(checkpoint)));
  }

  /** The channels to this rank that could deliver something now. */
  List<Channel> ready(int to) {
    List<Channel> ready = List.of();
    for (Channel channel : channels.get(to)) {
      if (channel.canDeliver()) {
        if (ready.isEmpty()) {
          ready = new ArrayList<>();
        }
        ready.add(channel);
      }
    }
    return ready;
  }

  /** What comes next from a channel that is ready; nothing where that is a barrier. */
  Optional<Envelope> deliver(int to, Channel channel) {
    Element element = channel.elements.remove();
    if (element instanceof Barrier barrier) {
      channel.blockedBy = barrier.checkpoint();
      if (channels.get(to).stream().allMatch(c -> c.blockedBy != 0)) {
        channels.get(to).forEach(c -> c.blockedBy = 0);
      }
      return Optional.empty();
    }
    return Optional.of(((Carried) element).envelope());
  }

  void cut(int to, int from) {
    channels.get(to).get(from).cut = true;
  }

  void heal() {
    channels.forEach(incoming -> incoming.forEach(Channel::heal));
  }

  boolean isCut() {
    return channels.stream().flatMap(List::stream).anyMatch(channel -> channel.cut);
  }

  void checkpointBegins() {
    channels.forEach(
        incoming -> incoming.forEach(channel -> channel.cutSinceCheckpointBegan = channel.cut));
  }

  /** Whether some channel has been cut since before the checkpoint began. */
  boolean isCutSinceCheckpointBegan() {
    return channels.stream()
        .flatMap(List::stream)
        .anyMatch(channel -> channel.cutSinceCheckpointBegan);
  }
}
