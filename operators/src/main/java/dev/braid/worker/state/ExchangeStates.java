package dev.braid.worker.state;

import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateVectors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the ranks of a run make of the states that an exchange had at other ranks. */
final class ExchangeStates {

  private ExchangeStates() {}

  /**
   * A rank's states, each by its {@linkplain StateKind.Rescaling rule}; none after another
   * exchange.
   *
   * @param parts in the order of their ranks
   */
  static SortedMap<String, byte[]> rescaled(List<ReplicaPart> parts, Role role) throws IOException {
    SortedMap<String, byte[]> states = new TreeMap<>();
    if (!role.isOfSameExchange(parts.get(0).role())) {
      return states;
    }
    for (StateKind kind : role.format().states()) {
      rescaled(kind, parts, role).ifPresent(state -> states.put(kind.name(), state));
    }
    return states;
  }

  private static Optional<byte[]> rescaled(StateKind kind, List<ReplicaPart> parts, Role role)
      throws IOException {
    return switch (kind.rescaling()) {
      case DROP -> Optional.empty();
      case KEEP ->
          role.rank() < parts.size()
              ? Optional.ofNullable(parts.get(role.rank()).exchangeStates().get(kind.name()))
              : Optional.empty();
      case SUM -> sum(kind, ofWorker(parts, role), 1);
      case MEAN -> {
        List<ReplicaPart> having = having(kind, parts);
        yield role.computes() ? sum(kind, having, having.size()) : Optional.empty();
      }
    };
  }

  /** Those that a worker takes over, so that each is taken over by one. */
  private static List<ReplicaPart> ofWorker(List<ReplicaPart> parts, Role role) {
    return parts.stream()
        .filter(part -> role.computes() && part.role().rank() % role.workers() == role.rank())
        .toList();
  }

  private static List<ReplicaPart> having(StateKind kind, List<ReplicaPart> parts) {
    return parts.stream().filter(part -> part.exchangeStates().containsKey(kind.name())).toList();
  }

  /** In the order of the ranks, so that it is the same again; none if no rank had one. */
  private static Optional<byte[]> sum(StateKind kind, List<ReplicaPart> parts, int divisor)
      throws IOException {
    List<float[]> vectors = new ArrayList<>();
    for (ReplicaPart part : having(kind, parts)) {
      byte[] state = part.exchangeStates().get(kind.name());
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(state));
      vectors.add(StateVectors.read(in, part.length()));
    }
    if (vectors.isEmpty()) {
      return Optional.empty();
    }
    float[] sums = new float[vectors.get(0).length];
    for (int i = 0; i < sums.length; i++) {
      double sum = 0;
      for (float[] vector : vectors) {
        sum += vector[i];
      }
      sums[i] = (float) (sum / divisor);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StateVectors.write(new DataOutputStream(bytes), sums);
    return Optional.of(bytes.toByteArray());
  }
}
