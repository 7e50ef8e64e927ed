package dev.braid.worker.state;

import dev.braid.exchange.state.StateFormat;
import dev.braid.exchange.state.StateKind;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.worker.report.EpochSums;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/**
 * The state from which a rank continues, assembled from the parts that all ranks of a checkpoint
 * wrote.
 *
 * @param vectors the weights, then the updater's state
 * @param closedEpochs maximum number of epochs that a rank has closed, among ranks that keep their
 *     place. Such a rank does not report these epochs again, so no rank may wait for a verdict that
 *     needs reports of all: in a run that had no target, some ranks have closed an epoch that
 *     others have still to evaluate
 */
public record Replica(
    float[][] vectors,
    SavedPosition position,
    int closedEpochs,
    EpochSums sums,
    SortedMap<String, byte[]> exchangeStates) {

  /**
   * Assembles the parts for one rank.
   *
   * <p>With the same exchange, and the same number of ranks in each role, each rank gets its own
   * state back. Otherwise all ranks begin with one model: the one that all had or that was served,
   * or, if replicas differ, their mean. They begin with the number of rounds of the rank that had
   * completed most, so that no clock goes back. The exchange's own state is dropped or, for the
   * same exchange, {@linkplain ExchangeStates#rescaled rescaled}.
   *
   * <p>The same number of workers keep their positions in their epochs, unless their shards of the
   * data are cut again. Shards are cut again for another exchange or batch size, unless all workers
   * have completed the same number of rounds and epochs. If shards are cut again, sums go to rank
   * 0, so that their total stays right.
   *
   * @param role the rank, and its role in the new run
   * @throws IOException if parts are missing, do not fit together, or cannot be read by this rank's
   *     exchange
   */
  public static Replica of(List<ReplicaPart> unordered, Role role) throws IOException {
    List<ReplicaPart> parts =
        unordered.stream().sorted(Comparator.comparingInt(part -> part.role().rank())).toList();
    ReplicaPart first = check(parts);
    Role before = first.role();
    boolean sameExchange = role.isOfSameExchange(before);
    checkVersions(before.format(), role.format());
    List<ReplicaPart> computed = parts.subList(0, before.workers());
    boolean goesOn = (sameExchange && role.batch() == before.batch()) || areInStep(computed);
    boolean keepsPlace = role.workers() == before.workers() && goesOn;
    return keepsPlace && sameExchange && role.roles().ranks() == before.roles().ranks()
        ? asItWas(parts, role.rank())
        : anew(parts, role, keepsPlace);
  }

  private static void checkVersions(StateFormat before, StateFormat now)
      throws StateVersionException {
    Optional<StateKind> changed = before.inAnotherVersion(now);
    if (changed.isPresent()) {
      String name = changed.get().name();
      throw new StateVersionException(
          "the state '" + name + "' of exchange " + before.exchange(),
          changed.get().version(),
          now.state(name).orElseThrow().version());
    }
  }

  private static Replica asItWas(List<ReplicaPart> parts, int rank) {
    ReplicaPart own = parts.get(rank);
    boolean isReplica = own.model().kind() == SavedVectors.Kind.REPLICA;
    SavedPosition stepped = isReplica && own.isCurrent() ? own.position() : furthest(parts);
    return new Replica(
        isReplica ? own.model().values() : joined(parts),
        new SavedPosition(
            own.position().completedRounds(),
            stepped.steps(),
            stepped.epochs(),
            own.position().openEpoch(),
            own.position().endedEpochs()),
        closedEpochs(parts),
        own.sums(),
        ExchangeStates.ofSameRanks(parts, own));
  }

  private static Replica anew(List<ReplicaPart> parts, Role role, boolean keepsPlace)
      throws IOException {
    List<ReplicaPart> computed = parts.subList(0, parts.get(0).role().workers());
    List<ReplicaPart> read =
        keepsPlace && role.computes() ? List.of(parts.get(role.rank())) : computed;
    SavedPosition furthest = furthest(parts);
    return new Replica(
        parts.get(0).model().kind() == SavedVectors.Kind.REPLICA ? mean(parts) : joined(parts),
        new SavedPosition(
            parts.stream().mapToLong(part -> part.position().completedRounds()).max().orElseThrow(),
            furthest.steps(),
            furthest.epochs(),
            // A rank that computes nothing evaluates nothing.
            role.computes() ? openEpoch(read) : OptionalInt.empty(),
            endedEpochs(read)),
        keepsPlace ? closedEpochs(computed) : 0,
        sums(parts, role, keepsPlace),
        ExchangeStates.rescaled(parts, role));
  }

  /**
   * Returns the position whose steps count. A rank that serves nothing, for example of a small
   * model, has taken no steps.
   */
  private static SavedPosition furthest(List<ReplicaPart> parts) {
    return parts.stream()
        .filter(ReplicaPart::isCurrent)
        .map(ReplicaPart::position)
        .max(Comparator.comparingLong(SavedPosition::steps))
        .orElseThrow();
  }

  /**
   * Returns whether all parts have completed the same number of rounds, and ended the same epochs.
   */
  private static boolean areInStep(List<ReplicaPart> computed) {
    SavedPosition first = computed.get(0).position();
    return computed.stream()
        .map(ReplicaPart::position)
        .allMatch(
            position ->
                position.completedRounds() == first.completedRounds()
                    && position.endedEpochs() == first.endedEpochs());
  }

  /** Returns the vectors, joined from the ranks' shares. */
  private static float[][] joined(List<ReplicaPart> parts) {
    float[][] vectors = empty(parts);
    for (ReplicaPart part : parts) {
      for (int v = 0; v < vectors.length; v++) {
        Slice values = part.model().slices().get(v);
        int start = part.model().range().start();
        System.arraycopy(values.array(), values.offset(), vectors[v], start, values.length());
      }
    }
    return vectors;
  }

  private static float[][] mean(List<ReplicaPart> replicas) {
    float[][] vectors = empty(replicas);
    for (int v = 0; v < vectors.length; v++) {
      int vector = v;
      List<Slice> all =
          replicas.stream().map(replica -> replica.model().slices().get(vector)).toList();
      for (int i = 0; i < vectors[v].length; i++) {
        double sum = 0;
        for (Slice values : all) {
          sum += values.array()[values.offset() + i];
        }
        vectors[v][i] = (float) (sum / replicas.size());
      }
    }
    return vectors;
  }

  /** Returns vectors as numerous and as long as the model's. */
  private static float[][] empty(List<ReplicaPart> parts) {
    SavedVectors first = parts.get(0).model();
    return new float[first.slices().size()][first.length()];
  }

  /**
   * Returns the number of epochs that have ended at all ranks. Of the other epochs, the samples
   * that are left are dealt again, to all ranks.
   */
  private static int endedEpochs(List<ReplicaPart> parts) {
    return parts.stream().mapToInt(part -> part.position().endedEpochs()).min().orElseThrow();
  }

  /**
   * Returns the last epoch that has ended at all ranks, if it is open at any rank: it is then open
   * for all.
   */
  private static OptionalInt openEpoch(List<ReplicaPart> parts) {
    int last = endedEpochs(parts) - 1;
    boolean open = parts.stream().anyMatch(part -> part.position().openEpoch().orElse(-1) == last);
    return last >= 0 && open ? OptionalInt.of(last) : OptionalInt.empty();
  }

  private static int closedEpochs(List<ReplicaPart> parts) {
    return parts.stream()
        .map(ReplicaPart::position)
        .mapToInt(position -> position.endedEpochs() - (position.openEpoch().isPresent() ? 1 : 0))
        .max()
        .orElseThrow();
  }

  /**
   * Returns the sums of a rank. Ranks that keep their place keep their sums; rank 0 gets the sums
   * that no other rank gets.
   */
  private static EpochSums sums(List<ReplicaPart> parts, Role role, boolean keepsPlace) {
    int kept = keepsPlace ? role.roles().ranks() : 0;
    return parts.stream()
        .filter(part -> role.rank() == (part.role().rank() < kept ? part.role().rank() : 0))
        .map(ReplicaPart::sums)
        .reduce(EpochSums.NONE, EpochSums::plus);
  }

  /**
   * Checks that all parts are there and fit together.
   *
   * @param parts parts in the order of their ranks
   * @return the first part of a rank that has the model
   */
  private static ReplicaPart check(List<ReplicaPart> parts) throws IOException {
    ReplicaPart first =
        parts.stream()
            .filter(ReplicaPart::isCurrent)
            .findFirst()
            .orElseThrow(() -> new IOException("the checkpoint has no worker's model"));
    if (parts.size() != first.role().roles().ranks()) {
      throw new IOException(
          "the checkpoint has the state of "
              + parts.size()
              + " of "
              + first.role().roles().ranks()
              + " workers");
    }
    for (int i = 0; i < parts.size(); i++) {
      checkFits(first, parts.get(i), i);
    }
    if (first.model().kind() != SavedVectors.Kind.REPLICA) {
      checkCovered(parts, Range.ofLength(first.model().length()));
    }
    return first;
  }

  private static void checkFits(ReplicaPart first, ReplicaPart part, int rank) throws IOException {
    if (!part.quiet()) {
      throw new IOException("the checkpoint was taken while gradients were in flight");
    }
    Role role = part.role();
    Role expected = first.role();
    SavedVectors model = part.model();
    SavedVectors expectedModel = first.model();
    if (role.rank() != rank
        || !role.roles().equals(expected.roles())
        || role.batch() != expected.batch()
        || !role.format().equals(expected.format())
        || model.kind() != expectedModel.kind()
        || model.length() != expectedModel.length()
        || model.slices().size() != expectedModel.slices().size()) {
      throw new IOException(
          "the checkpoint's worker states do not fit together: that of "
              + role
              + " has "
              + model.slices().size()
              + " vectors of "
              + model.length()
              + ", that of "
              + expected
              + " has "
              + expectedModel.slices().size()
              + " of "
              + expectedModel.length());
    }
    if (model.kind() == SavedVectors.Kind.REPLICA && model.range().length() != model.length()) {
      throw new IOException(
          "the checkpoint's worker states do not fit together: rank "
              + rank
              + "'s own replica has only elements "
              + model.range()
              + " of "
              + model.length());
    }
  }

  /** Checks that every element is there exactly once. */
  private static void checkCovered(List<ReplicaPart> parts, Range whole) throws IOException {
    int end = 0;
    for (Range range :
        parts.stream()
            .map(part -> part.model().range())
            .filter(range -> !range.isEmpty())
            .sorted(Comparator.comparingInt(Range::start))
            .toList()) {
      if (range.start() != end) {
        throw new IOException(
            "the checkpoint's worker states do not fit together: "
                + range
                + " must begin at "
                + end);
      }
      end = range.end();
    }
    if (end != whole.end()) {
      throw new IOException(
          "the checkpoint has " + end + " of the model's " + whole.end() + " parameters");
    }
  }
}
