package dev.braid.exchange.sharing;

import dev.braid.exchange.Port;
import dev.braid.exchange.sharing.UpdateLog.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What is kept of copies of the model while they are under way in one view: at the rank that sends
 * them, the model as it was when it was asked for; at the one that gets one, the parts of updates
 * that come before it.
 */
final class CopyUnderWay {

  private final Port port;

  /** How many messages a vector takes. */
  private final int chunks;

  private final List<Part> staged = new ArrayList<>();

  private Optional<float[][]> sent = Optional.empty();

  /** Messages with parts of the model that have not come to whom they are for. */
  private int messages;

  CopyUnderWay(Port port, int chunks) {
    this.port = port;
    this.chunks = chunks;
  }

  /** The model and the updater's state, copied: it changes while it is sent. */
  float[][] take() {
    float[][] copy = Arrays.stream(port.model()).map(float[]::clone).toArray(float[][]::new);
    sent = Optional.of(copy);
    messages += copy.length * chunks;
    return copy;
  }

  /** One of the messages has come. */
  void arrived() {
    messages--;
    if (messages == 0) {
      sent = Optional.empty();
    }
  }

  /** The rank whose model is being copied keeps this part, for others that may lack it. */
  void stage(Part part) {
    staged.add(part);
  }

  /** What was staged, now that the copy is complete. */
  List<Part> unstage() {
    List<Part> all = List.copyOf(staged);
    staged.clear();
    return all;
  }

  /** How many vectors of the model's length are kept here, besides what is staged. */
  int vectors() {
    return sent.map(copy -> copy.length).orElse(0);
  }
}
