package dev.braid.chaos.sim;

/** Thrown if a simulation fails; the message has the seed, the failure and the state of ranks. */
public final class SimulationFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public SimulationFailure(String message) {
    super(message);
  }

  public SimulationFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
