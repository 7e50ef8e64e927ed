package dev.braid.job.cluster;

import dev.braid.job.cluster.FlinkJvm.Role;
import dev.braid.job.cluster.Launcher.Said;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.client.cli.CliFrontend;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A session cluster of Flink as separate processes on this machine, with the jars of the build: a
 * JobManager, TaskManagers that can be killed, and Flink's own client.
 */
final class ProcessCluster implements AutoCloseable {

  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

  /** Long enough not to load the JobManager with requests on few cores. */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

  private static final int SLOTS = 2;

  /**
   * Options of a JVM that starts fast and does little work. Optimising costs such a JVM more
   * processor time than it saves. So does verifying the bytecode of thousands of classes, which a
   * user's JVM and that of {@link Launcher} do.
   */
  static final List<String> QUICK_START =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  /**
   * Options with which {@code ./braid} starts a JVM that trains, so that compilation takes less
   * processor time.
   */
  static final List<String> TRAINING =
      List.of(
          "-XX:+UseParallelGC",
          "-XX:Tier4InvocationThreshold=25000",
          "-XX:Tier4MinInvocationThreshold=3000",
          "-XX:Tier4CompileThreshold=75000");

  /**
   * Host of a process.
   *
   * @param address for other processes
   * @param prefix of the command
   * @param missing part of the paths of jars to omit from the class path; empty to omit none
   */
  record Host(String address, List<String> prefix, String missing) {
    static final Host THIS = new Host("127.0.0.1", List.of());

    /** This machine, without ND4J's jars on the class path. */
    static final Host WITHOUT_ND4J = new Host(THIS.address(), List.of(), "/nd4j-");

    /** This machine, without the default data set on the class path. */
    static final Host WITHOUT_MNIST = new Host(THIS.address(), List.of(), "/braid-mnist-");

    Host(String address, List<String> prefix) {
      this(address, prefix, "");
    }

    /** Returns this machine, with a variable in the process's environment. */
    static Host thisWith(String variable, String value) {
      return new Host(THIS.address(), List.of("env", variable + "=" + value));
    }

    /** Returns the command for this host. */
    List<String> command(List<String> ofJava) {
      List<String> command = new ArrayList<>(prefix);
      command.addAll(ofJava);
      int classPath = command.indexOf("-cp") + 1;
      command.set(
          classPath,
          Stream.of(command.get(classPath).split(":", -1))
              .filter(jar -> missing.isEmpty() || !jar.contains(missing))
              .collect(Collectors.joining(":")));
      return command;
    }
  }

  private final Path home;
  private final Path target;
  private final Host jobManager;
  private final List<String> taskManagerFlags;
  private final int restPort;
  private final List<Process> all = new CopyOnWriteArrayList<>();
  private final List<Process> jobManagers = new ArrayList<>();
  private final Map<String, Process> taskManagers = new LinkedHashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private int started;

  /**
   * Starts a JobManager.
   *
   * @param home an empty folder for configuration and logs
   * @param taskManagerFlags options of the JVMs that train
   * @param extra lines of Flink's configuration
   */
  ProcessCluster(Path home, List<String> taskManagerFlags, String... extra) throws Exception {
    this(home, Host.THIS, taskManagerFlags, extra);
  }

