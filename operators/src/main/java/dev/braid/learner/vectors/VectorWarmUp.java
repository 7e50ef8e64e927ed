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
 * Finds out, beside the training, from when on vectors are compiled, and faster than loops.
 *
 * <p>Until the JIT compiler has taken them up, vectors are objects, and a hundred times slower. So
 * a thread of its own computes something small both ways until vectors take about as long, which is
 * within a second of the processor's; nobody waits for it. There is one of these for each class in
 * vectors, as what the JIT compiler has made of it serves all that use it.
 */
public final class VectorWarmUp<T> {

  /** Set to {@code false}, it has everything computed without vectors. */
  private static final String PROPERTY = "braid.vectors";

  private static final Logger LOG = LoggerFactory.getLogger(VectorWarmUp.class);

  private static final Set<String> MODES_WITH_C2 =
      Set.of("default", "high-only", "high-only-quick-internal");

  /** Of the processor's time: how long others keep a thread from it says nothing. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Of the loops' time. Vectors that are not compiled yet take several times as long; those that
   * are take half of it or more, the more the smaller what is computed is: here it fits into the
   * first cache, which is where loops are at their best.
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
   * @param what what it computes, for people; in the plural
   * @param type what the class is one of
   * @param name its name
   * @param leastLanes how many elements a vector must have for it to be tried
   * @param trial computes with it
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

  /** The class, if this process can make use of it. */
  public Optional<VectorClass<T>> found() {
    return found;
  }

  /** The class, once it is faster; which begins to be tried out when this is first asked. */
  public Optional<VectorClass<T>> ready() {
    if (found.isPresent() && !begun.getAndSet(true)) {
      Thread thread = new Thread(() -> warmUp(found.get()), "braid-vector-warm-up");
      thread.setDaemon(true);
      thread.start();
    }
    return Optional.ofNullable(ready.getNow(null));
  }

  /**
   * Whether the JVM has the compiler that makes vector instructions of vectors, and may use it; and
   * whether a product and a sum are one of them, as {@link MultiplyAdd} has it then.
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
