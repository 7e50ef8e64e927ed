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
 * Frees what ND4J's arrays have of native memory a while after nobody can reach them any more.
 *
 * <p>ND4J would do so at once, and that is too early. It hands native code the addresses of arrays,
 * and nothing refers to an array any more while that code still computes with it. If the heap is
 * collected just then, and the thread is kept from the processor meanwhile, as on a busy machine,
 * the memory is freed in its hands: the process crashes, or a result is wrong.
 */
final class NativeGarbage {

  /** Far longer than native code computes with an array that nobody else refers to. */
  static final Duration HELD = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(NativeGarbage.class);

  private final ReferenceQueue<Deallocatable> unreachable = new ReferenceQueue<>();

  /** By ND4J's number of it: all that it has allocated and that is to be freed so. */
  private final Map<String, DeallocatableReference> allocated;

  private NativeGarbage(Map<String, DeallocatableReference> allocated) {
    this.allocated = allocated;
  }

  /** Has this done with all arrays that the process makes from now on. */
  static void hold() {
    DeallocatorService service = Nd4j.getDeallocatorService();
    // A process has one, and each job of a cluster another class of this name.
    synchronized (service) {
      try {
        begin(service);
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.warn(
            "this version of ND4J cannot be told to free memory later: a process that is busy may"
                + " crash",
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
    // It outlives the job.
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
