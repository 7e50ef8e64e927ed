package dev.braid.chaos.sim;

/** A simulation that went wrong; the message has the seed, what went wrong and how ranks stand. */
public final class SimulationFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public SimulationFailure(String message) {
    super(message);
  }

  SimulationFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
