package dev.braid.bench;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.braid.job.Main;
import dev.braid.job.chaos.ChaosCommand;
import dev.braid.job.cli.Converters;
import dev.braid.job.compare.CompareCommand;
import dev.braid.job.console.Terminal;
import dev.braid.job.engine.TrainingJob;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.page.RunPage;
import dev.braid.job.plan.RunPlan;
import dev.braid.job.report.Report;
import dev.braid.job.restore.RestoreCheck;
import dev.braid.job.result.Status;
import dev.braid.job.scoring.EvaluateCommand;
import dev.braid.job.train.TrainCommand;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The job's rooms stand on each other one way: what a room may import is written down here, and so
 * is which class each has, so that no rule is about an empty room.
 */
class JobArchitectureTest {

  private static final String JOB = "dev.braid.job";

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(JOB);

  /**
   * A package without what is below it.
   *
   * @param member one of its classes
   * @param below the rooms that it may import
   */
  private record Room(Class<?> member, List<Room> below) {

    Room {
      assertThat(ALL.contain(member)).as("%s is among the classes", member).isTrue();
    }

    static Room of(Class<?> member, Room... below) {
      return new Room(member, List.of(below));
    }

    String name() {
      return member.getPackageName();
    }

    @Override
    public String toString() {
      return name();
    }
  }

  // What commands stand on.
  private static final Room CONSOLE = Room.of(Terminal.class);
  private static final Room RESULT = Room.of(Status.class);
  private static final Room CLI = Room.of(Converters.class, CONSOLE);
  private static final Room OPTIONS = Room.of(TrainOptions.class, CONSOLE, RESULT);

  // What a run is.
  private static final Room ENGINE = Room.of(TrainingJob.class, OPTIONS);
  private static final Room REPORT = Room.of(Report.class, RESULT);
  private static final Room PAGE = Room.of(RunPage.class, RESULT);
  private static final Room RESTORE = Room.of(RestoreCheck.class, CONSOLE, RESULT, OPTIONS, ENGINE);
  private static final Room PLAN =
      Room.of(RunPlan.class, CONSOLE, RESULT, OPTIONS, ENGINE, REPORT, RESTORE);

  // The commands, which know nothing of each other, but that a comparison is one of trainings.
  private static final Room CHAOS = Room.of(ChaosCommand.class, CONSOLE, OPTIONS);
  private static final Room SCORING = Room.of(EvaluateCommand.class, CONSOLE, RESULT, PLAN);
  private static final Room TRAIN =
      Room.of(TrainCommand.class, CONSOLE, RESULT, CLI, OPTIONS, ENGINE, REPORT, PAGE, PLAN);
  private static final Room COMPARE =
      Room.of(CompareCommand.class, CONSOLE, RESULT, OPTIONS, PAGE, PLAN, TRAIN);

  static List<Room> rooms() {
    return List.of(
        CONSOLE, RESULT, CLI, OPTIONS, ENGINE, REPORT, PAGE, RESTORE, PLAN, CHAOS, SCORING, TRAIN,
        COMPARE);
  }

  /** All others are in rooms. */
  @Test
  void onlyMainIsOutside() {
    String[] names = rooms().stream().map(Room::name).toArray(String[]::new);
    classes()
        .that()
        .doNotBelongToAnyOf(Main.class)
        .should()
        .resideInAnyPackage(names)
        .check(ALL.that(not(simpleName("package-info"))));
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void aRoomStandsOnWhatIsBelowItOnly(Room room) {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(allBut(room, room.below()))
        .check(in(room));
  }

  /**
   * What nothing needs any more is not allowed any more; and the rule above finds what it should.
   */
  @ParameterizedTest
  @MethodSource("rooms")
  void aRoomNeedsAllThatItMayImport(Room room) {
    for (Room below : room.below()) {
      ArchRule none = noClasses().should().dependOnClassesThat().resideInAPackage(below.name());
      assertThat(none.evaluate(in(room)).hasViolation())
          .as("%s stands on %s", room, below)
          .isTrue();
    }
  }

  @Test
  void thereAreNoCycles() {
    slices().matching(JOB + ".(*)..").should().beFreeOfCycles().check(ALL);
  }

  private static JavaClasses in(Room room) {
    return ALL.that(resideInAPackage(room.name()));
  }

  /** With the root, which imports them all. */
  private static String[] allBut(Room room, List<Room> allowed) {
    return Stream.concat(
            Stream.of(JOB),
            rooms().stream()
                .filter(other -> !other.equals(room) && !allowed.contains(other))
                .map(Room::name))
        .toArray(String[]::new);
  }
}
