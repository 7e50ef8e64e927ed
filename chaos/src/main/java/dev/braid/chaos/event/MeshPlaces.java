package dev.braid.chaos.event;

import dev.braid.topology.Mesh;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ranks by their places in a mesh as users type them: rows and columns, from 0. */
final class MeshPlaces {

  private static final String MANY = "[0-9]{1,5}(?:,[0-9]{1,5}){0,31}";
  private static final Pattern BLOCK =
      Pattern.compile("(" + MANY + ")\\+([0-9]{1,5}(?:x[0-9]{1,5}){0,31})");
  private static final Pattern LINK = Pattern.compile("(" + MANY + ")-(" + MANY + ")");

  private MeshPlaces() {}

  /**
   * Returns the ranks of a block, which is typed as its first row and column, and its numbers of
   * rows and columns.
   *
   * @throws InvalidEventException if the mesh has no such block
   */
  static List<Integer> block(String typed, Mesh mesh) throws InvalidEventException {
    Matcher form = BLOCK.matcher(typed);
    if (!form.matches()) {
      throw new InvalidEventException(
          "block "
              + Fields.shorten(typed)
              + ": must be first row and column, then rows x columns, such as 2,4+2x2");
    }
    try {
      return Arrays.stream(mesh.block(numbers(form.group(1), ","), numbers(form.group(2), "x")))
          .boxed()
          .toList();
    } catch (IllegalArgumentException e) {
      throw new InvalidEventException(
          "block %s: not in a mesh of %s, whose rows and columns count from 0"
              .formatted(Fields.shorten(typed), mesh),
          e);
    }
  }

  /**
   * Returns the link between two adjacent places.
   *
   * @throws InvalidEventException if the mesh has no such link
   */
  static Link link(String typed, Mesh mesh) throws InvalidEventException {
    Matcher form = LINK.matcher(typed);
    if (!form.matches()) {
      throw new InvalidEventException(
          "places "
              + Fields.shorten(typed)
              + ": must be row and column of two ranks, such as 0,1-0,2");
    }
    List<Integer> from = numbers(form.group(1), ",");
    List<Integer> to = numbers(form.group(2), ",");
    if (!mesh.contains(from)
        || !mesh.contains(to)
        || !mesh.areNeighbours(mesh.rankAt(from), mesh.rankAt(to))) {
      throw new InvalidEventException(
          "places %s: not a link of a mesh of %s; must be two adjacent ranks"
              .formatted(Fields.shorten(typed), mesh));
    }
    return new Link(mesh.rankAt(from), mesh.rankAt(to));
  }

  private static List<Integer> numbers(String typed, String between) {
    return Arrays.stream(typed.split(between)).map(Integer::valueOf).toList();
  }
}
