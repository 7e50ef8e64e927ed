package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpServer;
import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import dev.braid.job.rest.ClusterPlace;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands in cases where they start no process. */
class ClusterCommandsTest {

  private static final List<String> COMMANDS = List.of("up", "status", "down");

  @TempDir private Path root;

  private final List<Process> started = new ArrayList<>();
  private ClusterFolder folder;

  private record Result(int exitCode, String out, String err) {}

  @BeforeEach
  void place() {
    folder = ClusterFolder.at(root.resolve("cluster"));
  }

  @AfterEach
  void kill() {
    started.forEach(Process::destroyForcibly);
  }

  private Result run(String command, String... options) {
    return runIn(folder.root(), command, options);
  }

  private Result runIn(Path place, String command, String... options) {
    ByteArrayOutputStream progress = new ByteArrayOutputStream();
    StringWriter err = new StringWriter();
    String[] words = new String[options.length + 3];
    words[0] = "cluster";
    words[1] = command;
    words[2] = "--folder=" + place;
    System.arraycopy(options, 0, words, 3, options.length);
    Terminal terminal =
        new Terminal(
            new PrintStream(progress, true, StandardCharsets.UTF_8), false, false, () -> 80);
    int code = Main.commandLine(terminal).setErr(new PrintWriter(err, true)).execute(words);
    return new Result(code, progress.toString(StandardCharsets.UTF_8), err.toString());
  }

  @Test
  void whereThereIsNoClusterNothingIsEndedAndNothingMade() {
    String nothing =
        "no cluster runs in %s; to start one: ./braid cluster up --folder %s%n"
            .formatted(folder.root(), folder.root());
    assertThat(run("down")).isEqualTo(new Result(0, nothing, ""));
    assertThat(run("status")).isEqualTo(new Result(1, nothing, ""));
    assertThat(folder.root()).doesNotExist();
  }

  @Test
  void aNumberThatIsAStrangersIsToldAndLeftAlone() throws Exception {
    long self = ProcessHandle.current().pid();
    make(Map.of(), 1);
    new ClusterProcess("jobmanager", self, "1", ClusterProcess.Place.here(), mark("jobmanager"))
        .write(folder.pidFile("jobmanager"));
    Result status = run("status");
    assertThat(status.exitCode()).isEqualTo(1);
    assertThat(status.out())
        .contains(
            "jobmanager     does not run: its process number, "
                + self
                + ", belongs to another program");
    Result down = run("down");
    assertThat(down.exitCode()).isZero();
    assertThat(down.out())
        .startsWith(
            "jobmanager does not run: the process number "
                + self
                + " belongs to another program, which is not touched\nno cluster runs in ");
    assertThat(folder.pidFile("jobmanager")).doesNotExist();
    assertThat(run("down").out()).startsWith("no cluster runs in ").hasLineCount(1);
  }

