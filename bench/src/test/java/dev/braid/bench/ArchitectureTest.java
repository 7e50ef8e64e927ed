package dev.braid.bench;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.braid.bench.allreduce.AllreduceBenchmark;
import dev.braid.broker.Broker;
import dev.braid.chaos.Chaos;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.fault.FaultPlan;
import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.random.RandomFaultSchedules;
import dev.braid.codec.DenseCodec;
import dev.braid.coding.GradientCode;
import dev.braid.connectors.source.SampleSource;
import dev.braid.cost.BandwidthCost;
import dev.braid.exchange.allreduce.RingAllreduce;
import dev.braid.exchange.async.Ako;
import dev.braid.exchange.coded.CodedDescriptor;
import dev.braid.exchange.collective.SubtreeSum;
import dev.braid.exchange.compression.Compressed;
import dev.braid.exchange.fttree.BraidedTree;
import dev.braid.exchange.membership.Arbiter;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.SynchronousServers;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.transport.Transport;
import dev.braid.files.WholeFile;
import dev.braid.job.Main;
import dev.braid.learner.Learner;
import dev.braid.ledger.Ledger;
import dev.braid.loop.Loop;
import dev.braid.topology.BackupTree;
import dev.braid.vector.Vectors;
import dev.braid.wire.SerializedType;
import dev.braid.worker.WorkerConfig;
import java.time.Clock;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Imports point one way, and the algorithms are pure: the design's rules, over all modules. A rule
 * is about packages that each name one of their classes, so that none is about an empty set; and
 * what it forbids is found in classes that do it.
 */
class ArchitectureTest {

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.braid");

  /** A package with all below it, and one of its classes. */
  private record Part(String name, Class<?> member) {

    Part {
      assertThat(ALL.contain(member)).as("%s is among the classes", member).isTrue();
      assertThat((member.getPackageName() + ".").startsWith(name + "."))
          .as("%s is in %s", member, name)
          .isTrue();
    }

    String root() {
      return name + "..";
    }
  }

  private static final Part VECTOR = new Part("dev.braid.vector", Vectors.class);
  private static final Part TOPOLOGY = new Part("dev.braid.topology", BackupTree.class);
  private static final Part CODING = new Part("dev.braid.coding", GradientCode.class);
  private static final Part CODEC = new Part("dev.braid.codec", DenseCodec.class);
  private static final Part COST = new Part("dev.braid.cost", BandwidthCost.class);
  private static final Part EXCHANGE = new Part("dev.braid.exchange", ExchangeType.class);
  private static final Part LEARNER = new Part("dev.braid.learner", Learner.class);
  private static final Part LEDGER = new Part("dev.braid.ledger", Ledger.class);
  private static final Part LOOP = new Part("dev.braid.loop", Loop.class);
  private static final Part WORKER = new Part("dev.braid.worker", WorkerConfig.class);
  private static final Part FILES = new Part("dev.braid.files", WholeFile.class);
  private static final Part WIRE = new Part("dev.braid.wire", SerializedType.class);
  private static final Part CONNECTORS = new Part("dev.braid.connectors", SampleSource.class);
  private static final Part CHAOS = new Part("dev.braid.chaos", Chaos.class);
  private static final Part EVENT = new Part("dev.braid.chaos.event", ChaosEvent.class);
  private static final Part FAULT = new Part("dev.braid.chaos.fault", FaultPlan.class);
  private static final Part SHAPE = new Part("dev.braid.chaos.shape", LinkShape.class);
  private static final Part SIMULATOR = new Part("dev.braid.chaos.sim", Simulation.class);
  private static final Part BROKER = new Part("dev.braid.broker", Broker.class);
  private static final Part JOB = new Part("dev.braid.job", Main.class);
  private static final Part BENCH = new Part("dev.braid.bench", AllreduceBenchmark.class);

  /** The algorithms. */
  private static final Part[] PURE = {VECTOR, TOPOLOGY, CODING, CODEC, COST, EXCHANGE};

  private static final Part[] OPERATORS = and(PURE, LEARNER, LEDGER, LOOP, WORKER, FILES, WIRE);
  private static final Part[] MODULES = and(OPERATORS, CONNECTORS, CHAOS, BROKER, JOB, BENCH);