  /**
   * Starts a JobManager on a host.
   *
   * @param home an empty folder for configuration and logs, shared by all hosts
   * @param taskManagerFlags options of the JVMs that train
   * @param extra lines of Flink's configuration
   */
  ProcessCluster(Path home, Host jobManager, List<String> taskManagerFlags, String... extra)
      throws Exception {
    this.home = home;
    this.jobManager = jobManager;
    this.taskManagerFlags = taskManagerFlags;
    this.target = Path.of("target").toAbsolutePath();
    this.restPort = freePort();
    // Otherwise the processes would outlive interrupted tests.
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "braid-process-cluster"));
    writeConfiguration(freePort(), extra);
    startJobManager();
  }

  /** Starts a JobManager after {@link #killJobManager}, at the same address. */
  void startJobManager(String... settings) throws IOException {
    String name = "jobmanager" + (jobManagers.isEmpty() ? "" : "-" + (jobManagers.size() + 1));
    List<String> arguments = new ArrayList<>();
    List.of(settings).forEach(setting -> Collections.addAll(arguments, "-D", setting));
    jobManagers.add(start(name, jobManager, "512m", Role.JOB_MANAGER, arguments));
    await("the JobManager to answer", () -> !get("/overview").isEmpty());
  }

  /** Kills the JobManager as {@code kill -9} does. Without high availability, its jobs end. */
  void killJobManager() {
    jobManagers.get(jobManagers.size() - 1).destroyForcibly().onExit().join();
  }

  private void writeConfiguration(int rpcPort, String... extra) throws IOException {
    Map<String, String> settings = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    Collections.addAll(
        lines,
        "env.java.opts.taskmanager: " + String.join(" ", taskManagerFlags),
        "env.java.opts.jobmanager: " + String.join(" ", QUICK_START),
        "env.java.opts.client: " + String.join(" ", QUICK_START),
        "jobmanager.rpc.address: " + jobManager.address(),
        "jobmanager.rpc.port: " + rpcPort,
        "jobmanager.bind-host: " + jobManager.address(),
        "rest.address: " + jobManager.address(),
        "rest.bind-address: " + jobManager.address(),
        "rest.port: " + restPort,
        "taskmanager.numberOfTaskSlots: " + SLOTS,
        "taskmanager.cpu.cores: 1.0",
        "taskmanager.memory.framework.heap.size: 128mb",
        "taskmanager.memory.framework.off-heap.size: 128mb",
        "taskmanager.memory.task.heap.size: 768mb",
        "taskmanager.memory.task.off-heap.size: 256mb",
        "taskmanager.memory.network.min: 128mb",
        "taskmanager.memory.network.max: 128mb",
        "taskmanager.memory.managed.size: 128mb",
        "taskmanager.memory.jvm-metaspace.size: 256mb",
        "taskmanager.memory.jvm-overhead.min: 192mb",
        "taskmanager.memory.jvm-overhead.max: 192mb",
        "taskmanager.memory.segment-size: 64kb",
        "web.refresh-interval: 50",
        "heartbeat.interval: 200 ms",
        "heartbeat.timeout: 10 s",
        "heartbeat.rpc-failure-threshold: 2",
        "restart-strategy.type: fixed-delay",
        "restart-strategy.fixed-delay.attempts: 1000",
        "restart-strategy.fixed-delay.delay: 300 ms",
        "io.tmp.dirs: " + Files.createDirectories(home.resolve("tmp")));
    Collections.addAll(lines, extra);
    lines.forEach(line -> settings.put(line.split(": ", 2)[0], line.split(": ", 2)[1]));
    write(home, settings);
  }

  /** Writes Flink's shipped configuration with other settings, and a configuration of its logs. */
  static void write(Path home, Map<String, String> settings) throws IOException {
    Files.writeString(home.resolve("config.yaml"), ClusterConfig.shipped().with(settings).text());
    Files.writeString(
        home.resolve("log4j2.properties"),
        """
        rootLogger.level = INFO
        rootLogger.appenderRef.console.ref = console
        appender.console.type = CONSOLE
        appender.console.name = console
        appender.console.layout.type = PatternLayout
        appender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c{1} %m%n
        """);
  }

  /** Starts another TaskManager, with two slots by default. */
  void addTaskManager(String... settings) throws IOException {
    addTaskManager(Host.THIS, settings);
  }

  /** Starts another TaskManager on a host; returns its id. */
  String addTaskManager(Host host, String... settings) throws IOException {
    String id = "tm-" + ++started;
    List<String> arguments = new ArrayList<>();
    List<String> all = new ArrayList<>(List.of(settings));
    Collections.addAll(
        all,
        "taskmanager.resource-id=" + id,
        "taskmanager.host=" + host.address(),
        "taskmanager.bind-host=" + host.address());
    all.forEach(setting -> Collections.addAll(arguments, "-D", setting));
    taskManagers.put(id, start(id, host, "896m", Role.TASK_MANAGER, arguments));
    return id;
  }

  /** Waits until this many TaskManagers have registered, and their slots are known. */
  void awaitTaskManagers(int count) {
    await(
        count + " TaskManagers",
        () ->
            number(get("/overview"), "\"taskmanagers\":") == count
                && !get("/taskmanagers").contains("\"slotsNumber\":0,"));
  }

  /** Kills a TaskManager as {@code kill -9} does. */
  void killTaskManager(String id) {
    taskManagers.remove(id).destroyForcibly().onExit().join();
  }

  /** Starts or kills TaskManagers of two slots until this many have registered. */
  void keepTaskManagers(int count) throws IOException {
    while (taskManagers.size() > count) {
      killTaskManager(List.copyOf(taskManagers.keySet()).get(taskManagers.size() - 1));
    }
    while (taskManagers.size() < count) {
      addTaskManager();
    }
    awaitTaskManagers(count);
  }

  /** Cancels a job, unless it has ended, and waits for its end. */
  void cancel(String job) {
    HttpRequest request =
        HttpRequest.newBuilder(uri(restPort, "/jobs/" + job))
            .timeout(REQUEST_TIMEOUT)
            .method("PATCH", HttpRequest.BodyPublishers.noBody())
            .build();
    answer(request);
    await("the end of job " + job, () -> !get("/jobs/" + job).contains("\"state\":\"RUNNING\""));
  }

  /** Starts {@code flink ARGUMENTS} and returns the process; its output goes to the log. */
  Process flink(Path log, String... arguments) throws IOException {
    return flink(Host.THIS, log, arguments);
  }

  /** Starts {@code flink ARGUMENTS} on a host. */
  Process flink(Host host, Path log, String... arguments) throws IOException {
    return launch(
        Role.CLIENT,
        host.command(
            jvm().command(Role.CLIENT, List.of(), List.of("-Xmx512m"), List.of(arguments))),
        log);
  }

  /** Runs {@code flink ARGUMENTS} in this JVM, for a command that submits no job. */
  Said flinkHere(String... arguments) {
    Configuration settings = GlobalConfiguration.loadConfiguration(home.toString());
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream into = new PrintStream(said, true, StandardCharsets.UTF_8);
    System.setOut(into);
    System.setErr(into);
    try {
      int exitCode =
          new CliFrontend(settings, CliFrontend.loadCustomCommandLines(settings, home.toString()))
              .parseAndRun(arguments);
      return new Said(exitCode, said.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  /**
   * Returns an environment in which a test submits its own job to this cluster, with Braid's jar.
   */
  StreamExecutionEnvironment environment() {
    return StreamExecutionEnvironment.createRemoteEnvironment(
        "127.0.0.1", restPort, target.resolve("braid.jar").toString());
  }

  /** Returns the URL of the web UI. */
  String url() {
    return uri(restPort, "").toString();
  }

  /** Returns the answer of the JobManager's REST interface; empty if there is none. */
  String get(String path) {
    return get(restPort, path);
  }

  /** Waits for the JobManager's REST interface to answer, and returns the answer. */
  String awaitAnswer(String path) {
    AtomicReference<String> answer = new AtomicReference<>("");
    await(
        path,
        () -> {
          answer.set(get(path));
          return !answer.get().isEmpty();
        });
    return answer.get();
  }

  /** Returns an answer from another port of the JobManager's host. */
  String get(int port, String path) {
    return answer(HttpRequest.newBuilder(uri(port, path)).timeout(REQUEST_TIMEOUT).build());
  }

  private URI uri(int port, String path) {
    return URI.create("http://" + jobManager.address() + ":" + port + path);
  }

  private String answer(HttpRequest request) {
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      return response.statusCode() == 200 ? response.body() : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Returns the first number after a key, or -1. */
  static long number(String json, String key) {
    int at = json.indexOf(key);
    if (at < 0) {
      return -1;
    }
    int end = at + key.length();
    while (end < json.length() && Character.isDigit(json.charAt(end))) {
      end++;
    }
    return end == at + key.length() ? -1 : Long.parseLong(json.substring(at + key.length(), end));
  }

  /** Waits for a condition by polling. */
  void await(String what, BooleanSupplier condition) {
    try {
      Awaitility.await(what)
          .atMost(START_TIMEOUT)
          .pollInterval(POLL_INTERVAL)
          .pollDelay(Duration.ZERO)
          .until(condition::getAsBoolean);
    } catch (ConditionTimeoutException e) {
      logThreads();
      throw e;
    }
  }

  /**
   * Waits for a client to end.
   *
   * @return whether it ends in time; if not, all processes have logged their threads
   */
  boolean awaitEnd(Process client, int seconds) throws InterruptedException {
    boolean ended = client.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended) {
      logThreads();
    }
    return ended;
  }

  /** Makes all running processes write the stacks of their threads to their logs. */
  private void logThreads() {
    all.forEach(BraidProcess::logThreads);
  }

  private Process start(String name, Host host, String heap, Role role, List<String> arguments)
      throws IOException {
    List<String> command = jvm().command(role, List.of(), List.of("-Xmx" + heap), arguments);
    return launch(role, host.command(command), home.resolve(name + ".log"));
  }

  private FlinkJvm jvm() {
    return new FlinkJvm(
        target.resolve("lib"),
        home,
        GlobalConfiguration.loadConfiguration(home.toString()),
        home.resolve("log4j2.properties"));
  }

  private Process launch(Role role, List<String> command, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    builder.environment().putAll(jvm().environment(role));
    Process process = builder.start();
    all.add(process);
    return process;
  }

  static int freePort() throws IOException {
    while (true) {
      try (ServerSocket socket = new ServerSocket(ClusterPorts.drawn())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Another process uses it.
      }
    }
  }

  /** Returns the last lines of all logs, for a failing test. */
  String logs() {
    try (Stream<Path> files = Files.list(home)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .sorted()
          .map(ProcessCluster::tail)
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tail(Path file) {
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      return "== "
          + file.getFileName()
          + "\n"
          + String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    } catch (IOException e) {
      return file + ": " + e.getMessage();
    }
  }

  @Override
  public void close() {
    all.forEach(Process::destroyForcibly);
    for (Process process : all) {
      try {
        process.waitFor(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
