package dev.braid.job.chaos;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Limits;
import dev.braid.chaos.event.Schedule;
import dev.braid.chaos.event.Start;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.Validation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Command {@code braid chaos generate}: draws a random schedule of faults and sends or writes it.
 */
@Command(
    name = "generate",
    description =
        "Generates a random schedule of faults and sends it to the topic, at once or "
            + "live, or writes it to a file.",
    sortOptions = false)
public final class ChaosGenerate implements Callable<Integer> {

  private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)/(s|min)");
  private static final double SECONDS_PER_MINUTE = 60;
  private static final int MAX_EVENTS = 100_000;

  /** Latest start of an event. */
  private static final Duration LONGEST = Duration.ofMillis(Limits.MILLIS);

  /** Longest mean length of a fault. A drawn fault may last up to half as long again. */
  private static final Duration LONGEST_FAULT = Duration.ofDays(4);

  private final Terminal terminal;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = {"Seed; the same seed makes the same schedule.", "Default: ${DEFAULT-VALUE}"})
  private long seed;

  @Option(
      names = "--rate",
      paramLabel = "N/s",
      defaultValue = "1/s",
      description = {
        "Mean number of faults per second or minute, such as 2/s or 30/min.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String rate;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = {"Length of the schedule, such as 60s.", "Default: ${DEFAULT-VALUE}"})
  private Duration duration;

  @Option(
      names = "--cut-for",
      paramLabel = "TIME",
      defaultValue = "500ms",
      description = {"Mean length of a fault, such as 2s.", "Default: ${DEFAULT-VALUE}"})
  private Duration cutFor;

  @Option(
      names = "--faults",
      paramLabel = "KIND",
      defaultValue = "cuts",
      description = {
        "Kinds of faults. cuts: cuts links of the binary tree, both ways. one-cut, "
            + "path-left or any: also losses, delays and others. one-cut: only links that "
            + "ft-tree uses, one cut at a time. path-left: the same links, but every worker "
            + "keeps a path to every other. any: all links.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String faults;

  @Option(
      names = "--workers",
      paramLabel = "N",
      required = true,
      description = "Number of workers of the training.")
  private int workers;

  @Option(
      names = "--live",
      description = {
        "Send each event when it is due, counted from the start of this command.",
        "Default: send all at once, each with its time after the start of training"
      })
  private boolean live;

  @Mixin private final SendFlags send = new SendFlags();

  public ChaosGenerate(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<ChaosEvent> drawn = schedule().events();
    List<ChaosEvent> events = send.toFile() ? drawn : named(drawn, Instant.now());
    if (!live) {
      terminal.print(send.send(events));
      return ExitCodes.OK;
    }
    if (send.toFile()) {
      throw new UsageException("--live and --to: use only one of them");
    }
    List<ChaosEvent> now = events.stream().map(event -> event.withStart(new Start.Now())).toList();
    terminal.print(send.send(now, () -> new Live(events, System::nanoTime)));
    return ExitCodes.OK;
  }

  /**
   * Gives the events ids that include the time of sending. Events of the same seed that were sent
   * earlier may still wait or be in force; the ids keep the two apart.
   */
  static List<ChaosEvent> named(List<ChaosEvent> events, Instant sent) {
    return events.stream()
        .map(event -> event.withId(event.id().orElseThrow() + "/" + sent))
        .toList();
  }

  /** Pace at which each event is sent when it is due, counted from when the topic is ready. */
  static final class Live implements SendFlags.Pace {

    private final List<ChaosEvent> events;
    private final LongSupplier nanoClock;
    private long startNanos;

    Live(List<ChaosEvent> events, LongSupplier nanoClock) {
      this.events = events;
      this.nanoClock = nanoClock;
      this.startNanos = nanoClock.getAsLong();
    }

    @Override
    public void before(int index) throws InterruptedException {
      TimeUnit.NANOSECONDS.sleep(nanosUntil(index));
    }

    /** Returns the nanoseconds to wait for an event after the one before it has been sent. */
    long nanosUntil(int index) {
      if (index == 1) {
        // Sending the first event takes longer, because the producer first fetches metadata.
        startNanos = nanoClock.getAsLong() - dueNanos(0);
      }
      return Math.max(0, startNanos + dueNanos(index) - nanoClock.getAsLong());
    }

    private long dueNanos(int index) {
      Start.After due = (Start.After) events.get(index).start();
      return TimeUnit.MILLISECONDS.toNanos(due.millis());
    }
  }

  private Schedule schedule() {
    if (workers < 2 || workers > Validation.MAX_RANKS) {
      throw new UsageException(
          "--workers " + workers + ": must be from 2 to " + Validation.MAX_RANKS);
    }
    double perSecond = perSecond();
    double expected = perSecond * duration.toMillis() / 1000;
    if (duration.toMillis() < 1 || cutFor.toMillis() < 1 || expected > MAX_EVENTS) {
      throw new UsageException(
          ("--rate %s, --duration %sms, --cut-for %sms: times must be 1ms or more, and at "
                  + "most %d events are possible")
              .formatted(rate, duration.toMillis(), cutFor.toMillis(), MAX_EVENTS));
    }
    if (!live) {
      requireAtMost("--duration", duration, LONGEST);
    }
    requireAtMost("--cut-for", cutFor, LONGEST_FAULT);
    return new Schedule(seed, workers, perSecond, duration.toMillis(), cutFor.toMillis(), faults());
  }

  private static void requireAtMost(String option, Duration time, Duration longest) {
    if (time.compareTo(longest) > 0) {
      throw new UsageException(
          "%s %s: must be at most %s".formatted(option, Typed.time(time), Typed.time(longest)));
    }
  }

  private Schedule.Faults faults() {
    for (Schedule.Faults kind : Schedule.Faults.values()) {
      if (kind.title().equals(faults)) {
        return kind;
      }
    }
    throw new UsageException("--faults " + faults + ": must be cuts, one-cut, path-left or any");
  }

  private double perSecond() {
    Matcher matcher = RATE.matcher(rate);
    double count = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
    if (count == 0) {
      throw new UsageException("--rate " + rate + ": must be a rate such as 1/s or 30/min");
    }
    return matcher.group(2).equals("s") ? count : count / SECONDS_PER_MINUTE;
  }
}
