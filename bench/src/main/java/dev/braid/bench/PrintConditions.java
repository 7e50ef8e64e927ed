package dev.braid.bench;

/** Prints the conditions of what a script is about to measure. */
public final class PrintConditions {

  private PrintConditions() {}

  /** Takes no arguments. */
  public static void main(String[] args) {
    System.out.print(Conditions.here());
  }
}
