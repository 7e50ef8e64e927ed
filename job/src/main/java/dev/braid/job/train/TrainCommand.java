package dev.braid.job.train;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.job.config.RunFile;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Launched;
import dev.braid.job.console.Logs;
import dev.braid.job.console.OutLock;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.engine.ElasticJob;
import dev.braid.job.engine.EmbeddedFlink;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.engine.NetworkMemory;
import dev.braid.job.engine.SealedStorage;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.FilePlugins;
import dev.braid.job.options.TrainFlags;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import dev.braid.job.options.WorkerBounds;
import dev.braid.job.plan.RunPlan;
import dev.braid.job.rest.ClusterRest;
import dev.braid.job.rest.ClusterSettings;
import dev.braid.job.rest.FlinkRest;
import dev.braid.job.rest.JobRest;
import dev.braid.job.rest.RestException;
import dev.braid.job.rest.SubmissionCheck;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.result.RunGoal;
import dev.braid.text.Printable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigConstants;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.JobManagerOptions.SchedulerType;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.PipelineOptionsInternal;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Command {@code braid train}: trains a model in an embedded Flink or, started by {@code flink
 * run}, on its cluster.
 */
@Command(
    name = "train",
    preprocessor = RunFileReader.class,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    abbreviateSynopsis = true,
    usageHelpAutoWidth = true,
    description = {
      "Trains a model with parallel workers in an embedded Flink with a web UI, or "
          + "on a cluster with 'flink run braid.jar train' and the same options.",
      "",
      "These are the options that most runs need; --help-all shows all options.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:trained",
      "1:failed, diverged, cancelled or stopped; the cluster has not answered for "
          + "--client-timeout; results could not be written; or not every sample was used "
          + "exactly once. Samples that an excluded worker has missed count only with "
          + "--require every-sample, different math kernels only with --require same-bits",
      "2:invalid options or data",
      "3:trained, but --target-accuracy or --target-loss was not reached",
      "130:interrupted by Ctrl-C (SIGINT)",
      "141:the reader of standard output has closed it",
      "143:interrupted by SIGTERM"
    })
public final class TrainCommand implements Callable<Integer> {

  /**
   * Time before which no results exist, because results of earlier runs are moved away before the
   * job starts.
   */
  private static final long NOTHING_IS_OLDER = 0;

  private final Terminal terminal;
  @Mixin private TrainFlags flags;

  @Spec private CommandSpec spec;

  private Optional<RunFile> runFile = Optional.empty();

  public TrainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Registers a run file, whose options have been parsed like those on the command line. */
  void readFrom(RunFile file) {
    runFile = Optional.of(file);
  }

  Optional<RunFile> runFile() {
    return runFile;
  }

  /** Returns a message with its line in the run file, if its option is from there. */
  public String located(String message) {
    return runFile.map(file -> file.located(message)).orElse(message);
  }

  @Override
  public Integer call() throws Exception {
    try {
      return train();
    } catch (UsageException e) {
      throw TrainArguments.of(spec, terminal).located(e);
    }
  }

