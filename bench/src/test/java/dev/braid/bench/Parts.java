package dev.braid.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.braid.api.Braid;
import dev.braid.bench.allreduce.AllreduceBenchmark;
import dev.braid.broker.Broker;
import dev.braid.chaos.Chaos;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.fault.FaultPlan;
import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.sim.Simulation;
import dev.braid.codec.DenseCodec;
import dev.braid.coding.GradientCode;
import dev.braid.connectors.source.SampleSource;
import dev.braid.cost.BandwidthCost;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.files.WholeFile;
import dev.braid.job.Main;
import dev.braid.learner.Learner;
import dev.braid.ledger.Ledger;
import dev.braid.loop.Loop;
import dev.braid.loop.coordinator.Coordinator;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.member.HoldProtocol;
import dev.braid.run.training.TrainingJob;
import dev.braid.text.Printable;
import dev.braid.topology.BackupTree;
import dev.braid.vector.Vectors;
import dev.braid.wire.SerializedType;
import dev.braid.worker.WorkerConfig;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Braid's packages, each with one of its classes, so that no rule applies to an empty set; and
 * methods that check rules.
 */
final class Parts {

  static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.braid");

  /** A package with its subpackages, and one of its classes. */
  record Part(String name, Class<?> member) {

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

  static final Part VECTOR = new Part("dev.braid.vector", Vectors.class);
  static final Part TOPOLOGY = new Part("dev.braid.topology", BackupTree.class);
  static final Part CODING = new Part("dev.braid.coding", GradientCode.class);
  static final Part CODEC = new Part("dev.braid.codec", DenseCodec.class);
  static final Part COST = new Part("dev.braid.cost", BandwidthCost.class);
  static final Part TEXT = new Part("dev.braid.text", Printable.class);
  static final Part EXCHANGE = new Part("dev.braid.exchange", ExchangeType.class);
  static final Part LEARNER = new Part("dev.braid.learner", Learner.class);
  static final Part LEDGER = new Part("dev.braid.ledger", Ledger.class);
  static final Part LOOP = new Part("dev.braid.loop", Loop.class);
  static final Part ENVELOPE = new Part("dev.braid.loop.envelope", Envelope.class);
  static final Part COORDINATOR = new Part("dev.braid.loop.coordinator", Coordinator.class);
  static final Part MEMBER = new Part("dev.braid.loop.member", HoldProtocol.class);
  static final Part WORKER = new Part("dev.braid.worker", WorkerConfig.class);
  static final Part FILES = new Part("dev.braid.files", WholeFile.class);
  static final Part WIRE = new Part("dev.braid.wire", SerializedType.class);
  static final Part CONNECTORS = new Part("dev.braid.connectors", SampleSource.class);
  static final Part CHAOS = new Part("dev.braid.chaos", Chaos.class);
  static final Part EVENT = new Part("dev.braid.chaos.event", ChaosEvent.class);
  static final Part FAULT = new Part("dev.braid.chaos.fault", FaultPlan.class);
  static final Part SHAPE = new Part("dev.braid.chaos.shape", LinkShape.class);
  static final Part SIMULATOR = new Part("dev.braid.chaos.sim", Simulation.class);
  static final Part BROKER = new Part("dev.braid.broker", Broker.class);
  static final Part RUN = new Part("dev.braid.run", TrainingJob.class);
  static final Part API = new Part("dev.braid.api", Braid.class);
  static final Part JOB = new Part("dev.braid.job", Main.class);
  static final Part BENCH = new Part("dev.braid.bench", AllreduceBenchmark.class);

  /** The algorithms. */
  static final Part[] PURE = {VECTOR, TOPOLOGY, CODING, CODEC, COST, TEXT, EXCHANGE};

  /** The decisions of the loop's coordinator and members. They are pure, like the algorithms. */
  static final Part[] DECISIONS = {COORDINATOR, MEMBER};

  static final Part[] MODULES =
      and(
          PURE,
          LEARNER,
          LEDGER,
          LOOP,
          WORKER,
          FILES,
          WIRE,
          CONNECTORS,
          CHAOS,
          BROKER,
          RUN,
          API,
          JOB,
          BENCH);

  /**
   * The packages that decide the fate of messages, which is the same in every run with the same
   * seed.
   */
  static final Part[] FAULTS = {EVENT, FAULT, SHAPE, SIMULATOR};

  /** All packages of Flink. */
  static final String FLINK = "org.apache.flink..";

  private Parts() {}

  /** Asserts that a rule detects classes that violate it. */
  static void assertFinds(ArchRule rule, JavaClasses classes) {
    assertThat(rule.evaluate(classes).hasViolation()).as(rule.getDescription()).isTrue();
  }

  static void dependsOnlyOn(Part part, Part... others) {
    String[] allowed =
        Stream.concat(
                Stream.of("java..", "com.google.errorprone.annotations..", part.root()),
                Stream.of(roots(others)))
            .toArray(String[]::new);
    classes().should().onlyDependOnClassesThat().resideInAnyPackage(allowed).check(in(part));
  }

  static void dependsOnNone(Part part, Part... others) {
    noClasses().should().dependOnClassesThat().resideInAnyPackage(roots(others)).check(in(part));
  }

  static JavaClasses in(Part... parts) {
    return ALL.that(resideInAnyPackage(roots(parts)));
  }

  static String[] roots(Part... parts) {
    return Arrays.stream(parts).map(Part::root).toArray(String[]::new);
  }

  static Part[] and(Part[] some, Part... others) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(others)).toArray(Part[]::new);
  }
}
