package dev.braid.exchange;

import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import java.io.Serializable;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is chosen of an exchange, beyond which one it is.
 *
 * @param workers how many ranks compute, on which some defaults depend
 * @param batch samples of a full gradient, at least 1: where gradients are applied one by one, each
 *     sample counts for 1/(n · batch) of a step
 * @param chosen values of {@linkplain ExchangeOption options}, by name, as far as they are not the
 *     defaults; of the option's type, and {@link Serializable}
 */
public record ExchangeOptions(int workers, int batch, SortedMap<String, Serializable> chosen)
    implements Serializable {

  /** Ranks that serve and do not compute; of exchanges that have servers. */
  public static final ExchangeOption<Integer> SERVERS =
      ExchangeOption.named("servers", "K", ValueForm.wholeNumber(0, Integer.MAX_VALUE))
          .help(
              "Number of parameter servers: ranks that hold a part of the model and compute "
                  + "no gradients, in slots in addition to those of the workers. 0: every worker "
                  + "serves a part.")
          .byDefault(0);

  /**
   * τ: how many gradients a rank may be ahead of the slowest one, besides those that the exchange
   * needs to tell them. By default it grows in proportion to the ranks (Ako §5.1).
   */
  public static final ExchangeOption<Integer> STALENESS =
      ExchangeOption.named("staleness", "N", ValueForm.wholeNumber(0, Integer.MAX_VALUE))
          .help(
              "Number of gradients that a worker can be ahead of the slowest worker, in "
                  + "addition to the gradients that the exchange needs to learn of a worker's "
                  + "progress.")
          .byDefault("the number of workers", workers -> Math.max(0, workers));

  /** Of {@link #ROOT}: a rank of its own, behind those that compute. */
  public static final int DEDICATED = -1;

  private static final String DEDICATED_ROOT = "dedicated";

  /** Where one rank makes the sums of all, which one that is. */
  public static final ExchangeOption<Integer> ROOT =
      ExchangeOption.named(
              "root",
              "RANK|" + DEDICATED_ROOT,
              new ValueForm<>(
                  Integer.class,
                  "0 or more, or dedicated",
                  ExchangeOptions::root,
                  root -> root == DEDICATED ? DEDICATED_ROOT : root))
          .help(
              "Worker that also completes the sums; or dedicated: a rank that computes no "
                  + "gradients, in a slot in addition to those of the workers.")
          .byDefault(0);

  private static int root(String text) {
    if (text.equals(DEDICATED_ROOT)) {
      return DEDICATED;
    }
    try {
      return ValueForm.wholeNumber(0, Integer.MAX_VALUE).reader().apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("must be a worker's rank, 0 or more, or dedicated", e);
    }
  }

  /** Several values that belong together. */
  @FunctionalInterface
  public interface Choice {

    /** The options with these values. */
    ExchangeOptions in(ExchangeOptions options);
  }

  public ExchangeOptions {
    if (batch < 1) {
      throw new IllegalArgumentException("batch of " + batch + " samples: must be 1 or more");
    }
    chosen = Collections.unmodifiableSortedMap(new TreeMap<>(chosen));
  }

  /** Nothing is chosen, with a batch of one. */
  public static ExchangeOptions defaults(int workers) {
    return new ExchangeOptions(workers, 1, new TreeMap<>());
  }

  /** The value of an option: what is chosen, or the default. */
  public <T> T get(ExchangeOption<T> option) {
    return isChosen(option)
        ? option.form().type().cast(chosen.get(option.name()))
        : option.defaultFor().apply(workers);
  }

  /** Whether an option has been chosen, be it that the choice is the default. */
  public boolean isChosen(ExchangeOption<?> option) {
    return chosen.containsKey(option.name());
  }

  /** How many ranks serve and compute nothing. */
  public int dedicatedServers() {
    return get(SERVERS) + (get(ROOT) == DEDICATED ? 1 : 0);
  }

  /**
   * Who does what in a run of so many ranks.
   *
   * @throws IllegalArgumentException if none is left that computes
   */
  public Roles roles(int ranks) {
    return new Roles(ranks, ranks - dedicatedServers());
  }

  /** The same with this value of an option. */
  public <T> ExchangeOptions with(ExchangeOption<T> option, T value) {
    if (!(value instanceof Serializable serializable)) {
      throw new IllegalArgumentException(option + " " + value + ": must be Serializable");
    }
    SortedMap<String, Serializable> more = new TreeMap<>(chosen);
    more.put(option.name(), serializable);
    return new ExchangeOptions(workers, batch, more);
  }

  /** Returns these options with the default of one of them. */
  public ExchangeOptions without(ExchangeOption<?> option) {
    SortedMap<String, Serializable> fewer = new TreeMap<>(chosen);
    fewer.remove(option.name());
    return new ExchangeOptions(workers, batch, fewer);
  }

  /** The same with several values. */
  public ExchangeOptions with(Choice choice) {
    return choice.in(this);
  }

  /** The same with another batch. */
  public ExchangeOptions withBatch(int samples) {
    return new ExchangeOptions(workers, samples, chosen);
  }
}