  private int train() throws Exception {
    StreamExecutionEnvironment given =
        StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
    boolean embedded = given instanceof LocalStreamEnvironment;
    if (embedded) {
      // On a cluster, the client has done so.
      FilePlugins.loadFor(flags.places());
    }
    TrainOptions options = options();
    if (embedded) {
      Validation.checkEmbedded(options);
      // On a cluster, its machines access these places instead of this one.
      Validation.checkPlaces(options);
      flags.metricsPort().ifPresent(Validation::checkMetricsPort);
      if (flags.clientTimeout().isPresent()) {
        throw new UsageException(
            "--client-timeout: only on a cluster; an embedded Flink runs in this process");
      }
    } else if (flags.metricsPort().isPresent()) {
      throw new UsageException(
          "--metrics-port: only for the embedded Flink; on a cluster, use "
              + "metrics.reporter.prom.port of its configuration");
    } else if (flags.wantsPage()) {
      throw new UsageException(
          "--page: only for the embedded Flink; on a cluster, use its web UI and Grafana");
    }
    Optional<SubmissionCheck> check = Optional.empty();
    ClusterSettings cluster = new ClusterSettings(settingsOf(given));
    if (!embedded) {
      checkBounds(options.sharing().bounds(), cluster);
      check = Optional.of(SubmissionCheck.begin(settingsOf(given)));
    }
    TrainArguments.of(spec, terminal).checkData();
    slowness(options).ifPresent(terminal::print);
    // The plan has found the checkpoint to resume from, if it had to be searched for.
    RunPlan plan =
        RunPlan.of(embedded ? options : withRestoreOf(given, withCheckpointDir(cluster, options)));
    // After a failure of its JobManager, an application starts again with the same job.
    plan.checkLineage(
        given.getConfiguration().getOptional(PipelineOptionsInternal.PIPELINE_FIXED_JOB_ID));
    plan.checkRegistry();
    if (options.restoresLatest()) {
      terminal.print(
          "resuming from " + Places.shown(plan.options().recovery().restore().orElseThrow()));
    }
    return embedded
        ? trainEmbedded(plan)
        : trainOnCluster(
            plan,
            check.orElseThrow(),
            StreamExecutionEnvironment.getExecutionEnvironment(
                clusterSettings(plan.options(), cluster)));
  }

  /**
   * Returns the settings of a cluster's job. The cluster's restart strategy has priority if there
   * is one.
   */
  private static Configuration clusterSettings(TrainOptions options, ClusterSettings cluster) {
    Configuration settings = FlinkSettings.job(options);
    // Needed whether the folder for checkpoints is the job's own or the cluster's.
    SealedStorage.set(settings);
    if (cluster.get(RestartStrategyOptions.RESTART_STRATEGY).isEmpty()) {
      settings.addAll(FlinkSettings.restartingSoon());
    }
    return settings;
  }

  /**
   * Takes the checkpoint of {@code flink run -s}, so that it is checked like one of {@code
   * --restore}.
   */
  private static TrainOptions withRestoreOf(
      StreamExecutionEnvironment given, TrainOptions options) {
    return options.recovery().restore().isPresent()
        ? options
        : given
            .getConfiguration()
            .getOptional(StateRecoveryOptions.SAVEPOINT_PATH)
            .flatMap(FlinkSettings::qualified)
            .map(options::withRestore)
            .orElse(options);
  }

