package dev.braid.learner.math;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.nd4j.linalg.api.memory.Deallocatable;
import org.nd4j.linalg.api.memory.deallocation.DeallocatableReference;
import org.nd4j.linalg.api.memory.deallocation.DeallocatorService;
import org.nd4j.linalg.factory.Nd4j;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees the native memory of ND4J's arrays one second after they become unreachable.
 *
 * <p>ND4J frees it at once, which is too early. It passes the addresses of arrays to native code,
 * and nothing keeps the arrays reachable until that code returns. A garbage collection may then
 * free memory that the native code still reads. This happens on a busy machine, where the thread
 * loses the processor during the call: the process crashes, or a result is wrong.
 */
final class NativeGarbage {

  /** Delay before freeing: far longer than one native operation on an array takes. */
  static final Duration HELD = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(NativeGarbage.class);

  private final ReferenceQueue<Deallocatable> unreachable = new ReferenceQueue<>();

  /** ND4J's references to everything that it has allocated, by ID. */
  private final Map<String, DeallocatableReference> allocated;

  private NativeGarbage(Map<String, DeallocatableReference> allocated) {
    this.allocated = allocated;
  }

  /** Delays freeing for all arrays that the process allocates from now on. Idempotent. */
  static void hold() {
    DeallocatorService service = Nd4j.getDeallocatorService();
    // The process shares the service; each job's class loader has its own copy of this class.
    synchronized (service) {
      try {
        begin(service);
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.warn(
            "this version of ND4J does not let Braid delay the freeing of native memory: the"
                + " process may crash under load",
            e);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static void begin(DeallocatorService service) throws ReflectiveOperationException {
    List<?> own = Arrays.asList((Object[]) field(service, "queues"));
    var ofDevices = (List<List<ReferenceQueue<Deallocatable>>>) field(service, "deviceMap");
    if (!own.containsAll(ofDevices.get(0))) {
      return;
    }
    NativeGarbage garbage =
        new NativeGarbage((Map<String, DeallocatableReference>) field(service, "referenceMap"));
    Thread thread = new Thread(garbage::free, "braid-native-garbage");
    thread.setDaemon(true);
    // The thread outlives the job and must not keep its class loader as context.
    thread.setContextClassLoader(Nd4j.class.getClassLoader());
    thread.start();
    ofDevices.forEach(queues -> queues.replaceAll(queue -> garbage.unreachable));
  }

  private static Object field(DeallocatorService service, String name)
      throws ReflectiveOperationException {
    Field field = DeallocatorService.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(service);
  }

  private void free() {
    List<DeallocatableReference> found = new ArrayList<>();
    try {
      while (true) {
        Reference<?> next = unreachable.remove();
        while (next != null) {
          found.add((DeallocatableReference) next);
          next = unreachable.poll();
        }
        Thread.sleep(HELD.toMillis());
        for (DeallocatableReference garbage : found) {
          garbage.getDeallocator().deallocate();
          allocated.remove(garbage.getId());
        }
        found.clear();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
