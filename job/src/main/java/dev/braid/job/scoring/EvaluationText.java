package dev.braid.job.scoring;

import dev.braid.files.Printable;
import java.util.List;

/** How well a model does, in words or as JSON. */
interface EvaluationText {

  /** A longer name is cut off. */
  int LONGEST_NAME = 20;

  /** The whole as a line of JSON. */
  String toJson(String model, String data);

  /** For a terminal. */
  List<String> lines();

  /** Names are somebody else's: they may be long, or steer a terminal. */
  static String shown(String name) {
    String plain = Printable.of(name);
    return plain.length() <= LONGEST_NAME ? plain : plain.substring(0, LONGEST_NAME - 1) + "…";
  }

  /** How wide a column of these names is, below its heading. */
  static int width(List<String> names, String heading) {
    return Math.max(
        names.stream().mapToInt(name -> shown(name).length()).max().orElse(1), heading.length());
  }
}
