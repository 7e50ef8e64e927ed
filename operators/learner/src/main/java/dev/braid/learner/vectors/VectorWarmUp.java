package dev.braid.learner.vectors;

import dev.braid.learner.math.JvmOption;
import dev.braid.learner.math.MultiplyAdd;
import dev.braid.learner.math.ProcessorTime;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines, concurrently with training, when vectors are compiled and faster than loops.
 *
 * <p>Until the JIT compiler has compiled them, vectors are objects, and a hundred times slower. A
 * separate thread therefore runs a small computation both ways until vectors take about as long as
 * loops, which happens within a second of processor time. No other thread waits for it. There is
 * one instance for each class that uses vectors, because the JIT compiler's result serves all users
 * of the class.
 */
public final class VectorWarmUp<T> {

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

  private final String what;
  private final Optional<VectorClass<T>> found;
  private final Function<VectorClass<T>, VectorTrial> trial;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CompletableFuture<VectorClass<T>> ready = new CompletableFuture<>();

  /**
   * Looks for a class.
   *
   * @param what what the class computes, as a plural noun for log messages
   * @param type supertype of the class
   * @param name name of the class
   * @param leastLanes smallest number of elements in a vector with which the class is tried
   * @param trial creates a trial of the class
   */
  public VectorWarmUp(
      String what,
      Class<T> type,
      String name,
      int leastLanes,
      Function<VectorClass<T>, VectorTrial> trial) {
    this.what = what;
    this.found = mayOptimise() ? find(type, name, leastLanes) : Optional.empty();
    this.trial = trial;
  }

  /** Returns the class, if this process can use it. */
  public Optional<VectorClass<T>> found() {
    return found;
  }

  /** Returns the class if it has proved faster than loops. The first call starts the trial. */
  public Optional<VectorClass<T>> ready() {
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

  private Optional<VectorClass<T>> find(Class<T> type, String name, int leastLanes) {
    try {
      return Optional.of(VectorClass.load(type, name)).filter(it -> it.lanes() >= leastLanes);
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.info("{} are computed without vector instructions: {}", what, e.toString());
      return Optional.empty();
    }
  }

  private void warmUp(VectorClass<T> vectors) {
    try {
      tryOut(vectors, trial.apply(vectors));
    } catch (LinkageError | RuntimeException e) {
      LOG.warn("{} are computed without vector instructions, because they failed", what, e);
    }
  }

  private void tryOut(VectorClass<T> vectors, VectorTrial small) {
    long begin = ProcessorTime.nanos();
    while (ProcessorTime.nanos() - begin < MOST_NANOS) {
      double share = small.run();
      if (!small.hasSameBits()) {
        LOG.warn(
            "{} are computed without vector instructions, because their results are wrong", what);
        return;
      }
      if (share < MOST_SHARE) {
        LOG.info(
            "{} are computed in vectors of {} elements, in {} of the time of loops",
            what,
            vectors.lanes(),
            String.format(Locale.ROOT, "%.2f", share));
        ready.complete(vectors);
        return;
      }
    }
    LOG.info("{} are computed without vector instructions, because they are slower", what);
  }
}
