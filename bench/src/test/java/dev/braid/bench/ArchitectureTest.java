package dev.braid.bench;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.braid.bench.Parts.ALL;
import static dev.braid.bench.Parts.API;
import static dev.braid.bench.Parts.BENCH;
import static dev.braid.bench.Parts.CODEC;
import static dev.braid.bench.Parts.CODING;
import static dev.braid.bench.Parts.COORDINATOR;
import static dev.braid.bench.Parts.COST;
import static dev.braid.bench.Parts.ENVELOPE;
import static dev.braid.bench.Parts.EXCHANGE;
import static dev.braid.bench.Parts.FAULT;
import static dev.braid.bench.Parts.FILES;
import static dev.braid.bench.Parts.FLINK;
import static dev.braid.bench.Parts.LEARNER;
import static dev.braid.bench.Parts.LEDGER;
import static dev.braid.bench.Parts.LOOP;
import static dev.braid.bench.Parts.MEMBER;
import static dev.braid.bench.Parts.MODULES;
import static dev.braid.bench.Parts.PURE;
import static dev.braid.bench.Parts.RUN;
import static dev.braid.bench.Parts.SHAPE;
import static dev.braid.bench.Parts.SIMULATOR;
import static dev.braid.bench.Parts.TOPOLOGY;
import static dev.braid.bench.Parts.VECTOR;
import static dev.braid.bench.Parts.WIRE;
import static dev.braid.bench.Parts.WORKER;
import static dev.braid.bench.Parts.dependsOnNone;
import static dev.braid.bench.Parts.dependsOnlyOn;
import static dev.braid.bench.Parts.in;
import static dev.braid.bench.Parts.roots;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.braid.bench.Parts.Part;
import dev.braid.exchange.allreduce.RingAllreduce;
import dev.braid.exchange.async.Ako;
import dev.braid.exchange.coded.CodedDescriptor;
import dev.braid.exchange.collective.SubtreeSum;
import dev.braid.exchange.compression.GradientCompression;
import dev.braid.exchange.fttree.BraidedTree;
import dev.braid.exchange.membership.Arbiter;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.server.SynchronousServers;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.transport.Transport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The design's rules that Maven does not enforce: imports between packages of a module have one
 * direction, and packages are small enough to be read as a whole.
 */
class ArchitectureTest {

  @Test
  void allClassesAreInPackagesThatTheRulesKnow() {
    classes().should().resideInAnyPackage(roots(MODULES)).check(ALL);
  }

  // A list of allowed imports excludes Flink, ND4J and any future library.

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

  /** Packages on which the exchanges are based, each only on those before it. */
  private static final List<Part> GROUND =
      List.of(
          new Part("dev.braid.exchange.participation", Participation.class),
          new Part("dev.braid.exchange.state", StateKind.class),
          new Part("dev.braid.exchange.option", ExchangeOption.class),
          new Part("dev.braid.exchange.message", Message.class),
          new Part("dev.braid.exchange.transport", Transport.class),
          new Part("dev.braid.exchange.membership", Arbiter.class),
          new Part("dev.braid.exchange.collective", SubtreeSum.class),
          new Part("dev.braid.exchange.compression", GradientCompression.class),
          new Part("dev.braid.exchange.runner", ExchangeRunner.class));

  /** The algorithms, which are independent of each other. */
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
  void learnerKnowsNoExchange() {
    dependsOnNone(LEARNER, EXCHANGE, LOOP);
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
  void coordinatorKnowsViewsOnly() {
    dependsOnlyOn(COORDINATOR, EXCHANGE);
  }

  @Test
  void memberKnowsItsCoordinatorAndMessages() {
    dependsOnlyOn(MEMBER, EXCHANGE, COORDINATOR, ENVELOPE);
  }

  @Test
  void workerKnowsNoAlgorithm() {
    dependsOnNone(WORKER, TOPOLOGY, COST);
  }

  /** The trainer is in a package with its Flink operator; simulations run it without Flink. */
  @Test
  void trainerNeedsNoFlink() {
    noClasses()
        .that()
        .resideInAPackage("dev.braid.worker")
        .and()
        .haveNameNotMatching(".*\\.(Worker|LaterReports|DivergedException).*")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(FLINK)
        .check(ALL);
  }

  /** Both are parts of the same module. */
  @Test
  void runsKnowNoPublicApi() {
    dependsOnNone(RUN, API);
  }

  @Test
  void faultsAndTheSimulatorNeedNoFlink() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(FLINK, "org.apache.kafka..", "org.nd4j..", "org.deeplearning4j..")
        .check(in(FAULT, SHAPE, SIMULATOR));
  }

  /** The simulator runs the code of all modules, and only benchmarks know it. */
  @Test
  void noCycles() {
    slices()
        .matching("dev.braid.(*)..")
        .should()
        .beFreeOfCycles()
        .check(ALL.that(not(resideInAPackage(SIMULATOR.root()))));
    noClasses()
        .that()
        .resideOutsideOfPackages(SIMULATOR.root(), BENCH.root())
        .should()
        .dependOnClassesThat()
        .resideInAPackage(SIMULATOR.root())
        .check(ALL);
  }

  /** A package and its subpackages count as different packages. */
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

  /** Highest number of files in a package, without package-info. */
  private static final int MOST_FILES = 22;

  /** A package must be small enough to be read as a whole. */
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

  /** A simple name must identify one class. */
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
}
