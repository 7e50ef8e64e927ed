package dev.braid.chaos.sim;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Rates of the disturbances of checkpoints, ranks and topics in a run. Each rate is a share from 0
 * to 1.
 *
 * @param rates the rates that differ from the usual ones
 */
public record Disturbances(Map<Rate, Double> rates) {

  /** The usual rates. */
  public static final Disturbances USUAL = new Disturbances(Map.of());

  /** A rate, with its usual value. */
  public enum Rate {
    /** Share of checkpoints that are aborted, if they are not over before. */
    ABORTS(0),
    /**
     * Share of checkpoints during which, or soon after which, all ranks crash; at most ten crashes
     * of a run are drawn in this way.
     */
    CRASHES(0),
    /** Share of barriers that take far longer than a round. */
    SLOW_BARRIERS(0.05),
    /** Share of writes of a rank's part that take far longer than a round. */
    SLOW_WRITES(0),
    /** Share of writes of a rank's part that fail, which aborts the checkpoint. */
    FAILED_WRITES(0),
    /** Share of the checkpoints of asynchronous exchanges after which all ranks are restored. */
    STOPS(0.5),
    /** Share of complete checkpoints of which the coordinator is lost before it hears of them. */
    LOST_COMPLETIONS(0),
    /** Share of restarts in another JobManager, with another coordinator. */
    OTHER_JOB_MANAGERS(1.0 / 3),
    /** Share of restarts in which ranks take far longer than a round to restore their state. */
    SLOW_RESTORES(1.0 / 3),
    /** Share of probes between ranks that take longer than a round. */
    SLOW_PROBES(0.001),
    /** Greatest share by which the clock of a rank is too fast or too slow. */
    CLOCK_DRIFT(0),
    /** Share of restarts of a stream with another number of workers or batch size. */
    RESCALES(0),
    /** Share of requests for the ends of partitions that fail. */
    LOST_LOOKS(0),
    /** Share of a topic's changes in which it gets another partition. */
    ADDED_PARTITIONS(0),
    /** Share of a topic's changes in which a partition begins to get no records for a while. */
    IDLE_PARTITIONS(0),
    /** Share of a topic's changes in which retention deletes records. */
    RETENTION(0),
    /** Share of the steps of requests to a registry's storage that fail. */
    FAILED_REQUESTS(0);

    private final double usual;

    Rate(double usual) {
      this.usual = usual;
    }

    /** Returns the name in reports. */
    public String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public Disturbances {
    rates.forEach(
        (rate, share) -> {
          if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException(
                "%s %s: must be a share from 0 to 1".formatted(rate.title(), share));
          }
        });
    rates = Map.copyOf(rates);
  }

  /** Returns a copy with another value of a rate. */
  public Disturbances with(Rate rate, double share) {
    Map<Rate, Double> all = new EnumMap<>(Rate.class);
    all.putAll(rates);
    all.put(rate, share);
    return new Disturbances(all);
  }

  /** Returns a rate. */
  public double of(Rate rate) {
    return rates.getOrDefault(rate, rate.usual);
  }

  /** Draws whether a disturbance occurs. */
  public boolean occurs(Rate rate, SplittableRandom random) {
    return random.nextDouble() < of(rate);
  }
}
