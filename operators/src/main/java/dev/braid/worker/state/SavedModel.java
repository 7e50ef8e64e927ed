package dev.braid.worker.state;

import dev.braid.exchange.state.StateFormat;
import dev.braid.exchange.state.StateKind;
import java.io.IOException;
import java.util.Optional;

/**
 * The model that the workers have saved, for those who must know of it before a job restores it.
 *
 * @param parameters elements of the weights
 * @param updaterVectors how many vectors of that length the updater keeps besides
 * @param format of the state of the exchange that they had
 * @param form what all begin with under another exchange, in words
 * @param optimiser the settings of the optimiser, in words
 */
public record SavedModel(
    int parameters, int updaterVectors, StateFormat format, String form, String optimiser) {

  /** The operator state of the workers that has the model. */
  public static final String STATE = "replica";

  /**
   * Reads an element of that state, of any rank.
   *
   * @throws StateVersionException if it is in a form of another version
   * @throws IOException if it is none
   */
  public static SavedModel read(byte[] state) throws IOException {
    return of(ReplicaPart.fromBytes(state));
  }

  public static SavedModel of(ReplicaPart part) {
    return new SavedModel(
        part.length(), part.parts().size() - 1, part.role().format(), form(part), part.optimiser());
  }

  private static String form(ReplicaPart part) {
    String model =
        switch (part.holding()) {
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

  /** The optimiser by its name on the command line. */
  public String updater() {
    return updater(optimiser);
  }

  private static String updater(String optimiser) {
    return optimiser.split("[ ,]", 2)[0];
  }

  /** Whether the updater's state is one that an optimiser of these settings goes on from. */
  public boolean isOfUpdaterOf(String settings) {
    return updater().equals(updater(settings));
  }

  /** What goes on otherwise where the optimiser's settings are others than before, in a line. */
  public Optional<String> changeOfOptimiser(String to) {
    return optimiser.equals(to)
        ? Optional.empty()
        : Optional.of("saved with %s; continues with %s".formatted(optimiser, to));
  }

  /**
   * What becomes of it under another exchange than it was saved with, or under the same one that
   * keeps less, in a line.
   */
  public Optional<String> change(StateFormat to) {
    return format.isOfSameExchange(to)
        ? dropped(to)
        : Optional.of(
            "saved with exchange %s, continues with %s: all workers start with %s"
                .formatted(format.exchange(), to.exchange(), form));
  }

  /** Of what would stay the same, added up over all workers. */
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