  /** What becomes of messages, which is the same in every run with the same seed. */
  private static final Part[] FAULTS = {EVENT, FAULT, SHAPE, SIMULATOR};

  // ---- what imports what ---------------------------------------------------------------------

  @Test
  void allClassesAreInPackagesThatTheRulesKnow() {
    classes().should().resideInAnyPackage(roots(MODULES)).check(ALL);
  }

  // A list of what may be imported keeps Flink, ND4J and whatever comes later out.

  @Test
  void vectorIsTheGround() {
    dependsOnlyOn(VECTOR);
  }

  @Test
  void topologyKnowsRanksOnly() {
    dependsOnlyOn(TOPOLOGY);
  }

  @Test
  void codingKnowsTopologies() {
    dependsOnlyOn(CODING, TOPOLOGY);
  }

  @Test
  void costKnowsNumbersTopologiesAndCodes() {
    dependsOnlyOn(COST, TOPOLOGY, CODING);
  }

  @Test
  void codecKnowsVectors() {
    dependsOnlyOn(CODEC, VECTOR);
  }

  @Test
  void exchangeKnowsWhatItSendsAndToWhom() {
    dependsOnlyOn(EXCHANGE, TOPOLOGY, VECTOR, CODEC, COST, CODING);
  }

  /** What neighbourhoods of the exchanges stand on, each on those before it. */
  private static final List<Part> GROUND =
      List.of(
          new Part("dev.braid.exchange.participation", Participation.class),
          new Part("dev.braid.exchange.state", StateKind.class),
          new Part("dev.braid.exchange.option", ExchangeOption.class),
          new Part("dev.braid.exchange.message", Message.class),
          new Part("dev.braid.exchange.transport", Transport.class),
          new Part("dev.braid.exchange.membership", Arbiter.class),
          new Part("dev.braid.exchange.collective", SubtreeSum.class),
          new Part("dev.braid.exchange.compression", Compressed.class));

  /** The algorithms, which know nothing of each other. */
  private static final List<Part> NEIGHBOURHOODS =
      List.of(
          new Part("dev.braid.exchange.allreduce", RingAllreduce.class),
          new Part("dev.braid.exchange.fttree", BraidedTree.class),
          new Part("dev.braid.exchange.server", SynchronousServers.class),
          new Part("dev.braid.exchange.async", Ako.class),
          new Part("dev.braid.exchange.coded", CodedDescriptor.class));

  private static final Part REGISTRY = new Part("dev.braid.exchange.registry", ExchangeType.class);

