package dev.braid.exchange;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.List;

/** A port that records the messages and updates of an exchange, with values copied at the call. */
public final class RecordingPort implements Port {

  private final List<Message> sent = new ArrayList<>();
  private final List<Update> updates = new ArrayList<>();
  private final float[] weights;

  /** Creates a port without a model. */
  public RecordingPort() {
    this(new float[0]);
  }

  /** Creates a port with these weights; gradient sums are subtracted from them, undivided. */
  public RecordingPort(float[] weights) {
    this.weights = weights;
  }

  /** Returns the messages since the last call. */
  public List<Message> takeSent() {
    List<Message> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  /** Returns the updates since the last call, all of which must be gradient sums. */
  public List<Update.GradientSum> takeSums() {
    List<Update.GradientSum> taken =
        updates.stream().map(update -> (Update.GradientSum) update).toList();
    updates.clear();
    return taken;
  }

  /** Returns the updates since the last call. */
  public List<Update> takeUpdates() {
    List<Update> taken = List.copyOf(updates);
    updates.clear();
    return taken;
  }

  @Override
  public long nowNanos() {
    return 0;
  }

  @Override
  public void send(Message message) {
    sent.add(message.withPayload(Payload.of(copy(message.payload().dense()))));
  }

  @Override
  public void wakeAt(long nanos) {
    throw new UnsupportedOperationException("an exchange without time-outs asks for no deadline");
  }

  @Override
  public void update(Update update) {
    Slice values = copy(update.values());
    for (int i = 0; i < values.length() && weights.length > 0; i++) {
      int at = update.range().start() + i;
      float value = values.array()[i];
      weights[at] = update instanceof Update.GradientSum ? weights[at] - value : value;
    }
    if (update instanceof Update.GradientSum sum) {
      updates.add(new Update.GradientSum(sum.range(), values, sum.samples()));
    } else if (update instanceof Update.Replacement replacement) {
      updates.add(new Update.Replacement(replacement.vector(), replacement.range(), values));
    }
  }

  private static Slice copy(Slice values) {
    return Slice.view(values.toArray(), 0, values.length());
  }

  @Override
  public float[][] model() {
    if (weights.length == 0) {
      throw new UnsupportedOperationException("there is no model here");
    }
    return new float[][] {weights};
  }
}
