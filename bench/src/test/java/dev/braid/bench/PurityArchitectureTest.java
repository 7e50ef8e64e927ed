package dev.braid.bench;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.braid.bench.Parts.DECISIONS;
import static dev.braid.bench.Parts.FAULTS;
import static dev.braid.bench.Parts.PURE;
import static dev.braid.bench.Parts.SIMULATOR;
import static dev.braid.bench.Parts.assertFinds;
import static dev.braid.bench.Parts.in;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.braid.chaos.sim.random.RandomSearch;
import java.time.Clock;
import java.time.temporal.Temporal;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.Set;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The algorithms and the decisions about a loop are pure, and faults are the same in every run with
 * the same seed: no thread, no clock, and only random generators with a seed. Each rule is tested
 * with classes that violate it ({@link Impurities}).
 */
class PurityArchitectureTest {

  private static final ArchRule NO_THREAD =
      noClasses()
          .should()
          .dependOnClassesThat(
              assignableTo(Thread.class)
                  .or(assignableTo(Executor.class))
                  .or(assignableTo(Timer.class))
                  .or(assignableTo(CompletionStage.class))
                  .or(nameMatching("java\\.util\\.concurrent\\.(Executors|FutureTask)")))
          .orShould()
          .accessTargetWhere(calls("runs in parallel", null, "parallel", "parallelStream"));

  private static final ArchRule NO_CLOCK =
      noClasses()
          .should()
          .accessTargetWhere(
              calls("reads the clock", System.class, "nanoTime", "currentTimeMillis")
                  .or(calls("the same", Temporal.class, "now")))
          .orShould()
          .dependOnClassesThat(
              assignableTo(Clock.class)
                  .or(assignableTo(Date.class))
                  .or(assignableTo(Calendar.class)));

  private static final DescribedPredicate<JavaAccess<?>> OF_NO_SEED =
      calls("draws from a generator that all share", Math.class, "random")
          .or(calls("the same", StrictMath.class, "random"))
          .or(calls("the same", ThreadLocalRandom.class, "current"))
          .or(calls("takes any generator", RandomGenerator.class, "of", "getDefault"))
          .or(calls("the same", RandomGeneratorFactory.class, "create", "getDefault"))
          .or(calls("the same", UUID.class, "randomUUID"))
          .or(
              calls("shuffles by a generator of its own", Collections.class, "shuffle")
                  .and(describe("of no argument", access -> parameters(access) == 1)));

  /** Forbids generators with any seed, because algorithms take a generator as an argument. */
  private static final ArchRule NO_GENERATOR =
      noClasses()
          .should()
          .accessTargetWhere(OF_NO_SEED)
          .orShould()
          .accessTargetWhere(
              calls("makes a generator", RandomGenerator.class, JavaConstructor.CONSTRUCTOR_NAME));

  private static final ArchRule SEEDED =
      noClasses()
          .should()
          .accessTargetWhere(OF_NO_SEED)
          .orShould()
          .accessTargetWhere(
              calls("makes a generator", RandomGenerator.class, JavaConstructor.CONSTRUCTOR_NAME)
                  .and(describe("of no seed", access -> parameters(access) == 0)));

  /** A command, which runs simulations on all cores and measures their duration. */
  private static final DescribedPredicate<JavaClass> COMMAND = assignableTo(RandomSearch.class);

  @Test
  void algorithmsStartNoThread() {
    NO_THREAD.check(in(PURE));
    NO_THREAD.check(in(DECISIONS));
    NO_THREAD.check(in(FAULTS).that(not(COMMAND)));
    assertFinds(NO_THREAD, in(SIMULATOR).that(COMMAND));
  }

  @Test
  void algorithmsReadNoClock() {
    NO_CLOCK.check(in(PURE));
    NO_CLOCK.check(in(DECISIONS));
    NO_CLOCK.check(in(FAULTS).that(not(COMMAND)));
    assertFinds(NO_CLOCK, in(SIMULATOR).that(COMMAND));
  }

  @Test
  void algorithmsMakeNoGenerator() {
    NO_GENERATOR.check(in(PURE));
    NO_GENERATOR.check(in(DECISIONS));
  }

  @Test
  void faultsAreDrawnFromSeeds() {
    SEEDED.check(in(FAULTS));
  }

  @ParameterizedTest
  @MethodSource("dev.braid.bench.Impurities#threads")
  void aThreadIsFound(Class<?> where) {
    assertFinds(NO_THREAD, new ClassFileImporter().importClasses(where));
  }

  @ParameterizedTest
  @MethodSource("dev.braid.bench.Impurities#clocks")
  void aClockIsFound(Class<?> where) {
    assertFinds(NO_CLOCK, new ClassFileImporter().importClasses(where));
  }

  @ParameterizedTest
  @MethodSource("dev.braid.bench.Impurities#generators")
  void aGeneratorIsFound(Class<?> where) {
    assertFinds(NO_GENERATOR, new ClassFileImporter().importClasses(where));
  }

  @ParameterizedTest
  @MethodSource("dev.braid.bench.Impurities#generatorsWithoutSeed")
  void aGeneratorWithoutASeedIsFound(Class<?> where) {
    assertFinds(SEEDED, new ClassFileImporter().importClasses(where));
  }

  @Test
  void aSeededGeneratorIsOnlyForbiddenToAlgorithms() {
    JavaClasses seeded = new ClassFileImporter().importClasses(Impurities.OfSeed.class);
    SEEDED.check(seeded);
    assertFinds(NO_GENERATOR, seeded);
  }

  /** Returns a predicate for calls of methods and for references to them. */
  private static DescribedPredicate<JavaAccess<?>> calls(
      String does, Class<?> owner, String... names) {
    Set<String> all = Set.of(names);
    return describe(
        does,
        access ->
            all.contains(access.getName())
                && (owner == null || access.getTargetOwner().isAssignableTo(owner)));
  }

  private static int parameters(JavaAccess<?> access) {
    return access.getTarget() instanceof CodeUnitAccessTarget called
        ? called.getRawParameterTypes().size()
        : -1;
  }
}
