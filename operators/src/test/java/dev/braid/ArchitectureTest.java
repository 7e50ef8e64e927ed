package dev.braid;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** Imports point one way, and the algorithms are pure: the design's rules, held by a test. */
@AnalyzeClasses(packages = "dev.braid", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String VECTOR = "dev.braid.vector..";
  private static final String TOPOLOGY = "dev.braid.topology..";
  private static final String EXCHANGE = "dev.braid.exchange..";
  private static final String CODEC = "dev.braid.codec..";
  private static final String COST = "dev.braid.cost..";
  private static final String LEARNER = "dev.braid.learner..";
  private static final String LOOP = "dev.braid.loop..";
  private static final String WORKER = "dev.braid.worker..";

  private static final String[] PURE = {VECTOR, TOPOLOGY, EXCHANGE, CODEC, COST};

  // A list of what may be imported keeps Flink, ND4J and whatever comes later out.

  @ArchTest static final ArchRule VECTOR_IS_THE_GROUND = dependsOnlyOn(VECTOR);

  @ArchTest static final ArchRule TOPOLOGY_KNOWS_RANKS_ONLY = dependsOnlyOn(TOPOLOGY);

  @ArchTest static final ArchRule COST_KNOWS_NUMBERS_ONLY = dependsOnlyOn(COST);

  @ArchTest static final ArchRule CODEC_KNOWS_VECTORS = dependsOnlyOn(CODEC, VECTOR);

  @ArchTest
  static final ArchRule EXCHANGE_KNOWS_WHAT_IT_SENDS_AND_TO_WHOM =
      dependsOnlyOn(EXCHANGE, TOPOLOGY, VECTOR, CODEC, COST);

  @ArchTest
  static final ArchRule PURE_PACKAGES_START_NO_THREAD =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Executor.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Timer.class)
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.concurrent\\.(Executors|CompletableFuture|FutureTask)")
          .orShould()
          .callMethodWhere(target(name("parallel")))
          .orShould()
          .callMethodWhere(target(name("parallelStream")))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule PURE_PACKAGES_READ_NO_CLOCK =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          // An access is a call or a method reference.
          .accessTargetWhere(
              targetOwner(type(System.class))
                  .and(JavaAccess.Predicates.target(nameMatching("nanoTime|currentTimeMillis"))))
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Instant.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.time\\.(Local|Zoned|Offset)?Date(Time)?|java\\.util\\.Date")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule PURE_PACKAGES_DRAW_NO_RANDOMNESS_OF_THEIR_OWN =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .callConstructor(Random.class)
          .orShould()
          .callConstructor(SplittableRandom.class)
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.concurrent\\.ThreadLocalRandom|java\\.util\\.UUID")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule LEARNER_KNOWS_NO_OPERATOR =
      noClasses()
          .that()
          .resideInAPackage(LEARNER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.flink..", EXCHANGE, LOOP, WORKER)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule LOOP_KNOWS_NO_WORKER =
      noClasses()
          .that()
          .resideInAPackage(LOOP)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(WORKER, LEARNER, TOPOLOGY, COST)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule WORKER_KNOWS_NO_ALGORITHM =
      noClasses()
          .that()
          .resideInAPackage(WORKER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(TOPOLOGY, COST)
          .allowEmptyShould(true);

  /** Coordinators and the job graph are Flink's own affair and change without notice. */
  @ArchTest
  static final ArchRule ONLY_LOOP_TOUCHES_FLINKS_INTERNALS =
      noClasses()
          .that()
          .resideOutsideOfPackage(LOOP)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.flink.runtime.operators.coordination..",
              "org.apache.flink.runtime.jobgraph..")
          .orShould()
          .dependOnClassesThat()
          .haveSimpleName("CoordinatedOperatorFactory")
          .orShould()
          .callMethodWhere(target(name("setCoLocationGroupKey")))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("dev.braid.(*)..").should().beFreeOfCycles().allowEmptyShould(true);

  private static ArchRule dependsOnlyOn(String own, String... others) {
    String[] allowed =
        Stream.concat(
                Stream.of(own, "java..", "com.google.errorprone.annotations.."), Stream.of(others))
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(own)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .allowEmptyShould(true);
  }
}
