package dev.braid.job.scoring;

import dev.braid.text.Printable;
import java.util.List;

/** Evaluation of a model, as text or as JSON. */
interface EvaluationText {

  /** Length at which longer names are cut, in characters. */
  int LONGEST_NAME = 20;

  /** Returns all figures as a line of JSON. */
  String toJson(String model, String data);

  /** Returns lines for a terminal. */
  List<String> lines();

  /** Shortens and escapes a foreign name, which may be long or contain control characters. */
  static String shown(String name) {
    String plain = Printable.of(name);
    return plain.length() <= LONGEST_NAME ? plain : plain.substring(0, LONGEST_NAME - 1) + "…";
  }

  /** Returns the width of a column of names below its heading, in characters. */
  static int width(List<String> names, String heading) {
    return Math.max(
        names.stream().mapToInt(name -> shown(name).length()).max().orElse(1), heading.length());
  }
}
