package dev.braid.job.train;

import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Launched;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.rest.ClusterPlace;
import dev.braid.job.rest.ClusterRest;
import dev.braid.job.rest.ClusterSettings;
import dev.braid.job.rest.FlinkRest;
import dev.braid.job.rest.JobRest;
import dev.braid.job.rest.RestException;
import dev.braid.run.result.RunGoal;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.IllegalConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code braid result}: shows the progress or the result of a training on a cluster. */
@Command(
    name = "result",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Shows the progress or the result of a training on a cluster, as 'flink run' without -d"
          + " would.",
      "",
      "Without a JOB, lists the jobs.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:trained; without --follow, also: still running, or stopped with a savepoint",
      "1:failed, diverged or cancelled; results could not be written; or not every "
          + "sample was used exactly once. With --follow, also: stopped, or the cluster "
          + "has not answered for --client-timeout",
      "2:invalid options, no such job, or no cluster answers",
      "3:trained, but --target-accuracy or --target-loss was not reached"
    })
public final class ResultCommand implements Callable<Integer> {

  private static final DateTimeFormatter BEGUN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  private static final String DEFAULT_URL = "http://localhost:8081";

  /** Default of the longest wait for a cluster that does not answer. */
  static final Duration CLIENT_TIMEOUT = Duration.ofMinutes(2);

  private final Terminal terminal;

