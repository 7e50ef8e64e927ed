package dev.braid.exchange;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.state.StateKind;
import java.util.List;
import java.util.Optional;

/**
 * The user's view of an exchange: name, help, options and the properties of a run. The descriptor
 * is the only source from which the command line, the help, errors, {@code compare}, the run's JSON
 * and the test suites know an exchange.
 *
 * <p>{@link java.util.ServiceLoader} finds exchanges outside Braid as providers of this interface
 * on the job's class path.
 */
public interface ExchangeDescriptor {

  /** Returns the name on the command line, in lower case and without blanks. */
  String name();

  /** Returns a one-line description of the exchange. */
  String summary();

  /** Returns one or two sentences about when to choose the exchange; may be empty. */
  default String advice() {
    return "";
  }

  /** Returns the authors, title and year of the exchange's paper; empty if there is none. */
  default String source() {
    return "";
  }

  /** Returns the options that users may choose. */
  default List<ExchangeOption<?>> options() {
    return List.of();
  }

  /**
   * Returns the condition under which an option has an effect, as a user types it: {@code with
   * consistency=ssp}, {@code without partitions}; empty if it always has one.
   */
  default Optional<String> condition(ExchangeOption<?> option) {
    return Optional.empty();
  }

  /** Returns whether an option has an effect in a run with these options. */
  default boolean uses(ExchangeOption<?> option, ExchangeOptions chosen) {
    return options().contains(option);
  }

  /** Returns whether the exchange is {@link Synchronous} with these options. */
  boolean isSynchronous(ExchangeOptions chosen);

  /**
   * Returns whether a second run ends with the same bits, whichever ranks are late in either run.
   * False if a sum depends on which ranks are late.
   */
  default boolean isRepeatable(ExchangeOptions chosen) {
    return isSynchronous(chosen);
  }

  /**
   * Returns the assignment of a round's samples and coefficients to ranks, for exchanges in which
   * several ranks compute the same samples; empty if each rank computes its own samples.
   *
   * @param workers number of ranks that compute, possibly fewer than requested
   */
  default Optional<CodeTree> codes(ExchangeOptions chosen, int workers) {
    return Optional.empty();
  }

  /**
   * Returns why these options are invalid in combination or with this number of workers, as one
   * line that begins with an option and its value; empty if they are valid.
   */
  default Optional<String> mistake(ExchangeOptions chosen) {
    return Optional.empty();
  }

  /** Returns whether the exchange has servers, each with the authoritative copy of its part. */
  default boolean hasServers() {
    return false;
  }

  /** Returns the text after the name in the run's first line, such as the kind of servers. */
  default Optional<String> describe(ExchangeOptions chosen) {
    return Optional.empty();
  }

  /**
   * Returns the text after the name in the first line of a run whose model is known.
   *
   * @param length number of elements of the vector
   */
  default Optional<String> describe(ExchangeOptions chosen, int length) {
    return describe(chosen);
  }

  /**
   * Describes how the other workers continue while some are excluded; empty if they continue as
   * before.
   *
   * @param length number of elements of the vector
   * @param workers number of workers, including the excluded ones
   * @param without the excluded workers; not all workers
   */
  default Optional<String> describe(
      ExchangeOptions chosen, int length, int workers, List<Integer> without) {
    return Optional.empty();
  }

  /**
   * Returns the compression of gradients: the chosen one, or the exchange's default; {@link
   * Compression#NONE} for an exchange that cannot compress.
   */
  default Compression compression(ExchangeOptions chosen) {
    return options().contains(Compression.OPTION)
        ? chosen.get(Compression.OPTION)
        : Compression.NONE;
  }

  /**
   * Returns the compression of gradients in a run whose optimiser is known; the default may depend
   * on the optimiser.
   *
   * @param momentum Nesterov momentum of the requested optimiser; 0 if it has none
   */
  default Compression compression(ExchangeOptions chosen, float momentum) {
    return compression(chosen);
  }

  /** Returns how gradients become optimiser steps. */
  default Steps steps(ExchangeOptions chosen) {
    return Steps.OF_THE_SUM;
  }

  /** Ways in which gradients become optimiser steps. */
  enum Steps {
    /** One step for the sum of all ranks' gradients, or the rank's own, over the whole model. */
    OF_THE_SUM,
    /** One step for that sum, taken part by part; no rank knows the norm of the whole sum. */
    OF_THE_SUM_IN_PARTS,
    /** One step for each rank's gradient, or for a part of it, in order of arrival. */
    OF_EACH_GRADIENT
  }

  /** Returns the name of the state that ranks write and can read with these options. */
  default String stateName(ExchangeOptions chosen) {
    return name();
  }

  /** Returns the kinds of saved state; the exchange is {@link Stateful} if there are any. */
  default List<StateKind> states(ExchangeOptions chosen) {
    return List.of();
  }

  /**
   * Returns whether the exchange itself handles faulty links, with a transport of its own; if not,
   * its host has the transport that retransmits lost messages.
   */
  default boolean bearsFaultyLinks(ExchangeOptions chosen) {
    return false;
  }

  /**
   * Returns whether each sum of gradients is computed at one fixed rank and in one fixed order,
   * whatever links do. Values may then be rounded on the wire. False if ranks add up on behalf of
   * ranks whose link is down, or instead of them.
   */
  default boolean addsAtTheSameRanks(ExchangeOptions chosen) {
    return !bearsFaultyLinks(chosen);
  }

  /** Returns the kind of values that ranks send, which is also what compression is applied to. */
  default Sends sends() {
    return Sends.GRADIENTS;
  }

  /** Kinds of values that ranks send to share their training. */
  enum Sends {
    /** Gradients, or sums of them. */
    GRADIENTS,
    /** Models, from which no element can be omitted. */
    MODELS,
    /**
     * Changes of their models. The exchange compresses them itself, because only it knows the
     * starting point.
     */
    MOVES
  }

  /**
   * Returns the ranks through which the transport may route messages around a link that does not
   * answer; empty if the transport waits for the link instead.
   */
  default int[] waysAround(ExchangeConfig config) {
    return new int[0];
  }

  /** Creates one rank's part of the algorithm, without transport or compression. */
  Exchange create(ExchangeConfig config, Port port);
}
