package dev.braid.job.train;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Logs;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.engine.ElasticJob;
import dev.braid.job.engine.EmbeddedFlink;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.engine.NetworkMemory;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.TrainFlags;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import dev.braid.job.plan.RunPlan;
import dev.braid.job.report.ReplicasDifferException;
import dev.braid.job.report.ResultsNotWrittenException;
import dev.braid.job.rest.SubmissionCheck;
import dev.braid.job.result.EarlierResults;
import dev.braid.job.result.Outcome;
import dev.braid.job.result.Status;
import dev.braid.worker.DivergedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.SerializedThrowable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Trains a model: in an embedded Flink, or, started by {@code flink run}, on its cluster. */
@Command(
    name = "train",
    modelTransformer = TrainCommand.ExchangesAdded.class,
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
      "1:failed or diverged, results could not be written, or not every sample was used exactly once"
          + " (but for those that a worker missed while it was cut off, unless --require-every-sample)",
      "2:a mistake in the options or the data",
      "3:trained, but --target-accuracy or --target-loss was not reached",
      "130:interrupted by Ctrl-C (SIGINT)",
      "141:nobody reads the standard output any more",
      "143:interrupted by SIGTERM"
    })
public final class TrainCommand implements Callable<Integer> {

  /** As results of earlier runs are put aside before the job begins. */
  private static final long NOTHING_IS_OLDER = 0;

  private static final long STATUS_SECONDS = 10;

  private final Terminal terminal;
  @Mixin private TrainFlags flags;

