package dev.braid.exchange;

import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import java.io.Serializable;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The user's options for an exchange.
 *
 * @param workers number of ranks that compute; some defaults depend on it
 * @param batch number of samples of a full gradient, at least 1. Where gradients are applied one by
 *     one, each sample counts for 1/(n · batch) of a step
 * @param chosen values of {@linkplain ExchangeOption options} by name, without options left at
 *     their default; each value has the option's type and is {@link Serializable}
 */
public record ExchangeOptions(int workers, int batch, SortedMap<String, Serializable> chosen)
    implements Serializable {

  /** Number of ranks that serve and do not compute, for exchanges with servers. */
  public static final ExchangeOption<Integer> SERVERS =
      ExchangeOption.named("servers", "K", ValueForm.wholeNumber(0, Integer.MAX_VALUE))
          .help(
              "Number of parameter servers: ranks that hold a part of the model and compute "
                  + "no gradients, in slots in addition to those of the workers. 0: every worker "
                  + "serves a part.")
          .byDefault(0);

  /**
   * τ, the number of gradients that a rank may be ahead of the slowest one, in addition to those
   * that the exchange needs to report progress. The default is proportional to the number of ranks
   * (Ako §5.1).
   */
  public static final ExchangeOption<Integer> STALENESS =
      ExchangeOption.named("staleness", "N", ValueForm.wholeNumber(0, Integer.MAX_VALUE))
          .help(
              "Number of gradients that a worker can be ahead of the slowest worker, in "
                  + "addition to the gradients that the exchange needs to learn of a worker's "
                  + "progress.")
          .byDefault("the number of workers", workers -> Math.max(0, workers));

  /** Value of {@link #ROOT} for a separate rank after those that compute. */
  public static final int DEDICATED = -1;

  private static final String DEDICATED_ROOT = "dedicated";

  /** Rank that computes the sums of all ranks, for exchanges in which one rank does so. */
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

  /** Several option values that belong together. */
  @FunctionalInterface
  public interface Choice {

    /** Returns a copy of the options with these values. */
    ExchangeOptions in(ExchangeOptions options);
  }

  public ExchangeOptions {
    if (batch < 1) {
      throw new IllegalArgumentException("batch of " + batch + " samples: must be 1 or more");
    }
    chosen = Collections.unmodifiableSortedMap(new TreeMap<>(chosen));
  }

  /** Returns options without any choice and with a batch of one sample. */
  public static ExchangeOptions defaults(int workers) {
    return new ExchangeOptions(workers, 1, new TreeMap<>());
  }

  /** Returns the chosen value of an option, or its default. */
  public <T> T get(ExchangeOption<T> option) {
    return isChosen(option)
        ? option.form().type().cast(chosen.get(option.name()))
        : option.defaultFor().apply(workers);
  }

  /** Returns whether the user has set an option, even if to its default. */
  public boolean isChosen(ExchangeOption<?> option) {
    return chosen.containsKey(option.name());
  }

  /** Returns the number of ranks that serve and compute nothing. */
  public int dedicatedServers() {
    return get(SERVERS) + (get(ROOT) == DEDICATED ? 1 : 0);
  }

  /**
   * Returns the roles in a run of this number of ranks.
   *
   * @throws IllegalArgumentException if no rank is left that computes
   */
  public Roles roles(int ranks) {
    return new Roles(ranks, ranks - dedicatedServers());
  }

  /**
   * Returns a copy with this value of an option.
   *
   * @throws IllegalArgumentException if the value is not {@link Serializable}
   */
  public <T> ExchangeOptions with(ExchangeOption<T> option, T value) {
    if (!(value instanceof Serializable serializable)) {
      throw new IllegalArgumentException(option + " " + value + ": must be Serializable");
    }
    SortedMap<String, Serializable> more = new TreeMap<>(chosen);
    more.put(option.name(), serializable);
    return new ExchangeOptions(workers, batch, more);
  }

  /** Returns a copy with several values. */
  public ExchangeOptions with(Choice choice) {
    return choice.in(this);
  }

  /** Returns a copy with another number of samples per batch. */
  public ExchangeOptions withBatch(int samples) {
    return new ExchangeOptions(workers, samples, chosen);
  }
}
