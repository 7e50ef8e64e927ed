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

/** Converts the states that an exchange saved at the ranks of one run for the ranks of another. */
final class ExchangeStates {

  private ExchangeStates() {}

  /**
   * Returns the states of a rank, each converted by its {@linkplain StateKind.Rescaling rule}; none
   * if the checkpoint is of another exchange.
   *
   * @param parts parts in the order of their ranks
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

  /**
   * Returns the states of a rank of a run with the same exchange and the same ranks: its own, and
   * copies of those that it lacks because it was excluded.
   *
   * @param own the rank's part
   */
  static SortedMap<String, byte[]> ofSameRanks(List<ReplicaPart> parts, ReplicaPart own) {
    SortedMap<String, byte[]> states = new TreeMap<>(own.exchangeStates());
    if (!own.isCurrent()) {
      for (StateKind kind : own.role().format().states()) {
        if (kind.rescaling() == StateKind.Rescaling.COPY) {
          copy(kind, parts).ifPresent(state -> states.put(kind.name(), state));
        }
      }
    }
    return states;
  }

  private static Optional<byte[]> copy(StateKind kind, List<ReplicaPart> parts) {
    return parts.stream()
        .filter(ReplicaPart::isCurrent)
        .flatMap(part -> Optional.ofNullable(part.exchangeStates().get(kind.name())).stream())
        .findFirst();
  }

  private static Optional<byte[]> rescaled(StateKind kind, List<ReplicaPart> parts, Role role)
      throws IOException {
    return switch (kind.rescaling()) {
      case DROP -> Optional.empty();
      case KEEP ->
          role.rank() < parts.size()
              ? Optional.ofNullable(parts.get(role.rank()).exchangeStates().get(kind.name()))
              : Optional.empty();
      case COPY -> role.computes() ? copy(kind, parts) : Optional.empty();
      case SUM -> sum(kind, ofWorker(parts, role), 1);
      case MEAN -> {
        List<ReplicaPart> having = having(kind, parts);
        yield role.computes() ? sum(kind, having, having.size()) : Optional.empty();
      }
    };
  }

  /** Returns the parts whose states this worker takes over; each part has one such worker. */
  private static List<ReplicaPart> ofWorker(List<ReplicaPart> parts, Role role) {
    return parts.stream()
        .filter(part -> role.computes() && part.role().rank() % role.workers() == role.rank())
        .toList();
  }

  private static List<ReplicaPart> having(StateKind kind, List<ReplicaPart> parts) {
    return parts.stream().filter(part -> part.exchangeStates().containsKey(kind.name())).toList();
  }

  /**
   * Adds the vectors of all parts that have one, in the order of the ranks, so that the result is
   * reproducible. Divides the sum by {@code divisor}. Empty if no part has a vector.
   */
  private static Optional<byte[]> sum(StateKind kind, List<ReplicaPart> parts, int divisor)
      throws IOException {
    List<float[]> vectors = new ArrayList<>();
    for (ReplicaPart part : having(kind, parts)) {
      byte[] state = part.exchangeStates().get(kind.name());
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(state));
      vectors.add(StateVectors.read(in, part.model().length()));
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
