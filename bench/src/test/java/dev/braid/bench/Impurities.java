package dev.braid.bench;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Classes that each violate one rule for algorithms, to test {@link PurityArchitectureTest}. */
final class Impurities {

  private Impurities() {}

  static Stream<Class<?>> threads() {
    return Stream.of(
        OfThread.class, OfExecutor.class, OfTimer.class, OfFuture.class, OfParallelStream.class);
  }

  static Stream<Class<?>> clocks() {
    return Stream.of(
        OfNanoTime.class,
        OfMillis.class,
        OfInstant.class,
        OfClock.class,
        OfDay.class,
        OfDate.class);
  }

  static Stream<Class<?>> generators() {
    return Stream.concat(
        generatorsWithoutSeed(),
        Stream.of(OfSeed.class, OfSplittableSeed.class, OfReference.class));
  }

  static Stream<Class<?>> generatorsWithoutSeed() {
    return Stream.of(
        OfRandom.class,
        OfSplittable.class,
        OfSecureRandom.class,
        OfThreadLocalRandom.class,
        OfMath.class,
        OfUuid.class,
        OfShuffle.class,
        OfDefault.class);
  }

  static final class OfThread {
    Object make() {
      return new Thread(() -> {});
    }
  }

  static final class OfExecutor {
    ExecutorService make() {
      return Executors.newCachedThreadPool();
    }
  }

  static final class OfTimer {
    Object make() {
      return new Timer();
    }
  }

  static final class OfFuture {
    CompletableFuture<Integer> make() {
      return CompletableFuture.supplyAsync(() -> 1);
    }
  }

  static final class OfParallelStream {
    long make() {
      return List.of(1, 2).parallelStream().count();
    }
  }

  static final class OfNanoTime {
    LongSupplier read() {
      return System::nanoTime;
    }
  }

  static final class OfMillis {
    long read() {
      return System.currentTimeMillis();
    }
  }

  static final class OfInstant {
    Object read() {
      return Instant.now();
    }
  }

  static final class OfClock {
    Object read() {
      return Clock.systemUTC();
    }
  }

  static final class OfDay {
    Object read(java.time.ZoneId zone) {
      return LocalDate.now(zone);
    }
  }

  static final class OfDate {
    @SuppressWarnings("JavaUtilDate") // The rule must detect this use.
    Object read() {
      return new Date();
    }
  }

  static final class OfRandom {
    double draw() {
      return new Random().nextDouble();
    }
  }

  static final class OfSplittable {
    double draw() {
      return new SplittableRandom().nextDouble();
    }
  }

  static final class OfSecureRandom {
    double draw() {
      return new SecureRandom().nextDouble();
    }
  }

  static final class OfThreadLocalRandom {
    double draw() {
      return ThreadLocalRandom.current().nextDouble();
    }
  }

  static final class OfMath {
    double draw() {
      return Math.random();
    }
  }

  static final class OfUuid {
    Object draw() {
      return UUID.randomUUID();
    }
  }

  static final class OfShuffle {
    void draw(List<Integer> values) {
      Collections.shuffle(values);
    }
  }

  static final class OfDefault {
    double draw() {
      return RandomGenerator.getDefault().nextDouble();
    }
  }

  static final class OfSeed {
    double draw() {
      return new Random(42).nextDouble();
    }
  }

  static final class OfSplittableSeed {
    double draw() {
      return new SplittableRandom(42).nextDouble();
    }
  }

  static final class OfReference {
    LongFunction<SplittableRandom> make() {
      return SplittableRandom::new;
    }
  }
}