  /**
   * Returns the given options, including those that do not apply to this run.
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
      return options.samples().location().slow();
    } catch (InvalidDataException e) {
      throw new UsageException("--data: " + Places.within(e.getMessage()), e);
    }
  }

  private int trainEmbedded(RunPlan plan) throws Exception {
    try (Interruption interruption =
        new Interruption(terminal, TrainArguments.of(spec, terminal), plan.options())) {
      try {
        return trainEmbedded(plan, interruption);
      } catch (Exception e) {
        if (interruption.interrupted()) {
          // An operation that starts while the process ends may fail.
          return ExitCodes.INTERRUPTED;
        }
        throw e;
      }
    }
  }

  private int trainEmbedded(RunPlan plan, Interruption interruption) throws Exception {
    try (OutLock lock = OutLock.take(Validation.prepareOut(plan.options()))) {
      plan.putEarlierResultsAside()
          .map(place -> "results of an earlier run were moved to " + Places.shown(place))
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
    flags.metricsPort().ifPresent(port -> FlinkSettings.addMetrics(settings, port));
    RunGoal goal = plan.goal(flags.required());
    try (EmbeddedFlink flink =
        EmbeddedFlink.start(
            settings,
            plan.options().ranks(),
            job -> Checkpoints.removeEmpty(plan.options(), job))) {
      if (interruption.interrupted()) {
        return ExitCodes.INTERRUPTED;
      }
      terminal.print(plan.describe());
      terminal.print(plan.describeData());
      plan.notes().forEach(terminal::print);
      warn(plan);
      terminal.print("web UI at " + flink.webAddress() + ", log in " + Places.shown(log));
      flags
          .metricsPort()
          .ifPresent(port -> terminal.print("metrics at http://127.0.0.1:" + port + "/metrics"));
      StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(settings);
      plan.build(env, NOTHING_IS_OLDER, goal, TrainArguments.of(spec, terminal).complete(plan));
      if (interruption.interrupted()) {
        return ExitCodes.INTERRUPTED;
      }
      JobClient job = flink.submit(env, plan.jobName());
      JobRest asked =
          JobRest.embedded(FlinkRest.at(flink.webAddress().toString()), job.getJobID().toString());
      return follow(job, flink, asked, plan, interruption);
    }
  }

  private int follow(
      JobClient job, EmbeddedFlink flink, JobRest asked, RunPlan plan, Interruption interruption)
      throws InterruptedException, ExecutionException {
    Optional<LivePage> page =
        flags.wantsPage() ? Optional.of(new LivePage(plan)) : Optional.empty();
    if (!interruption.jobBegins(
        job, flink::checkpoint, words -> page.ifPresent(it -> it.end(words)))) {
      return ExitCodes.INTERRUPTED;
    }
    page.ifPresent(LivePage::begin);
    page.ifPresent(it -> terminal.print("page at " + it.address()));
    JobEnd end = JobWatch.ofOwnJob(job, asked, view(), page).follow();
    if (interruption.interrupted() && !(end instanceof JobEnd.Trained)) {
      return ExitCodes.INTERRUPTED;
    }
    int exitCode = tell(end, job, plan, page, interruption);
    interruption.jobIsOver();
    return exitCode;
  }

  private int tell(
      JobEnd end, JobClient job, RunPlan plan, Optional<LivePage> page, Interruption interruption) {
    RunEnd told =
        new RunEnd(
            terminal,
            plan.goal(flags.required()),
            Optional.of(plan.options()),
            interruption::resuming);
    if (!(end instanceof JobEnd.Trained trained)) {
      String reason =
          end instanceof JobEnd.Failed failed
              ? told.reason(failed)
              : "the job was ended by another program";
      page.ifPresent(it -> it.end(reason));
      terminal.endLine();
      System.err.println("braid: " + Printable.of(reason));
      return ExitCodes.FAILED;
    }
    // The results are on this machine.
    int exitCode = told.trained(trained.status(), Optional.empty());
    plan.testedOnOneClass().ifPresent(words -> terminal.print("test set       " + words));
    page.ifPresent(
        it -> {
          terminal.print("page           " + Places.shown(it.place()));
          it.end(exitCode == ExitCodes.OK ? "trained" : "ended with exit code " + exitCode);
        });
    if (!trained.status().troubles().isEmpty()) {
      interruption.howToResume().ifPresent(terminal::print);
    }
    String run = job.getJobID().toString();
    plan.chaos()
        .ifPresent(chaos -> terminal.print("chaos          " + ChaosSummary.of(chaos, run)));
    return exitCode;
  }

  /** Trains on a cluster, where the job continues without its client, like any Flink job. */
  private int trainOnCluster(RunPlan plan, SubmissionCheck check, StreamExecutionEnvironment env)
      throws Exception {
    terminal.print(plan.describe());
    terminal.print(plan.describeData());
    plan.notes().forEach(terminal::print);
    warn(plan);
    warn(warnings(check, settingsOf(env), NetworkMemory.of(plan.options())));
    RunGoal goal = plan.goal(flags.required());
    plan.build(
        env, System.currentTimeMillis(), goal, TrainArguments.of(spec, terminal).complete(plan));
    JobClient job = submit(env, plan);
    String id = job.getJobID().toString();
    terminal.print("job " + id);
    try (ClusterRest cluster = ClusterRest.of(settingsOf(env))) {
      if (!env.getConfiguration().get(DeploymentOptions.ATTACHED)) {
        terminal.print(
            "to see the progress: "
                + ResultCommand.typed(
                    cluster.rest().address(),
                    Optional.ofNullable(System.getenv(ConfigConstants.ENV_FLINK_CONF_DIR)))
                + " "
                + id);
        return ExitCodes.OK;
      }
      JobEnd end =
          JobWatch.ofClusterJob(
                  new JobRest(cluster.rest(), id),
                  view(),
                  flags.clientTimeout().orElse(ResultCommand.CLIENT_TIMEOUT))
              .follow();
      if (end instanceof JobEnd.Trained
          && Validation.isLocal("--out", plan.options().results().out())) {
        Checkpoints.removeEmpty(plan.options(), job.getJobID());
      }
      int exitCode =
          new RunEnd(terminal, goal, Optional.of(plan.options()), resuming(env))
              .ofClusterJob(end, id, cluster.rest().address());
      if (end instanceof JobEnd.Trained) {
        plan.testedOnOneClass().ifPresent(words -> terminal.print("test set       " + words));
      }
      return exitCode;
    }
  }