  @Test
  void neighbourhoodsOfExchangesKnowTheGroundAndNotEachOther() {
    for (int i = 0; i < GROUND.size(); i++) {
      dependsOnNone(GROUND.get(i), GROUND.subList(i + 1, GROUND.size()).toArray(new Part[0]));
      dependsOnNone(GROUND.get(i), NEIGHBOURHOODS.toArray(new Part[0]));
    }
    for (Part one : NEIGHBOURHOODS) {
      dependsOnNone(one, REGISTRY);
      dependsOnNone(
          one, NEIGHBOURHOODS.stream().filter(other -> !other.equals(one)).toArray(Part[]::new));
    }
    classes()
        .that()
        .resideInAPackage("dev.braid.exchange")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.braid.exchange",
            "dev.braid.exchange.message",
            "dev.braid.exchange.option",
            "dev.braid.exchange.participation",
            "dev.braid.exchange.state",
            VECTOR.root(),
            COST.root(),
            CODING.root(),
            "java..")
        .check(in(EXCHANGE));
  }

  @Test
  void learnerKnowsNoOperator() {
    dependsOnNone(LEARNER, EXCHANGE, LOOP, WORKER);
    noClasses().should().dependOnClassesThat().resideInAPackage(FLINK).check(in(LEARNER));
  }

  @Test
  void filesKnowNothingElseOfBraid() {
    dependsOnNone(FILES, PURE);
    dependsOnNone(FILES, LEARNER, LEDGER, LOOP, WORKER);
  }

  @Test
  void wireKnowsNothingElseOfBraid() {
    dependsOnNone(WIRE, PURE);
    dependsOnNone(WIRE, LEARNER, LEDGER, LOOP, WORKER, FILES);
  }

  @Test
  void loopKnowsNoWorker() {
    dependsOnNone(LOOP, WORKER, LEARNER, TOPOLOGY, COST);
  }

  @Test
  void workerKnowsNoAlgorithm() {
    dependsOnNone(WORKER, TOPOLOGY, COST);
  }

  @Test
  void modulesAreImportedOneWay() {
    for (Part part : OPERATORS) {
      dependsOnNone(part, CONNECTORS, CHAOS, BROKER, JOB, BENCH);
    }
    dependsOnNone(CONNECTORS, CHAOS, BROKER, JOB, BENCH);
    dependsOnNone(CHAOS, CONNECTORS, BROKER, JOB, BENCH);
    dependsOnNone(JOB, BROKER, BENCH);
    dependsOnNone(BENCH, BROKER);
  }

  /** It has a process and a class path of its own. */
  @Test
  void brokerKnowsNothingElseOfBraid() {
    dependsOnNone(BROKER, and(OPERATORS, CONNECTORS, CHAOS, JOB, BENCH));
  }

  @Test
  void faultsAndTheSimulatorNeedNoFlink() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(FLINK, "org.apache.kafka..", "org.nd4j..", "org.deeplearning4j..")
        .check(in(FAULT, SHAPE, SIMULATOR));
  }

  @Test
  void noCycles() {
    slices().matching("dev.braid.(*)..").should().beFreeOfCycles().check(ALL);
  }

  /** With all that is below it apart: a package and one in it are two. */
  @Test
  void noCyclesBetweenPackages() {
    slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(ALL);
  }

  private static final SliceAssignment PACKAGES =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
          return SliceIdentifier.of(javaClass.getPackageName());
        }

        @Override
        public String getDescription() {
          return "packages";
        }
      };

  /** Of a package, its page apart. */
  private static final int MOST_FILES = 22;

  /** A package is read as a whole. */
  @Test
  void aPackageHasFewFiles() {
    Map<String, Set<String>> files =
        ALL.stream()
            .filter(c -> !c.getSimpleName().equals("package-info"))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getPackageName,
                    Collectors.mapping(
                        c -> c.getSource().flatMap(Source::getFileName).orElseThrow(),
                        Collectors.toSet())));
    assertThat(files)
        .isNotEmpty()
        .allSatisfy((name, own) -> assertThat(own).as(name).hasSizeLessThanOrEqualTo(MOST_FILES));
  }

  /** Whoever reads a name knows which class it is. */
  @Test
  void noTwoClassesHaveOneName() {
    Map<String, List<String>> bySimpleName =
        ALL.stream()
            .filter(c -> c.isTopLevelClass() && !c.getSimpleName().equals("package-info"))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    assertThat(bySimpleName)
        .isNotEmpty()
        .allSatisfy((name, classes) -> assertThat(classes).as(name).hasSize(1));
  }

  // ---- Flink's internals ---------------------------------------------------------------------

  private static final String FLINK = "org.apache.flink..";

  /** What operators, sources and exceptions of Flink's public interface take and give. */
  private static final Set<String> PUBLIC_ALTHOUGH_RUNTIME =
      Set.of(
          "org.apache.flink.runtime.execution.SuppressRestartsException",
          "org.apache.flink.runtime.state.StateInitializationContext",
          "org.apache.flink.runtime.state.StateSnapshotContext",
          "org.apache.flink.runtime.throwable.ThrowableAnnotation",
          "org.apache.flink.runtime.throwable.ThrowableType",
          "org.apache.flink.streaming.runtime.streamrecord.StreamRecord",
          "org.apache.flink.streaming.runtime.tasks.ProcessingTimeService");

  private static final DescribedPredicate<JavaClass> INTERNAL =
      resideInAnyPackage("org.apache.flink.runtime..", "org.apache.flink.streaming.runtime..")
          .and(
              not(
                  describe(
                      "public", (JavaClass c) -> PUBLIC_ALTHOUGH_RUNTIME.contains(c.getName()))))
          .or(nameMatching(".*\\.CoordinatedOperatorFactory"))
          .as("Flink's internals");

  /**
   * What starts an embedded Flink that ends with its job, guards its web server, tells a cluster's
   * scheduler with how few slots a job runs, reads the metadata and the states of a checkpoint, and
   * tells Flink's version: none of which Flink has a public interface for.
   */
  private static final Set<String> JOBS_EXCEPTIONS =
      Set.of(
          "dev.braid.job.engine.ElasticJob",
          "dev.braid.job.engine.EmbeddedFlink",
          "dev.braid.job.restore.JavaObjectsCheck",
          "dev.braid.job.engine.ReadOnlyWeb",
          "dev.braid.job.restore.RestoreCheck",
          "dev.braid.job.restore.SavedElements",
          "dev.braid.job.restore.SavedRun",
          "dev.braid.job.restore.StateFilesCheck",
          "dev.braid.job.report.shown.History");

  /** Coordinators and the job graph are Flink's own affair and change without notice. */
  @Test
  void onlyLoopTouchesFlinksInternals() {
    assertThat(JOBS_EXCEPTIONS).allMatch(ALL::contain);
    DescribedPredicate<JavaClass> excepted =
        describe(
            "one of Job's exceptions",
            c -> JOBS_EXCEPTIONS.contains(c.getName().replaceFirst("\\$.*", "")));
    JavaClasses checked = ALL.that(not(resideInAnyPackage(LOOP.root())).and(not(excepted)));

    noClasses().should().dependOnClassesThat(INTERNAL).check(checked);
    noClasses().should().callMethodWhere(coLocates()).check(checked);
    assertFinds(noClasses().should().dependOnClassesThat(INTERNAL), in(LOOP));
    assertFinds(noClasses().should().callMethodWhere(coLocates()), in(LOOP));
  }

  private static DescribedPredicate<JavaAccess<?>> coLocates() {
    return describe(
        "puts operators together", access -> access.getName().equals("setCoLocationGroupKey"));
  }

  // ---- purity --------------------------------------------------------------------------------

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

  /** Whatever its seed is: algorithms take a generator as an argument. */
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

  /** A command, which runs simulations on all cores and tells how long they take. */
  private static final DescribedPredicate<JavaClass> COMMAND =
      assignableTo(RandomFaultSchedules.class);

  @Test
  void algorithmsStartNoThread() {
    NO_THREAD.check(in(PURE));
    NO_THREAD.check(in(FAULTS).that(not(COMMAND)));
    assertFinds(NO_THREAD, in(SIMULATOR).that(COMMAND));
  }

  @Test
  void algorithmsReadNoClock() {
    NO_CLOCK.check(in(PURE));
    NO_CLOCK.check(in(FAULTS).that(not(COMMAND)));
    assertFinds(NO_CLOCK, in(SIMULATOR).that(COMMAND));
  }

  @Test
  void algorithmsMakeNoGenerator() {
    NO_GENERATOR.check(in(PURE));
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

  // --------------------------------------------------------------------------------------------

  private static void assertFinds(ArchRule rule, JavaClasses classes) {
    assertThat(rule.evaluate(classes).hasViolation()).as(rule.getDescription()).isTrue();
  }

  /** An access is a call or a method reference. */
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

  private static void dependsOnlyOn(Part part, Part... others) {
    String[] allowed =
        Stream.concat(
                Stream.of("java..", "com.google.errorprone.annotations..", part.root()),
                Stream.of(roots(others)))
            .toArray(String[]::new);
    classes().should().onlyDependOnClassesThat().resideInAnyPackage(allowed).check(in(part));
  }

  private static void dependsOnNone(Part part, Part... others) {
    noClasses().should().dependOnClassesThat().resideInAnyPackage(roots(others)).check(in(part));
  }

  private static JavaClasses in(Part... parts) {
    return ALL.that(resideInAnyPackage(roots(parts)));
  }

  private static String[] roots(Part... parts) {
    return Arrays.stream(parts).map(Part::root).toArray(String[]::new);
  }

  private static Part[] and(Part[] some, Part... others) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(others)).toArray(Part[]::new);
  }
}
