package dev.braid.bench;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The packages ("rooms") inside one package, whose dependencies have one direction. The test lists
 * for each room the rooms that it may import, and one of its classes, so that no rule applies to an
 * empty room. A room can only refer to rooms before it, so that there is no cycle.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Rooms {

  /**
   * A package without its subpackages.
   *
   * @param member one of its classes
   * @param below the rooms that it may import
   */
  record Room(Class<?> member, List<Room> below) {

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

  private final String root;
  private final List<Room> rooms;
  private final Class<?>[] outside;
  private final JavaClasses all;

  /**
   * Creates the test for the rooms of a package.
   *
   * @param rooms the rooms, each after those that it may import
   * @param outside classes of the package that are in no room
   */
  Rooms(String root, List<Room> rooms, Class<?>... outside) {
    this.root = root;
    this.rooms = rooms;
    this.outside = outside;
    this.all =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(root);
  }

  List<Room> rooms() {
    return rooms;
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void aRoomHasItsClassAndStandsOnThoseBeforeIt(Room room) {
    assertThat(all.contain(room.member())).as("%s is among the classes", room.member()).isTrue();
    assertThat(rooms.subList(0, rooms.indexOf(room))).containsAll(room.below());
  }

  @Test
  void allElseIsInRooms() {
    String[] names = rooms.stream().map(Room::name).toArray(String[]::new);
    classes()
        .that()
        .doNotBelongToAnyOf(outside)
        .should()
        .resideInAnyPackage(names)
        .check(all.that(not(simpleName("package-info"))));
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void aRoomStandsOnWhatIsBelowItOnly(Room room) {
    noClasses().should().dependOnClassesThat().resideInAnyPackage(allBut(room)).check(in(room));
  }

  /**
   * An import that is not needed must not be allowed. This also shows that the rule above detects
   * imports.
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

  private JavaClasses in(Room room) {
    return all.that(resideInAPackage(room.name()));
  }

  /**
   * Returns the names of all packages except a room, including the outer package, which may be a
   * room itself.
   */
  private String[] allBut(Room room) {
    return Stream.concat(Stream.of(root), all.stream().map(JavaClass::getPackageName))
        .distinct()
        .filter(
            name ->
                !name.equals(room.name())
                    && room.below().stream().noneMatch(below -> below.name().equals(name)))
        .toArray(String[]::new);
  }
}
