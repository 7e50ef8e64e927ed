package dev.braid.job;

import java.util.List;

/** How well a model does, in words or as JSON. */
interface EvaluationText {

  /** The whole as a line of JSON. */
  String toJson(String model, String data);

  /** For a terminal. */
  List<String> lines();
}
