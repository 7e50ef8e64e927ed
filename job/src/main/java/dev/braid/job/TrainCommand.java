package dev.braid.job;

import dev.braid.job.report.Outcome;
import dev.braid.job.report.ReplicasDifferException;
import dev.braid.worker.DivergedException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.SerializedThrowable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Trains a model: in an embedded Flink, or, started by {@code flink run}, on its cluster. */
@Command(
    name = "train",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    descriptionHeading = "%n",
    description =
        "Trains a model with parallel workers, in an embedded Flink with a web UI; or on a"
            + " cluster, with 'flink run braid.jar train' and the same options.",
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:trained",
      "1:failed or diverged, or not every sample was used exactly once",
      "2:a mistake in the options or the data",
      "130:interrupted by Ctrl-C (SIGINT)",
      "143:interrupted by SIGTERM"
    })
final class TrainCommand implements Callable<Integer> {

  private static final String JOB_NAME = "Braid";

  private final Terminal terminal;
  @Mixin private TrainFlags flags;
  @Spec private CommandSpec spec;

  TrainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    TrainOptions options = options();
    TrainArguments.of(spec, terminal).checkScopes(options);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(FlinkSettings.job(options));
    if (env instanceof LocalStreamEnvironment) {
      // On a cluster, its machines read and write these places, not this one.
      Validation.checkPlaces(options);
      return trainEmbedded(RunPlan.of(options));
    }
    return trainOnCluster(RunPlan.of(options), env);
  }

  /**
   * The options that were given, among them those that mean nothing to this run.
   *
   * @throws UsageException if one is impossible
   */
  TrainOptions options() {
    TrainOptions options = flags.options();
    Validation.checkNumbers(options);
    return options;
  }

  private int trainEmbedded(RunPlan plan) throws Exception {
    TrainOptions options = plan.options();
    Configuration settings = FlinkSettings.embedded(options);
    Path log = Validation.prepareOut(options).resolve("braid.log");
    Logs.writeTo(log);
    try (EmbeddedFlink flink = EmbeddedFlink.start(settings, options)) {
      terminal.print(plan.describe());
      terminal.print("web UI at " + flink.webAddress() + ", log in " + log);
      StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(settings);
      plan.build(env);
      JobClient job = flink.submit(env, JOB_NAME);
      try (Interruption interruption = new Interruption(job, terminal, options)) {
        return follow(job, plan, interruption);
      }
    }
  }

  private int follow(JobClient job, RunPlan plan, Interruption interruption)
      throws InterruptedException {
    try {
      int exitCode = show(new JobWatch(job, view(), OptionalInt.empty()).follow());
      String run = job.getJobID().toString();
      plan.chaos()
          .ifPresent(chaos -> terminal.print("chaos          " + ChaosSummary.of(chaos, run)));
      return exitCode;
    } catch (ExecutionException e) {
      if (interruption.interrupted()) {
        return ExitCodes.INTERRUPTED;
      }
      return failed(e);
    }
  }

  /** A cluster's job goes on when its client is gone, as any of Flink's does. */
  private int trainOnCluster(RunPlan plan, StreamExecutionEnvironment env) throws Exception {
    terminal.print(plan.describe());
    plan.build(env);
    JobClient job = env.executeAsync(JOB_NAME);
    terminal.print("job " + job.getJobID());
    if (!env.getConfiguration().get(DeploymentOptions.ATTACHED)) {
      return ExitCodes.OK;
    }
    try {
      return show(new JobWatch(job, view(), OptionalInt.of(plan.options().ranks())).follow());
    } catch (ExecutionException e) {
      return failed(e);
    }
  }

  private ProgressView view() {
    return new ProgressView(terminal, System.nanoTime());
  }

  private int show(Outcome outcome) {
    new ProgressView(terminal, System.nanoTime()).showOutcome(outcome);
    if (outcome.ledgerExact()) {
      return ExitCodes.OK;
    }
    System.err.println("braid: not every sample was used exactly once: see the ledger above");
    return ExitCodes.FAILED;
  }

  private int failed(ExecutionException failure) {
    terminal.endLine();
    System.err.println("braid: " + reason(failure));
    return ExitCodes.FAILED;
  }

  /** The deepest cause says what went wrong; those above it only where. */
  static String reason(Throwable failure) {
    ClassLoader loader = TrainCommand.class.getClassLoader();
    Throwable cause = failure;
    while (true) {
      if (cause instanceof SerializedThrowable serialized) {
        cause = serialized.deserializeError(loader);
      }
      Optional<Throwable> known = known(cause);
      if (known.isPresent()) {
        return known.get().getMessage() + "; no model was saved";
      }
      if (cause.getCause() == null || cause.getCause() == cause) {
        return "the run failed: " + oneLine(cause);
      }
      cause = cause.getCause();
    }
  }

  private static Optional<Throwable> known(Throwable cause) {
    return ExceptionUtils.findThrowable(
        cause,
        found -> found instanceof DivergedException || found instanceof ReplicasDifferException);
  }

  private static String oneLine(Throwable cause) {
    String message = cause.getMessage() == null ? "" : cause.getMessage().strip();
    String first = message.lines().findFirst().orElse("");
    return first.isEmpty() ? cause.getClass().getSimpleName() : first;
  }
}
