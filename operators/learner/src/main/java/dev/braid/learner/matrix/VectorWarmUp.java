package dev.braid.learner.matrix;

import dev.braid.learner.math.JvmOption;
import dev.braid.learner.math.MultiplyAdd;
import dev.braid.learner.math.ProcessorTime;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines, concurrently with scoring, when vectors are compiled and faster than loops.
 *
 * <p>Until the JIT compiler has compiled them, vectors are objects, and a hundred times slower. A
 * separate thread therefore runs a small computation both ways until vectors take about as long as
 * loops, which happens within a second of processor time. No other thread waits for it. A process
 * has one instance, because the JIT compiler's result serves all multipliers.
 */
final class VectorWarmUp {

  /** System property that disables vectors if it is {@code false}. */
  private static final String PROPERTY = "braid.vectors";

  private static final Logger LOG = LoggerFactory.getLogger(VectorWarmUp.class);

  private static final Set<String> MODES_WITH_C2 =
      Set.of("default", "high-only", "high-only-quick-internal");

  /**
   * Longest duration of the trial, in processor time, because elapsed time includes waiting for
   * other threads.
   */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Highest ratio of the vectors' time to the loops' time at which vectors are used. Vectors that
   * are not compiled yet take several times as long as loops. Compiled vectors take half of the
   * loops' time or more, and the ratio is higher for smaller computations. The trial fits into the
   * first-level cache, where loops are fastest.
   */
  private static final double MOST_SHARE = 1.1;

  /** Smallest number of elements in a vector. With shorter vectors, OpenBLAS is as fast. */
  private static final int LEAST_LANES = 8;

  private final Optional<VectorClass> found = mayOptimise() ? find() : Optional.empty();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CompletableFuture<VectorClass> ready = new CompletableFuture<>();

  /** Returns the class, if this process can use it. */
  Optional<VectorClass> found() {
    return found;
  }

  /** Returns the class if it has proved faster than loops. The first call starts the trial. */
  Optional<VectorClass> ready() {
    if (found.isPresent() && !begun.getAndSet(true)) {
      Thread thread = new Thread(() -> warmUp(found.get()), "braid-vector-warm-up");
      thread.setDaemon(true);
      thread.start();
    }
    return Optional.ofNullable(ready.getNow(null));
  }

  /**
   * Returns whether the JVM has the compiler that generates vector instructions (C2) and may use
   * it, and whether a product and a sum are one instruction, as {@link MultiplyAdd} then assumes.
   */
  private static boolean mayOptimise() {
    return Boolean.parseBoolean(System.getProperty(PROPERTY, "true"))
        && MultiplyAdd.isFused()
        && JvmOption.value("UseCompiler").filter("true"::equals).isPresent()
        && JvmOption.value("TieredStopAtLevel").filter("4"::equals).isPresent()
        && JvmOption.value("CompilationMode").filter(MODES_WITH_C2::contains).isPresent()
        && JvmOption.value("UseJVMCICompiler").filter("true"::equals).isEmpty();
  }

  private static Optional<VectorClass> find() {
    try {
      return Optional.of(VectorClass.load()).filter(it -> it.lanes() >= LEAST_LANES);
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.info("Scores are computed without vector instructions: {}", e.toString());
      return Optional.empty();
    }
  }

  private void warmUp(VectorClass vectors) {
    try {
      tryOut(vectors, new MatrixTrial(vectors));
    } catch (LinkageError | RuntimeException e) {
      LOG.warn("Scores are computed without vector instructions, because they failed", e);
    }
  }

  private void tryOut(VectorClass vectors, MatrixTrial small) {
    long begin = ProcessorTime.nanos();
    while (ProcessorTime.nanos() - begin < MOST_NANOS) {
      double share = small.run();
      if (!small.hasSameBits()) {
        LOG.warn(
            "Scores are computed without vector instructions, because their results are wrong");
        return;
      }
      if (share < MOST_SHARE) {
        LOG.info(
            "Scores are computed in vectors of {} elements, in {} of the time of loops",
            vectors.lanes(),
            String.format(Locale.ROOT, "%.2f", share));
        ready.complete(vectors);
        return;
      }
    }
    LOG.info("Scores are computed without vector instructions, because they are slower");
  }
}
