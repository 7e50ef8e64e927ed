package dev.braid.learner.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.memory.Deallocatable;
import org.nd4j.linalg.api.memory.Deallocator;
import org.nd4j.linalg.factory.Nd4j;

class NativeGarbageTest {

  /** Memory that ND4J frees in the same way as an array. */
  private record Memory(String getUniqueId, Deallocator deallocator) implements Deallocatable {
    @Override
    public int targetDevice() {
      return 0;
    }
  }

  @BeforeAll
  static void load() {
    NativeMath.useOneThread();
  }

  @Test
  void memoryIsFreedAWhileAfterNobodyCanReachIt() {
    CompletableFuture<Long> freed = new CompletableFuture<>();
    long reachable = System.nanoTime();
    allocate(() -> freed.complete(System.nanoTime()));

    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              System.gc();
              return freed.isDone();
            });
    assertThat(freed.join() - reachable).isGreaterThanOrEqualTo(NativeGarbage.HELD.toNanos());
  }

  private static void allocate(Deallocator deallocator) {
    Nd4j.getDeallocatorService().pickObject(new Memory("a test's", deallocator));
  }

  @Test
  void aProcessHasOneThreadForIt() {
    NativeMath.useOneThread();
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().equals("braid-native-garbage"))
        .hasSize(1);
  }
}
