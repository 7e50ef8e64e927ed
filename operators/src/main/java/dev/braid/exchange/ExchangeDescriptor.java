package dev.braid.exchange;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.state.StateKind;
import java.util.List;
import java.util.Optional;

/**
 * An exchange as users know it, beside its algorithm: name, help, options, and what a run with it
 * is like. Command line, help, errors, {@code compare}, the run's JSON and the suites know an
 * exchange from here alone.
 *
 * <p>One that Braid does not bring is found by {@link java.util.ServiceLoader}, as a provider of
 * this interface on the class path of the job.
 */
public interface ExchangeDescriptor {

  /** On the command line: lower case, without blanks. */
  String name();

  /** What it does, in a line. */
  String summary();

  /** Says in a sentence or two when to choose it; may be empty. */
  default String advice() {
    return "";
  }

  /** Names the authors, title and year of its paper; empty if there is none. */
  default String source() {
    return "";
  }

  /** Returns the options that users may choose. */
  default List<ExchangeOption<?>> options() {
    return List.of();
  }

  /**
   * Which other choice makes an option mean something, as it is typed: {@code with
   * consistency=ssp}, {@code without partitions}; empty where it always does.
   */
  default Optional<String> condition(ExchangeOption<?> option) {
    return Optional.empty();
  }

  /** Whether an option means something in a run with these options. */
  default boolean uses(ExchangeOption<?> option, ExchangeOptions chosen) {
    return options().contains(option);
  }

  /** Whether all ranks wait for each other with these options: it is {@link Synchronous}. */
  boolean isSynchronous(ExchangeOptions chosen);

  /**
   * Whether a second run ends with the same bits, whoever was late in either: not where a sum
   * depends on who was.
   */
  default boolean isRepeatable(ExchangeOptions chosen) {
    return isSynchronous(chosen);
  }

  /**
   * Who computes which samples of a round, with which coefficients, where several ranks compute the
   * same; empty where each computes its own.
   *
   * @param workers how many compute, who may be fewer than were asked for
   */
  default Optional<CodeTree> codes(ExchangeOptions chosen, int workers) {
    return Optional.empty();
  }

  /**
   * Why a run cannot have these options together, or with so many workers, in a line that begins
   * with an option and its value; empty if it can.
   */
  default Optional<String> mistake(ExchangeOptions chosen) {
    return Optional.empty();
  }

  /** Whether it has servers, of which each has a part of the model that counts. */
  default boolean hasServers() {
    return false;
  }

  /** What the run's first line has behind its name, such as the kind of its servers. */
  default Optional<String> describe(ExchangeOptions chosen) {
    return Optional.empty();
  }

  /**
   * The same of a run whose model is known.
   *
   * @param length elements of the vector
   */
  default Optional<String> describe(ExchangeOptions chosen, int length) {
    return describe(chosen);
  }

  /**
   * What others do while some workers are cut off, where that is another thing than before.
   *
   * @param length elements of the vector
   * @param workers how many there are, with those
   * @param without who is cut off, not all of them
   */
  default Optional<String> describe(
      ExchangeOptions chosen, int length, int workers, List<Integer> without) {
    return Optional.empty();
  }

  /**
   * How its gradients are made smaller: what is chosen, or its default where that is its own; none,
   * of one that cannot compress.
   */
  default Compression compression(ExchangeOptions chosen) {
    return options().contains(Compression.OPTION)
        ? chosen.get(Compression.OPTION)
        : Compression.NONE;
  }

  /**
   * The same in a run whose optimiser is known, which may decide what the default is.
   *
   * @param momentum Nesterov's, of the optimiser that is asked for; 0 if it has none
   */
  default Compression compression(ExchangeOptions chosen, float momentum) {
    return compression(chosen);
  }

  /** How gradients become steps of the model. */
  default Steps steps(ExchangeOptions chosen) {
    return Steps.OF_THE_SUM;
  }

  /** How gradients become steps of the model. */
  enum Steps {
    /** A step for the sum of all ranks' gradients, or for the rank's own, over the whole model. */
    OF_THE_SUM,
    /** A step for that sum, part by part: nobody has the norm of all of it. */
    OF_THE_SUM_IN_PARTS,
    /** A step for each rank's gradient, or for a part of it, as they come. */
    OF_EACH_GRADIENT
  }

  /** Whose state its ranks write, with these options, and whose they can read. */
  default String stateName(ExchangeOptions chosen) {
    return name();
  }

  /** What lasts of it with these options; it is {@link Stateful} if something does. */
  default List<StateKind> states(ExchangeOptions chosen) {
    return List.of();
  }

  /**
   * Whether it goes around faults of links by itself; if not, a transport repeats what was lost.
   */
  default boolean bearsFaultyLinks() {
    return false;
  }

  /**
   * Whether each sum of gradients is added up at the same ranks in the same order whatever links
   * do, and at one rank each: then what goes between ranks may be rounded on its way. Not where
   * ranks add up for others whose link is down, or in their place.
   */
  default boolean addsAtTheSameRanks() {
    return !bearsFaultyLinks();
  }

  /** What ranks tell each other of what they have learnt, which is what compression is of. */
  default Sends sends() {
    return Sends.GRADIENTS;
  }

  /** What ranks tell each other of what they have learnt. */
  enum Sends {
    /** Gradients, or sums of them. */
    GRADIENTS,
    /** Models, of which nothing can be left out. */
    MODELS,
    /**
     * How far their models have moved: compressed by the exchange itself, which knows from where.
     */
    MOVES
  }

  /**
   * The ranks over which messages may go around a link that does not answer, where the transport is
   * to look for other ways; none, if it is to wait for the link.
   */
  default int[] waysAround(ExchangeConfig config) {
    return new int[0];
  }

  /** One rank's part of the bare algorithm. */
  Exchange create(ExchangeConfig config, Port port);
}