  @Test
  void aFileThatIsNoRecordIsAMistake_andNothingIsRemoved() throws Exception {
    make(Map.of(), 1);
    Files.createDirectories(folder.tmp());
    Files.writeString(folder.pidFile("jobmanager"), "no number");
    ClusterFolder.remove(folder.checkpoints());
    for (String command : COMMANDS) {
      Result result = run(command);
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err())
          .startsWith("braid: " + folder.pidFile("jobmanager") + ": ")
          .hasLineCount(1);
    }
    assertThat(folder.tmp()).exists();
    assertThat(folder.pidFile("jobmanager")).exists();
    assertThat(folder.checkpoints()).doesNotExist();
  }

  @Test
  void aClusterIsTheSameByALinkToItsFolder() throws Exception {
    Process process = running("jobmanager");
    ClusterFolder real = folder;
    Files.createDirectories(real.tls());
    Path link = Files.createSymbolicLink(root.resolve("link"), real.root());
    assertThat(ClusterFolder.at(link)).isEqualTo(real);
    assertThat(ClusterFolder.at(link.resolve("../link/."))).isEqualTo(real);
    assertThat(runIn(link, "up", "--port", "0").exitCode()).isEqualTo(2);
    assertThat(process.isAlive()).isTrue();
    assertThat(real.tls()).exists();
    assertThat(runIn(link, "status").out()).contains("process " + process.pid());
    Result down = runIn(link, "down");
    assertThat(down.exitCode()).isZero();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aFolderThatHasAnotherNameNowIsOfTheSameCluster() throws Exception {
    Process process = running("jobmanager");
    Path moved = Files.move(folder.root(), root.resolve("moved"));
    assertThat(runIn(moved, "status").out())
        .contains("process " + process.pid(), "from " + folder.root());
    Configuration now = ClusterFolder.at(moved).configuration();
    assertThat(now.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY))
        .isEqualTo("file://" + moved + "/checkpoints");
    assertThat(now.get(CoreOptions.TMP_DIRS)).isEqualTo(moved + "/tmp");
    assertThat(runIn(moved, "down").exitCode()).isZero();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(ClusterFolder.at(moved).processes()).isEmpty();
  }

  @Test
  void aConfigurationFollowsItsFolder() throws Exception {
    running("jobmanager");
    ClusterFolder moved = ClusterFolder.at(Files.move(folder.root(), root.resolve("it's moved")));
    Configuration now = moved.configuration();
    moved.adoptMove();
    assertThat(moved.formerRoot()).isEmpty();
    assertThat(Files.readString(moved.conf().resolve("config.yaml")))
        .doesNotContain(folder.root() + "/");
    assertThat(moved.configuration().toMap())
        .containsAllEntriesOf(without(now.toMap(), ClusterPlace.FOLDER));
  }

  private static Map<String, String> without(Map<String, String> settings, String key) {
    Map<String, String> less = new TreeMap<>(settings);
    less.remove(key);
    return less;
  }

  @Test
  void aCopyLeavesTheClusterAlone() throws Exception {
    Process process = running("jobmanager");
    Path copy = copyTo("copy");
    assertThat(runIn(copy, "status").exitCode()).isEqualTo(1);
    assertThat(runIn(copy, "status").out())
        .contains("is a copy of " + folder.root())
        .doesNotContain("process " + process.pid());
    assertThat(runIn(copy, "down").out()).contains("is a copy of " + folder.root());
    assertThat(process.isAlive()).isTrue();
    assertThat(ClusterPlace.at(copy).isCopy()).isTrue();
    assertThat(ClusterPlace.at(folder.root()).isCopy()).isFalse();
    assertThat(run("down").exitCode()).isZero();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  /** The copy cannot be distinguished from the original. */
  @Test
  void aCopyOfAFolderThatHasAnotherNameNowIsLeftAsItIs() throws Exception {
    Process process = running("jobmanager");
    Path copy = copyTo("copy");
    Path moved = Files.move(folder.root(), root.resolve("moved"));
    for (String command : COMMANDS) {
      Result result = runIn(copy, command);
      assertThat(result.exitCode()).as(command).isEqualTo(1);
    }
    assertThat(process.isAlive()).isTrue();
    assertThat(ClusterFolder.at(copy).processes()).hasSize(1);
    assertThat(runIn(moved, "down").exitCode()).isZero();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  /** A move to another file system copies the folder and removes the original. */
  @Test
  void aCopyIsTheClustersFolderWhereNothingIsLeftOfTheOther() throws Exception {
    Process process = running("jobmanager");
    Path copy = copyTo("copy");
    ClusterFolder.remove(folder.root());
    assumeThat(Path.of("/proc/self/fd")).exists();
    assertThat(runIn(copy, "down").exitCode()).isZero();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  private Path copyTo(String name) throws Exception {
    Path copy = root.resolve(name);
    Process cp = new ProcessBuilder("cp", "-r", folder.root().toString(), copy.toString()).start();
    assertThat(cp.waitFor()).isZero();
    return copy;
  }

  @Test
  void withoutItsConfigurationAClusterIsNotForgotten() throws Exception {
    Process process = running("jobmanager");
    Files.delete(folder.conf().resolve("config.yaml"));
    for (String command : COMMANDS) {
      assertThat(run(command).exitCode()).as(command).isEqualTo(1);
    }
    assertThat(folder.processes()).hasSize(1);
    assertThat(process.isAlive()).isTrue();
    process.destroyForcibly().waitFor();
    assertThat(run("down").exitCode()).isZero();
    assertThat(folder.processes()).isEmpty();
  }

  /** Another program may use the port that was free when the cluster was started. */
  @Test
  void aFlinkThatIsNotOfTheClusterIsNotTakenForIt() throws Exception {
    Map<String, String> answers = new ConcurrentHashMap<>();
    answers.put(
        "/overview",
        "{\"taskmanagers\":2,\"slots-total\":4,\"slots-available\":3,\"jobs-running\":1}");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] answer =
              answers.get(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    int port = server.getAddress().getPort();
    try {
      make(Map.of(), port);
      start("jobmanager");
      start("taskmanager-1");
      Process stopped = start("taskmanager-2");
      for (String other : List.of("", "{\"key\":\"braid.cluster.id\",\"value\":\"another\"}")) {
        answers.put("/jobmanager/config", "[" + other + "]");
        Result status = run("status");
        assertThat(status.exitCode()).isEqualTo(1);
        assertThat(status.out())
            .endsWith("no JobManager answers at http://127.0.0.1:%d%n".formatted(port));
      }
      answers.put(
          "/jobmanager/config",
          "[{\"key\":\"braid.cluster.id\",\"value\":\"%s\"}]".formatted(id()));
      answers.put("/taskmanagers", "{\"taskmanagers\":[{\"id\":\"taskmanager-2\"}]}");
      Result unregistered = run("status");
      assertThat(unregistered.exitCode()).isEqualTo(1);
      assertThat(unregistered.out()).containsOnlyOnce("not registered").contains("web UI");
      answers.put(
          "/taskmanagers",
          "{\"taskmanagers\":[{\"id\":\"taskmanager-1\"},{\"id\":\"taskmanager-2\"}]}");
      Result status = run("status");
      assertThat(status.exitCode()).isZero();
      assertThat(status.out())
          .contains("slots          3 of 4 free, 1 job")
          .contains("train --workers 3" + System.lineSeparator());
      BraidProcess.suspend(stopped.pid());
      Result withStopped = run("status");
      assertThat(withStopped.exitCode()).isEqualTo(1);
      assertThat(withStopped.out()).containsOnlyOnce("stopped").contains("web UI");
    } finally {
      server.stop(0);
    }
  }

  /** Writes the files that 'up' writes before it starts processes. */
  private void make(Map<String, String> keys, int web) throws Exception {
    folder.makeFolders();
    folder.writeConfiguration(
        ClusterConfig.shipped()
            .with(keys)
            .with(
                new ClusterPlan(1, 1, OptionalInt.empty(), false, Map.of())
                    .settings(
                        ClusterConfig.shipped().settings(),
                        folder,
                        new ClusterPlan.Ports(List.of(web), 1, OptionalInt.empty())))
            .with(folder.newIdentity()));
  }

  private String id() {
    return ClusterFolder.id(folder.configuration());
  }

  private String mark(String name) {
    return ClusterProcess.mark(id(), name);
  }

  /** Starts a cluster with one process, which runs until it is ended. */
  private Process running(String name) throws Exception {
    make(Map.of(), 1);
    return start(name);
  }

  private Process start(String name) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", "read line", "sh", mark(name))
            .redirectOutput(folder.out(name).toFile())
            .start();
    started.add(process);
    ClusterProcess.started(name, process.pid(), mark(name)).write(folder.pidFile(name));
    return process;
  }

  /** An 'up' that repairs a cluster may be interrupted; another one must find the same state. */
  @Test
  void aProcessThatIsStartedAgainInVainIsNotForgotten() throws Exception {
    running("jobmanager");
    start("taskmanager-1").destroyForcibly().waitFor();
    ClusterProcess before = folder.processes().get(1);
    ClusterMember member =
        ClusterMember.all(folder, ClusterMember.taskManagers(1)).stream()
            .filter(it -> it.name().equals("taskmanager-1"))
            .findFirst()
            .orElseThrow();
    FlinkJvm jvm = new FlinkJvm(root, folder.conf(), folder.configuration(), folder.logging());
    Terminal terminal = new Terminal(System.out, false, false, () -> 80);
    try (ClusterStart again = new ClusterStart(folder, jvm, terminal)) {
      again.start(member, new FlinkMemory(List.of(), List.of()));
      assertThat(folder.processes().get(1)).isNotEqualTo(before);
    }
    assertThat(folder.processes()).hasSize(2).contains(before);
  }

  /** Only the number of the cluster's jobs is unknown. */
  @Test
  void aClusterWhoseKeysAreGoneIsEnded() throws Exception {
    folder.makeFolders();
    make(ClusterKeys.make(folder), 1);
    Process process = start("jobmanager");
    ClusterFolder.remove(folder.tls());
    Result down = run("down");
    assertThat(down).isEqualTo(new Result(0, down.out(), ""));
    assertThat(down.out()).startsWith("ended jobmanager");
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whatJobManagersKeepForEachOtherIsItsOwnersAlone_andGoesWithTheCluster() throws Exception {
    make(Map.of(), 1);
    folder.makeHighAvailability(2181);
    for (Path kept : List.of(folder.highAvailability(), folder.root().resolve("zookeeper"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
          .isEqualTo("rwx------");
    }
    // The state is also removed for a cluster that has died.
    Process process = start("jobmanager");
    process.destroyForcibly().waitFor();
    assertThat(run("down").exitCode()).isZero();
    assertThat(folder.highAvailability()).doesNotExist();
    assertThat(folder.root().resolve("zookeeper")).doesNotExist();
    assertThat(folder.checkpoints()).exists();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--task-managers 0 | --task-managers 0: must be from 1 to 64",
        "--tls --ha | --tls and --ha: use only one of them: ZooKeeper would be open to every user"
            + " of this machine",
        "--slots 65 | --slots 65: must be from 1 to 64",
        "--slots two | --slots two: must be a whole number (see braid cluster up --help)",
        "--port 65536 | --port 65536: must be from 0 to 65535",
        "--prometheus-port 65535 | --prometheus-port 65535: must be from 1 to 65435",
        "-D=a_b:c=1 | -D 'a_b:c': not a Flink key: use letters, digits, dots and dashes",
        "-D=rest.port=1 | -D rest.port: use --port instead",
        "-D=a.b=1\tc | -D a.b: must be a value of one line",
        "--slot 2 | Unknown option: '--slot'; did you mean --slots? (see braid cluster up --help)"
      })
  void mistakesAreOneLine(String options, String mistake) {
    Result result = run("up", options.split(" ", -1));
    assertThat(result.err()).isEqualTo("braid: " + mistake + "\n");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(folder.pidFile("jobmanager")).doesNotExist();
  }

  @Test
  void aFolderThatIsNoneIsAMistake() throws Exception {
    folder = ClusterFolder.at(Files.writeString(root.resolve("file"), "").resolve("below"));
    Result result = run("up");
    assertThat(result.err()).startsWith("braid: --folder " + folder.root() + ": ").hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @Test
  void flinksClientIsStartedByTheLauncher() {
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(System.out, false, false, () -> 80);
    int code = Main.commandLine(terminal).setErr(new PrintWriter(err, true)).execute("flink");
    assertThat(code).isEqualTo(2);
    assertThat(err)
        .hasToString(
            "braid: flink: only the launcher ./braid can start Flink's client: ./braid flink\n");
  }
}