  /** Returns the command that resumes a run on a cluster, by the place of its checkpoint. */
  private UnaryOperator<String> resuming(StreamExecutionEnvironment env) {
    String jar =
        env.getConfiguration().getOptional(PipelineOptions.JARS).orElse(List.of()).stream()
            .findFirst()
            .map(uri -> Places.inShell(uri.replaceFirst("^file:/+", "/")))
            .orElse("braid.jar");
    return place ->
        TrainArguments.of(spec, terminal)
            .resuming(Launched.flink() + " run " + jar + " train", place);
  }

  private static List<String> warnings(
      SubmissionCheck check, Configuration settings, NetworkMemory need)
      throws InterruptedException {
    try {
      return check.warnings(settings, need);
    } catch (RestException e) {
      throw new UsageException("the cluster's REST interface: " + e.getMessage(), e);
    }
  }

  /** Checks that a range of workers is given only for a cluster whose scheduler supports it. */
  private static void checkBounds(WorkerBounds bounds, ClusterSettings cluster) {
    boolean areKept =
        bounds.fewest().isEmpty()
            || cluster
                .all()
                .map(known -> known.get(JobManagerOptions.SCHEDULER) == SchedulerType.Adaptive)
                .orElse(true);
    if (!areKept) {
      throw Validation.boundsNotKept(bounds);
    }
  }

  private static Configuration settingsOf(StreamExecutionEnvironment env) {
    return Configuration.fromMap(env.getConfiguration().toMap());
  }

  private static JobClient submit(StreamExecutionEnvironment env, RunPlan plan) throws Exception {
    try {
      return ElasticJob.submit(env, plan.jobName(), plan.options().fewestRanks());
    } catch (Exception e) {
      Optional<String> libraries = MissingLibraries.sentence(e);
      if (libraries.isPresent()) {
        throw new UsageException(libraries.get(), e);
      }
      throw e;
    }
  }

  /**
   * Sets the folder for checkpoints next to the results, as for an embedded run, if the cluster has
   * none. The JobManager's memory, where Flink would keep them, has room only for small models.
   */
  private static TrainOptions withCheckpointDir(ClusterSettings cluster, TrainOptions options) {
    if (options.recovery().checkpointDir().isPresent()) {
      return options;
    }
    Optional<String> ofCluster = cluster.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY);
    if (ofCluster.isEmpty()) {
      return options.withCheckpointDir(Checkpoints.placeOf(options));
    }
    // Without a scheme, this process does not know the file system, so the folder stays as
    // configured.
    return FlinkSettings.hasScheme(ofCluster.get())
        ? options.withCheckpointDir(ofCluster.get())
        : options;
  }

  private static void warn(RunPlan plan) {
    warn(plan.warnings());
  }

  private static void warn(List<String> warnings) {
    warnings.forEach(warning -> System.err.println("braid: warning: " + Printable.of(warning)));
  }

  private ProgressView view() {
    return new ProgressView(terminal, System.nanoTime());
  }
}
