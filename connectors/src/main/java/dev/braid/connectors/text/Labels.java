package dev.braid.connectors.text;

import dev.braid.connectors.file.Texts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The assignment of labels, which are numbers or texts, to classes. */
public final class Labels {

  private final List<String> names;
  private final Map<String, Integer> classes = new HashMap<>();
  private final boolean numbers;

  /**
   * @param names the label of each class
   */
  public Labels(List<String> names) {
    this.names = names;
    for (int i = 0; i < names.size(); i++) {
      classes.put(names.get(i), i);
    }
    this.numbers = names.stream().allMatch(name -> name.matches("0|-?[1-9]\\d{0,8}"));
  }

  /** Returns the labels 0, 1, 2 … as texts. */
  public static List<String> numbered(int classes) {
    return IntStream.range(0, classes).mapToObj(Integer::toString).toList();
  }

  /** Returns whether no label is known. */
  boolean isEmpty() {
    return names.isEmpty();
  }

  /**
   * Returns whether a cell has no label: it is empty, or marks a missing value and is not a class
   * itself.
   */
  boolean isMissing(String cell) {
    return cell.isEmpty() || (!names.isEmpty() && Missing.is(cell) && !classes.containsKey(cell));
  }

  /**
   * Returns the class of a cell.
   *
   * @throws dev.braid.connectors.file.InvalidDataException if the cell has no label, or an unknown
   *     one
   */
  int classOf(TextPlace place, String cell) {
    if (isMissing(cell)) {
      throw place.error("no label: %s: %s".formatted(Texts.quote(cell), describe()));
    }
    return numbers
        ? classOf(place, place.line(), place.parseLabel(cell))
        : find(cell, place, place.line());
  }

  /** Returns the class of a label that is a number. */
  int classOf(TextPlace place, int line, int label) {
    return find(Integer.toString(label), place, line);
  }

  /** Returns the class of a label that is a number; -1 if no class has this label. */
  public int classOf(int label) {
    return classes.getOrDefault(Integer.toString(label), -1);
  }

  private int find(String label, TextPlace place, int line) {
    Integer found = classes.get(label);
    if (found == null) {
      throw place.error(line, "label " + Texts.shorten(label) + ": " + describe());
    }
    return found;
  }

  /** Returns a description of all labels. */
  public String describe() {
    int last = names.size() - 1;
    return names.get(0).equals("0") && names.get(last).equals(Integer.toString(last)) && numbers
        ? "0 to " + last + " are the labels of " + names.size() + " classes"
        : "the labels are " + Texts.list(names);
  }
}
