package dev.braid.job.result;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Statuses of runs for tests. */
public final class Statuses {

  private Statuses() {}

  /** Of a run that has just begun, and has these notes. */
  public static Status noting(String... notes) {
    return new Status(
        1,
        10,
        4,
        4,
        0,
        0,
        0,
        0,
        OptionalDouble.empty(),
        0,
        0,
        0,
        List.of(),
        List.of(),
        List.of(),
        List.of(notes),
        List.of(),
        Optional.empty());
  }
}
