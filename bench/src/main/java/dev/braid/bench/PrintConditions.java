package dev.braid.bench;

/** Prints the conditions of a script's measurements. */
public final class PrintConditions {

  private PrintConditions() {}

  /** Prints the conditions; takes no arguments. */
  public static void main(String[] args) {
    System.out.print(Conditions.here());
  }
}