  @Option(
      names = "--flink",
      paramLabel = "URL",
      description = {
        "URL of the cluster's web UI.",
        "Default: from --flink-conf or --folder; else " + DEFAULT_URL
      })
  private String url;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = {
        "Folder of a cluster that './braid cluster up' has started, instead of --flink-conf.",
        "Default: " + ClusterPlace.DEFAULT + ", if a cluster of that folder runs"
      })
  private Path folder;

  @Option(
      names = "--flink-conf",
      paramLabel = "FOLDER",
      defaultValue = "${env:FLINK_CONF_DIR}",
      description = {
        "Folder of Flink's configuration, with the address of the cluster and, if it "
            + "has TLS, the key and the trusted certificates (security.ssl.rest).",
        "Default: FLINK_CONF_DIR, if the environment has it"
      })
  private String conf;

  @Option(
      names = "--follow",
      description = {
        "Show the progress until the training ends.",
        "Default: show the current state"
      })
  private boolean follow;

  @Option(
      names = "--client-timeout",
      paramLabel = "TIME",
      description = {
        "With --follow: longest wait for a cluster that does not answer. Then the exit "
            + "code is 1.",
        "Default: 2min"
      })
  private Duration clientTimeout;

  @Parameters(
      paramLabel = "JOB",
      arity = "0..1",
      description = "Id of the job, or a unique beginning of it.")
  private String job;

  public ResultCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Returns the command for the jobs of a cluster; a job's id can be appended.
   *
   * @param address the cluster's address; one with TLS requires a configuration
   * @param conf folder of Flink's configuration, if known
   */
  static String typed(String address, Optional<String> conf) {
    String key =
        address.startsWith("https:")
            ? " --flink-conf " + conf.map(Places::inShell).orElse("FOLDER")
            : "";
    return Launched.braid() + " result --flink " + address + key;
  }

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    if (clientTimeout != null && !follow) {
      throw new UsageException("--client-timeout: only with --follow");
    }
    Optional<ClusterPlace> cluster = clusterFolder();
    if (url == null && (conf != null || cluster.isPresent())) {
      return askConfigured(cluster);
    }
    String asked = url == null ? DEFAULT_URL : url;
    checkUrl(asked);
    try {
      return answer(
          asked.startsWith("https:") && (conf != null || cluster.isPresent())
              ? FlinkRest.at(asked, settings(cluster))
              : FlinkRest.at(asked));
    } catch (RestException e) {
      if (e.isOfTls() && asked.startsWith("http:")) {
        // The port redirects plain HTTP to HTTPS.
        throw new UsageException(
            ("--flink %s: this cluster has TLS: use https, and give its configuration by "
                    + "--flink-conf or --folder")
                .formatted(asked),
            e);
      }
      throw nobody("--flink " + asked, e);
    }
  }

  private static UsageException nobody(String where, Exception e) {
    return new UsageException(where + ": no Flink answers there: " + e.getMessage(), e);
  }

  /** Returns the folder of a cluster on this machine, if the options select one. */
  private Optional<ClusterPlace> clusterFolder() {
    if (folder != null) {
      ClusterPlace named = ClusterPlace.at(folder);
      if (!named.exists()) {
        throw new UsageException(
            ("--folder %s: no cluster has run there; to start one: ./braid cluster up "
                    + "--folder %1$s")
                .formatted(folder));
      }
      if (isCopy(named)) {
        throw new UsageException(
            ("--folder %s: no cluster runs there: it is a copy of a cluster's folder, or was moved"
                    + " from another file system; see ./braid cluster status --folder %1$s")
                .formatted(folder));
      }
      return Optional.of(named);
    }
    ClusterPlace byDefault = ClusterPlace.at(Path.of(ClusterPlace.DEFAULT));
    boolean isMeant = url == null && conf == null && byDefault.runs() && !isCopy(byDefault);
    return isMeant ? Optional.of(byDefault) : Optional.empty();
  }

  private static boolean isCopy(ClusterPlace place) {
    try {
      return place.isCopy();
    } catch (IllegalConfigurationException e) {
      throw new UsageException(e.getMessage(), e);
    }
  }

  private Configuration settings(Optional<ClusterPlace> cluster) {
    String place = cluster.map(it -> it.conf().toString()).orElse(conf);
    try {
      return cluster.isPresent()
          ? cluster.get().settings()
          : GlobalConfiguration.loadConfiguration(place);
    } catch (IllegalConfigurationException e) {
      throw new UsageException("--flink-conf " + place + ": has no config.yaml", e);
    }
  }

  /** Queries the cluster of a configuration; with high availability, its leading JobManager. */
  private int askConfigured(Optional<ClusterPlace> cluster)
      throws InterruptedException, ExecutionException {
    String where =
        cluster.map(it -> "--folder " + Places.shown(it.root())).orElse("--flink-conf " + conf);
    Configuration settings = settings(cluster);
    try (ClusterRest found = ClusterRest.of(settings)) {
      if (cluster.isPresent() && !ClusterSettings.areOf(settings, found.rest())) {
        throw new UsageException(where + ": another Flink cluster answers at its address");
      }
      return answer(found.rest());
    } catch (RestException e) {
      throw nobody(where, e);
    } catch (IOException | NullPointerException e) {
      // Flink's client throws a NullPointerException if an address is missing.
      throw new UsageException(where + ": no cluster can be reached: " + e.getMessage(), e);
    }
  }

  private int answer(FlinkRest flink)
      throws RestException, InterruptedException, ExecutionException {
    List<JobRest.Listed> jobs = JobRest.all(flink);
    if (job == null) {
      list(jobs);
      return ExitCodes.OK;
    }
    JobRest.Listed wanted = wanted(jobs, flink.address());
    JobRest asked = new JobRest(flink, wanted.id());
    RunGoal goal = goal(asked, wanted);
    terminal.print("%s: %s".formatted(wanted.name(), wanted.state()));
    RunEnd told = new RunEnd(terminal, goal, Optional.empty(), ResultCommand::resuming);
    Duration timeout = Optional.ofNullable(clientTimeout).orElse(CLIENT_TIMEOUT);
    if (follow) {
      ProgressView view = new ProgressView(terminal, System.nanoTime());
      return told.ofClusterJob(
          JobWatch.ofClusterJob(asked, view, timeout).follow(), wanted.id(), flink.address());
    }
    JobWatch watch = JobWatch.ofClusterJob(asked, ProgressView.atOnce(terminal), timeout);
    Optional<JobEnd> end = wanted.isOver() ? Optional.of(watch.follow()) : watch.look();
    if (end.isEmpty()) {
      return ExitCodes.OK;
    }
    if (end.get() instanceof JobEnd.Stopped stopped
        && stopped.checkpoints().savepoint().isPresent()) {
      // This is a valid state, because the command may be used at any time.
      terminal.print(told.stopped(stopped.checkpoints()));
      return ExitCodes.OK;
    }
    return told.ofClusterJob(end.get(), wanted.id(), flink.address());
  }

  /** Returns how to resume a job. Only the job's own client knows its options. */
  private static String resuming(String place) {
    return "the command that started the job, with --restore " + Places.inShell(place);
  }

  private static void checkUrl(String url) {
    try {
      URI given = URI.create(url);
      if (given.getHost() != null && List.of("http", "https").contains(given.getScheme())) {
        return;
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    throw new UsageException("--flink " + url + ": must be a URL, such as http://localhost:8081");
  }

  private void list(List<JobRest.Listed> jobs) {
    if (jobs.isEmpty()) {
      terminal.print("the cluster has no jobs");
    }
    for (JobRest.Listed listed : jobs) {
      String begun =
          BEGUN.format(Instant.ofEpochMilli(listed.millis()).atZone(ZoneId.systemDefault()));
      terminal.print(
          "%s  %-9s  %s  %s".formatted(listed.id(), listed.state(), begun, listed.name()));
    }
  }

  private JobRest.Listed wanted(List<JobRest.Listed> jobs, String address) {
    List<JobRest.Listed> meant = jobs.stream().filter(it -> it.id().startsWith(job)).toList();
    if (meant.size() != 1) {
      throw new UsageException(
          "JOB %s: %s; to list the jobs: %s"
              .formatted(
                  job,
                  meant.isEmpty()
                      ? "no such job"
                      : meant.size() + " jobs have ids that begin with it",
                  typed(address, Optional.ofNullable(conf))));
    }
    return meant.get(0);
  }

  private RunGoal goal(JobRest asked, JobRest.Listed wanted)
      throws RestException, InterruptedException {
    return RunGoal.of(asked.options())
        .orElseThrow(
            () ->
                new UsageException(
                    "JOB %s (%s): not a training of this version of Braid"
                        .formatted(job, wanted.name())));
  }
}
