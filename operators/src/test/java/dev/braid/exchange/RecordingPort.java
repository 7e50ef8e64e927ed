package dev.braid.exchange;

import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.List;

/** A port that keeps what an exchange sends and updates, with values copied as of the call. */
final class RecordingPort implements Port {

  private final List<Message> sent = new ArrayList<>();
  private final List<Update> updates = new ArrayList<>();

  /** What was sent since the last call. */
  List<Message> takeSent() {
    List<Message> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  /** What was updated since the last call; all of it gradient sums. */
  List<Update.GradientSum> takeSums() {
    List<Update.GradientSum> taken =
        updates.stream().map(update -> (Update.GradientSum) update).toList();
    updates.clear();
    return taken;
  }

  @Override
  public long nowNanos() {
    return 0;
  }

  @Override
  public void send(Message m) {
    sent.add(m.withValues(copy(m.values())));
  }

  @Override
  public void wakeAt(long nanos) {
    throw new UnsupportedOperationException("an exchange without time-outs asks for no deadline");
  }

  @Override
  public void update(Update update) {
    Update.GradientSum sum = (Update.GradientSum) update;
    updates.add(new Update.GradientSum(sum.range(), copy(sum.values()), sum.samples()));
  }

  private static Slice copy(Slice values) {
    return Slice.view(values.toArray(), 0, values.length());
  }

  @Override
  public float[][] model() {
    throw new UnsupportedOperationException("there is no model here");
  }
}
