package dev.braid.bench;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.braid.bench.Parts.ALL;
import static dev.braid.bench.Parts.LOOP;
import static dev.braid.bench.Parts.assertFinds;
import static dev.braid.bench.Parts.in;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Classes that may use Flink's internal interfaces, which may change in any version. */
class FlinkInternalsArchitectureTest {

  /**
   * Types of Flink's runtime that occur in signatures of its public operators, sources and
   * exceptions.
   */
  private static final Set<String> PUBLIC_ALTHOUGH_RUNTIME =
      Set.of(
          "org.apache.flink.runtime.event.WatermarkEvent",
          "org.apache.flink.runtime.execution.SuppressRestartsException",
          "org.apache.flink.runtime.state.StateInitializationContext",
          "org.apache.flink.runtime.state.StateSnapshotContext",
          "org.apache.flink.runtime.throwable.ThrowableAnnotation",
          "org.apache.flink.runtime.throwable.ThrowableType",
          "org.apache.flink.streaming.runtime.streamrecord.LatencyMarker",
          "org.apache.flink.streaming.runtime.streamrecord.RecordAttributes",
          "org.apache.flink.streaming.runtime.streamrecord.StreamRecord",
          "org.apache.flink.streaming.runtime.tasks.ProcessingTimeService",
          "org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus");

  private static final DescribedPredicate<JavaClass> INTERNAL =
      resideInAnyPackage("org.apache.flink.runtime..", "org.apache.flink.streaming.runtime..")
          .and(
              not(
                  describe(
                      "public", (JavaClass c) -> PUBLIC_ALTHOUGH_RUNTIME.contains(c.getName()))))
          .or(nameMatching(".*\\.CoordinatedOperatorFactory"))
          .as("Flink's internals");

  /**
   * Classes of the job that need Flink's internals, because there is no public interface. They
   * start an embedded Flink that ends with its job, protect its web server, and report the smallest
   * number of slots of a job to a cluster's scheduler. They write and read the metadata and the
   * states of a checkpoint, and read Flink's version.
   */
  private static final Set<String> JOBS_EXCEPTIONS =
      Set.of(
          "dev.braid.job.engine.CheckedBackend",
          "dev.braid.job.engine.ElasticJob",
          "dev.braid.job.engine.EmbeddedFlink",
          "dev.braid.job.engine.SealedStorage",
          "dev.braid.job.restore.CheckpointDamage",
          "dev.braid.job.restore.JavaObjectsCheck",
          "dev.braid.job.engine.ReadOnlyWeb",
          "dev.braid.job.restore.RestoreCheck",
          "dev.braid.job.restore.SavedElements",
          "dev.braid.job.restore.SavedRun",
          "dev.braid.job.restore.StateFilesCheck",
          "dev.braid.job.restore.WholenessCheck",
          "dev.braid.run.report.shown.History");

  /** Coordinators and the job graph are internal to Flink, and change without notice. */
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
}
