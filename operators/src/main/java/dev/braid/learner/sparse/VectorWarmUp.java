package dev.braid.learner.sparse;

import dev.braid.learner.math.JvmOption;
import dev.braid.learner.math.MultiplyAdd;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out, beside the training, from when on products in vectors are faster than loops.
 *
 * <p>Until the JIT compiler has taken them up, vectors are objects, and a hundred times slower. So
 * a thread of its own computes a small product both ways until the one in vectors takes less time,
 * which is within a second of the processor's; nobody waits for it.
 */
final class VectorWarmUp {

  /** Set to {@code false}, it has all products computed in loops. */
  private static final String PROPERTY = "braid.vectors";

  private static final Logger LOG = LoggerFactory.getLogger(VectorWarmUp.class);

  /** With shorter vectors, of AVX2 or of Arm, the JIT compiler's loops are as fast. */
  private static final int LEAST_LANES = 16;

  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How much less time vectors must take. */
  private static final double GAIN = 0.9;

  /** Of the process, as is what the JIT compiler has made; begun when it is first asked for. */
  private static final class OfProcess {
    static final CompletableFuture<VectorClass> READY = begin();
  }

  private VectorWarmUp() {}

  /** The class, once it is faster. */
  static Optional<VectorClass> ready() {
    return Optional.ofNullable(OfProcess.READY.getNow(null));
  }

  private static CompletableFuture<VectorClass> begin() {
    CompletableFuture<VectorClass> ready = new CompletableFuture<>();
    if (!Boolean.parseBoolean(System.getProperty(PROPERTY, "true")) || !mayOptimise()) {
      return ready;
    }
    try {
      VectorClass vectors = VectorClass.load();
      if (vectors.lanes() >= LEAST_LANES) {
        Thread thread = new Thread(() -> warmUp(vectors, ready), "braid-vector-warm-up");
        thread.setDaemon(true);
        thread.start();
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.info("Products with sparse samples are computed in loops, as {}", e.toString());
    }
    return ready;
  }

  /**
   * Whether the JVM has the compiler that makes vector instructions of vectors, and may use it; and
   * whether a product and a sum are one of them, as {@link MultiplyAdd} has it then.
   */
  private static boolean mayOptimise() {
    return JvmOption.value("TieredStopAtLevel").filter("4"::equals).isPresent()
        && MultiplyAdd.isFused();
  }

  private static void warmUp(VectorClass vectors, CompletableFuture<VectorClass> ready) {
    try {
      tryOut(vectors, ready);
    } catch (LinkageError | RuntimeException e) {
      LOG.warn("Products with sparse samples are computed in loops, as vectors failed", e);
    }
  }

  private static void tryOut(VectorClass vectors, CompletableFuture<VectorClass> ready) {
    VectorTrial trial = new VectorTrial(vectors);
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < MOST_NANOS) {
      double share = trial.run();
      if (!trial.hasSameBits()) {
        LOG.warn(
            "Products of sparse samples in vectors are wrong here: they are computed in loops");
        return;
      }
      if (share < GAIN) {
        LOG.info(
            "Products with sparse samples are computed in vectors of {}, in {} of the loops' time",
            vectors.lanes(),
            String.format(Locale.ROOT, "%.2f", share));
        ready.complete(vectors);
        return;
      }
    }
    LOG.info("Products with sparse samples are computed in loops: vectors are not faster here");
  }
}
