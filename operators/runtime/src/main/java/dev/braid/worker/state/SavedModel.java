package dev.braid.worker.state;

import dev.braid.exchange.state.StateFormat;
import dev.braid.exchange.state.StateKind;
import java.io.IOException;
import java.util.Optional;

/**
 * A summary of the model that the workers have saved, for use before a job restores it.
 *
 * @param parameters number of elements of the weights
 * @param updaterVectors number of vectors of that length in the updater's state
 * @param format format of the state of the workers' exchange
 * @param form the model with which all workers start under another exchange, in words
 * @param optimiser the optimiser's settings, in words
 */
public record SavedModel(
    int parameters, int updaterVectors, StateFormat format, String form, String optimiser) {

  /** Name of the workers' operator state that contains the model. */
  public static final String STATE = "replica";

  /**
   * Reads an element of that state, of any rank.
   *
   * @throws StateVersionException if its format has another version
   * @throws IOException if it is not such an element
   */
  public static SavedModel read(byte[] state) throws IOException {
    return of(ReplicaPart.fromBytes(state));
  }

  public static SavedModel of(ReplicaPart part) {
    return new SavedModel(
        part.model().length(),
        part.model().slices().size() - 1,
        part.role().format(),
        form(part),
        part.optimiser());
  }

  private static String form(ReplicaPart part) {
    String model =
        switch (part.model().kind()) {
          case SHARE -> "the same weights";
          case SERVED -> "the weights of the ranks that applied the steps";
          case REPLICA ->
              part.role().roles().ranks() == 1
                  ? "the only replica"
                  : "the mean of its " + part.role().roles().ranks() + " replicas";
        };
    return part.exchangeStates().isEmpty()
        ? model
        : model + ", which includes all gradients so far; clocks and counts are dropped";
  }

  /** Returns the optimiser's name on the command line. */
  public String updater() {
    return updater(optimiser);
  }

  private static String updater(String optimiser) {
    return optimiser.split("[ ,]", 2)[0];
  }

  /** Returns whether an optimiser with these settings can continue from the updater's state. */
  public boolean isOfUpdaterOf(String settings) {
    return updater().equals(updater(settings));
  }

  /** Returns a line that describes how the optimiser's settings change, if they do. */
  public Optional<String> changeOfOptimiser(String to) {
    return optimiser.equals(to)
        ? Optional.empty()
        : Optional.of("saved with %s; continues with %s".formatted(optimiser, to));
  }

  /**
   * Returns a line that describes how the state changes for another exchange, or for the same one
   * if it keeps fewer states; empty if nothing changes.
   */
  public Optional<String> change(StateFormat to) {
    return format.isOfSameExchange(to)
        ? dropped(to)
        : Optional.of(
            "saved with exchange %s, continues with %s: all workers start with %s"
                .formatted(format.exchange(), to.exchange(), form));
  }

  /**
   * Returns a line about a dropped state whose sum over all workers should be preserved, if any.
   */
  private Optional<String> dropped(StateFormat to) {
    return format.states().stream()
        .filter(state -> state.rescaling() == StateKind.Rescaling.SUM)
        .filter(state -> to.state(state.name()).isEmpty())
        .map(
            state ->
                "saved with the %s of exchange %s: it is dropped, as this run keeps none"
                    .formatted(state.name(), format.exchange()))
        .findFirst();
  }
}