  /** Adds what its annotations cannot have: the options of exchanges, whichever there are. */
  static final class ExchangesAdded implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec train) {
      ((TrainCommand) train.userObject()).flags.addExchangesTo(train);
      return train;
    }
  }

  @Spec private CommandSpec spec;

  public TrainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    TrainOptions options = options();
    TrainArguments.of(spec, terminal).checkScopes(options);
    StreamExecutionEnvironment given =
        StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
    boolean embedded = given instanceof LocalStreamEnvironment;
    if (embedded) {
      Validation.checkEmbedded(options);
      // On a cluster, its machines read and write these places, not this one.
      Validation.checkPlaces(options);
    } else if (flags.wantsPage()) {
      throw new UsageException(
          "--page: only with the embedded Flink; on a cluster, its web UI and Grafana show the run");
    }
    if (!embedded) {
      ElasticJob.check(options.bounds(), given.getConfiguration());
    }
    Optional<SubmissionCheck> check =
        embedded ? Optional.empty() : Optional.of(SubmissionCheck.begin(settingsOf(given)));
    slowness(options).ifPresent(terminal::print);
    // Which has found the checkpoint to go on from, where it was to be looked for.
    RunPlan plan = RunPlan.of(embedded ? options : withRestoreOf(given, options));
    if (options.restoresLatest()) {
      terminal.print("going on from " + Places.shown(plan.options().restore().orElseThrow()));
    }
    return embedded
        ? trainEmbedded(plan)
        : trainOnCluster(
            plan,
            check.orElseThrow(),
            StreamExecutionEnvironment.getExecutionEnvironment(FlinkSettings.job(plan.options())));
  }

  /** What {@code flink run -s} goes on from is looked at like a checkpoint of {@code --restore}. */
  private static TrainOptions withRestoreOf(
      StreamExecutionEnvironment given, TrainOptions options) {
    return options.restore().isPresent()
        ? options
        : given
            .getConfiguration()
            .getOptional(StateRecoveryOptions.SAVEPOINT_PATH)
            .flatMap(FlinkSettings::qualified)
            .map(options::withRestore)
            .orElse(options);
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

  private static Optional<String> slowness(TrainOptions options) {
    try {
      return options.data().slow();
    } catch (InvalidDataException e) {
      throw new UsageException("--data: " + Places.within(e.getMessage()), e);
    }
  }

  private int trainEmbedded(RunPlan plan) throws Exception {
    try (Interruption interruption = new Interruption(terminal, plan.options())) {
      try {
        return trainEmbedded(plan, interruption);
      } catch (Exception e) {
        if (interruption.interrupted()) {
          // What is begun while the process ends may fail.
          return ExitCodes.INTERRUPTED;
        }
        throw e;
      }
    }
  }

  private int trainEmbedded(RunPlan plan, Interruption interruption) throws Exception {
    try (OutLock lock = OutLock.take(Validation.prepareOut(plan.options()))) {
      plan.putEarlierResultsAside()
          .map(place -> "results of an earlier run are in " + Places.shown(place))
          .ifPresent(terminal::print);
      Path log = lock.folder().resolve(EarlierResults.LOG);
      Logs.writeTo(log);
      return interruption.interrupted()
          ? ExitCodes.INTERRUPTED
          : trainEmbedded(plan, log, interruption);
    }
  }

  private int trainEmbedded(RunPlan plan, Path log, Interruption interruption) throws Exception {
    Configuration settings = FlinkSettings.embedded(plan.options());
    try (EmbeddedFlink flink = EmbeddedFlink.start(settings, plan.options())) {
      if (interruption.interrupted()) {
        return ExitCodes.INTERRUPTED;
      }
      terminal.print(plan.describe());
      terminal.print(plan.describeData());
      plan.notes().forEach(terminal::print);
      warn(plan);
      terminal.print("web UI at " + flink.webAddress() + ", log in " + Places.shown(log));
      StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(settings);
      plan.build(env, NOTHING_IS_OLDER);
      return interruption.interrupted()
          ? ExitCodes.INTERRUPTED
          : follow(flink.submit(env, plan.jobName()), plan, interruption);
    }
  }

  private int follow(JobClient job, RunPlan plan, Interruption interruption)
      throws InterruptedException {
    Optional<LivePage> page =
        flags.wantsPage() ? Optional.of(new LivePage(plan)) : Optional.empty();
    if (!interruption.jobBegins(job, words -> page.ifPresent(it -> it.end(words)))) {
      return ExitCodes.INTERRUPTED;
    }
    page.ifPresent(LivePage::begin);
    page.ifPresent(it -> terminal.print("page at " + it.file().toUri()));
    int exitCode = follow(job, plan, page, interruption);
    interruption.jobIsOver();
    return exitCode;
  }

  private int follow(
      JobClient job, RunPlan plan, Optional<LivePage> page, Interruption interruption)
      throws InterruptedException {
    try {
      Status end = JobWatch.ofOwnJob(job, view(), page).follow();
      int exitCode = show(end, plan);
      page.ifPresent(
          it -> {
            terminal.print("page           " + Places.shown(it.file()));
            it.end(exitCode == ExitCodes.OK ? "trained" : "ended, with exit code " + exitCode);
          });
      if (!end.troubles().isEmpty()) {
        interruption.howToGoOn().ifPresent(terminal::print);
      }
      String run = job.getJobID().toString();
      plan.chaos()
          .ifPresent(chaos -> terminal.print("chaos          " + ChaosSummary.of(chaos, run)));
      return exitCode;
    } catch (ExecutionException e) {
      if (interruption.interrupted()) {
        return ExitCodes.INTERRUPTED;
      }
      page.ifPresent(it -> it.end(reason(e, plan)));
      return failed(e, plan);
    }
  }

  /** A cluster's job goes on when its client is gone, as any of Flink's does. */
  private int trainOnCluster(RunPlan plan, SubmissionCheck check, StreamExecutionEnvironment env)
      throws Exception {
    terminal.print(plan.describe());
    terminal.print(plan.describeData());
    plan.notes().forEach(terminal::print);
    warn(plan);
    warn(check.warnings(settingsOf(env), NetworkMemory.of(plan.options())));
    plan.build(env, System.currentTimeMillis());
    JobClient job = ElasticJob.submit(env, plan.jobName(), plan.options().fewestRanks());
    terminal.print("job " + job.getJobID());
    if (!env.getConfiguration().get(DeploymentOptions.ATTACHED)) {
      return ExitCodes.OK;
    }
    try {
      return show(JobWatch.ofClusterJob(job, view(), plan.options().slotsToBegin()).follow(), plan);
    } catch (ExecutionException e) {
      if (wasCancelled(job)) {
        terminal.endLine();
        System.err.println("braid: the job was cancelled; " + kept(plan.options(), job.getJobID()));
        return ExitCodes.FAILED;
      }
      return failed(e, plan);
    }
  }

  private static Configuration settingsOf(StreamExecutionEnvironment env) {
    return Configuration.fromMap(env.getConfiguration().toMap());
  }

  private static void warn(RunPlan plan) {
    warn(plan.warnings());
  }

  private static void warn(List<String> warnings) {
    warnings.forEach(warning -> System.err.println("braid: warning: " + warning));
  }

  private static boolean wasCancelled(JobClient job) throws InterruptedException {
    try {
      return job.getJobStatus().get(STATUS_SECONDS, TimeUnit.SECONDS) == JobStatus.CANCELED;
    } catch (ExecutionException | TimeoutException e) {
      // The cluster does not know it any more, or does not answer: then what is known is told.
      return false;
    }
  }

  /** How to go on with a cluster's job; its disks may be out of sight from here. */
  private static String kept(TrainOptions options, JobID job) {
    if (options.checkpointDir().isEmpty()) {
      return "what checkpoints it has made are in the cluster's folder for them, below " + job;
    }
    return Checkpoints.newestBelow(Checkpoints.folderOf(options, job))
        .map(Path::toString)
        .map(found -> "to go on from its last checkpoint, add --restore " + Places.inShell(found))
        .orElseGet(
            () ->
                "what checkpoints it has made are in "
                    + Places.shown(options.checkpointDir().get())
                    + "/"
                    + job);
  }

  private ProgressView view() {
    return new ProgressView(terminal, System.nanoTime());
  }

  private int show(Status end, RunPlan plan) {
    Outcome outcome = end.outcome().orElseThrow();
    new ProgressView(terminal, System.nanoTime()).showOutcome(outcome);
    TargetVerdict target = TargetVerdict.of(plan.options(), end.evaluations());
    EarlyStop.of(plan.options().learning().patience(), plan.options().epochs(), end.evaluations())
        .ifPresent(sentence -> terminal.print("patience       " + sentence));
    target.reached().ifPresent(sentence -> terminal.print("target         " + sentence));
    RunVerdict verdict =
        RunVerdict.of(
            end, target, plan.guessingLoss(), plan.mayStandardize(), flags.requiresEverySample());
    verdict.complaints().forEach(complaint -> System.err.println("braid: " + complaint));
    return verdict.exitCode();
  }

  private int failed(ExecutionException failure, RunPlan plan) {
    terminal.endLine();
    System.err.println("braid: " + reason(failure, plan));
    return ExitCodes.FAILED;
  }

  /** Why a run failed, with what this run could do about it. */
  static String reason(Throwable failure, RunPlan plan) {
    return reason(failure, plan.mayStandardize() ? ", and so may --standardize" : "");
  }

  /** Why a run failed of which no more is known. */
  public static String reason(Throwable failure) {
    return reason(failure, "");
  }

  /**
   * The deepest cause says what went wrong; those above it only where.
   *
   * @param besides what may help against divergence besides a lower learning rate
   */
  private static String reason(Throwable failure, String besides) {
    ClassLoader loader = TrainCommand.class.getClassLoader();
    Throwable cause = failure;
    while (true) {
      if (cause instanceof SerializedThrowable serialized) {
        cause = serialized.deserializeError(loader);
      }
      Optional<Throwable> known = known(cause);
      if (known.isPresent()) {
        String advice = known.get() instanceof DivergedException ? besides : "";
        return known.get().getMessage() + advice + "; no model was saved";
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
        found ->
            found instanceof DivergedException
                || found instanceof ReplicasDifferException
                || found instanceof ResultsNotWrittenException);
  }

  private static String oneLine(Throwable cause) {
    String message = cause.getMessage() == null ? "" : cause.getMessage().strip();
    if (message.contains("allowNonRestoredState")) {
      // Where this process could read the checkpoint, the check has said so, or Flink was told.
      return "the checkpoint has state that this run has no use for, as of chaos events: begin with"
          + " the options of the run that made it";
    }
    String first = message.lines().findFirst().orElse("");
    return first.isEmpty() ? cause.getClass().getSimpleName() : first;
  }
}
