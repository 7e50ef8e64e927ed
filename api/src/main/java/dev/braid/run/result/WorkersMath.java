package dev.braid.run.result;

import dev.braid.worker.report.Reports.Began;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Checks whether all workers' gradients have the same bits for the same model and batch, and the
 * same as before the checkpoint that the run resumed from. If not, training is as good, but neither
 * a second run nor one on other machines has the same digest.
 */
public final class WorkersMath {

  private final List<MathUse> before = new ArrayList<>();
  private final NavigableMap<Integer, Began> now = new TreeMap<>();

  /** Restores a use that a checkpoint has recorded. */
  public void restore(MathUse use) {
    before.add(use.past());
  }

  /** Adds a worker that has begun or restarted, perhaps among more or fewer than before. */
  public void add(Began worker) {
    now.values().removeIf(old -> old.workers() != worker.workers());
    now.put(worker.rank(), worker);
  }

  /** Returns whether all workers have begun. */
  public boolean isComplete() {
    return !now.isEmpty() && now.size() == now.firstEntry().getValue().workers();
  }

  /** Returns the maximum number of values in a message; 0 before a worker has begun. */
  int chunkLength() {
    return now.values().stream().mapToInt(Began::chunkLength).findFirst().orElse(0);
  }

  /** Returns each kind of kernels that is or was in use: one, if all give the same bits. */
  public List<MathUse> uses() {
    List<MathUse> uses = new ArrayList<>();
    for (Began worker : now.values()) {
      if (uses.stream().noneMatch(use -> use.kernels().haveTheBitsOf(worker.kernels()))) {
        uses.add(use(worker));
      }
    }
    for (MathUse past : before) {
      if (uses.stream().noneMatch(use -> use.kernels().haveTheBitsOf(past.kernels()))) {
        uses.add(past);
      }
    }
    return uses;
  }

  /** Returns the use by all workers that have the bits of this one. */
  private MathUse use(Began first) {
    List<Began> alike =
        now.values().stream()
            .filter(other -> other.kernels().haveTheBitsOf(first.kernels()))
            .toList();
    return new MathUse(
        first.kernels(),
        alike.stream().map(Began::rank).toList(),
        List.copyOf(new TreeSet<>(alike.stream().map(Began::host).toList())),
        false);
  }

  /**
   * Returns differences that users should know, a line each; empty before all workers have begun.
   */
  public List<String> differences() {
    if (!isComplete()) {
      return List.of();
    }
    return Stream.of(
            amongWorkers()
                .map(
                    ("%s: training continues, but another run ends with the same digest only if the"
                            + " same workers have the same kernels; OPENBLAS_CORETYPE sets the kernels"
                            + " of a machine")
                        ::formatted),
            sinceCheckpoint()
                .map(
                    "%s: the run continues, but not with the bits that it would have had there"
                        ::formatted))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * Returns why a run cannot have the same bits throughout; empty before all workers have begun.
   */
  public Optional<String> refusal() {
    List<String> found =
        isComplete()
            ? Stream.of(amongWorkers(), sinceCheckpoint()).flatMap(Optional::stream).toList()
            : List.of();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "`require` same-bits: "
                + String.join("; and ", found)
                + ": use one `math` for the run, and the same OPENBLAS_CORETYPE (or none) for all "
                + "TaskManagers; restart TaskManagers that have loaded other kernels");
  }

  private Optional<String> amongWorkers() {
    List<MathUse> current = uses().stream().filter(use -> !use.before()).toList();
    return current.size() == 1
        ? Optional.empty()
        : Optional.of(
            "the math kernels of the workers give different bits ("
                + MathUse.describe(current)
                + ")");
  }

  private Optional<String> sinceCheckpoint() {
    List<MathUse> past = uses().stream().filter(MathUse::before).toList();
    return past.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the checkpoint was made with math kernels that give other bits ("
                + MathUse.describe(past)
                + ") than those here ("
                + MathUse.describe(uses().stream().filter(use -> !use.before()).toList())
                + ")");
  }
}
