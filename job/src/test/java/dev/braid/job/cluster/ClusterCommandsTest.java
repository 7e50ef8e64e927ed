package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
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
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands where nothing is to be started. */
class ClusterCommandsTest {

  @TempDir private Path root;

  private ClusterFolder folder;

  private record Result(int exitCode, String out, String err) {}

  @BeforeEach
  void place() {
    folder = ClusterFolder.at(root.resolve("cluster"));
  }

  private Result run(String command, String... options) {
    ByteArrayOutputStream progress = new ByteArrayOutputStream();
    StringWriter err = new StringWriter();
    String[] words = new String[options.length + 3];
    words[0] = "cluster";
    words[1] = command;
    words[2] = "--folder=" + folder.root();
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
        "no cluster runs in %s; ./braid cluster up --folder %s starts one%n"
            .formatted(folder.root(), folder.root());
    assertThat(run("down")).isEqualTo(new Result(0, nothing, ""));
    assertThat(run("status")).isEqualTo(new Result(1, nothing, ""));
    assertThat(folder.root()).doesNotExist();
  }

  @Test
  void aNumberThatIsAStrangersIsToldAndLeftAlone() throws Exception {
    long self = ProcessHandle.current().pid();
    haveProcess("jobmanager", Long.toString(self));
    Result status = run("status");
    assertThat(status.exitCode()).isEqualTo(1);
    assertThat(status.out())
        .contains("jobmanager     does not run: its number, " + self + ", is another program's");
    Result down = run("down");
    assertThat(down.exitCode()).isZero();
    assertThat(down.out())
        .startsWith(
            "jobmanager does not run any more: "
                + self
                + " is another program's number, and that is left alone\nno cluster runs in ");
    assertThat(folder.pidFile("jobmanager")).doesNotExist();
    assertThat(run("down").out()).startsWith("no cluster runs in ").hasLineCount(1);
  }

  @Test
  void aFileThatHasNoNumberIsAMistake() throws Exception {
    haveProcess("jobmanager", "no number");
    for (String command : new String[] {"up", "status", "down"}) {
      Result result = run(command);
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err())
          .isEqualTo(
              "braid: "
                  + folder.pidFile("jobmanager")
                  + ": no number of a process; remove the file if nothing of that cluster runs\n");
    }
  }

  /** Another program may have taken the port that was free when the cluster was started. */
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
    folder.locked(() -> true);
    Process process =
        new ProcessBuilder("sh", "-c", "read line", "sh", ClusterProcess.mark(folder, "jobmanager"))
            .start();
    try {
      haveProcess("jobmanager", Long.toString(process.pid()), Map.of(), port);
      for (String other :
          List.of("", "{\"key\":\"braid.cluster.folder\",\"value\":\"/another\"}")) {
        answers.put("/jobmanager/config", "[" + other + "]");
        Result status = run("status");
        assertThat(status.exitCode()).isEqualTo(1);
        assertThat(status.out())
            .endsWith("no JobManager answers at http://127.0.0.1:%d%n".formatted(port));
      }
      answers.put(
          "/jobmanager/config",
          "[{\"key\":\"braid.cluster.folder\",\"value\":\"" + folder.root() + "\"}]");
      Result status = run("status");
      assertThat(status.exitCode()).isZero();
      assertThat(status.out())
          .contains("slots          3 of 4 free, 1 job")
          .contains("train --workers 3" + System.lineSeparator());
    } finally {
      process.destroyForcibly();
      server.stop(0);
    }
  }

  private void haveProcess(String name, String text) throws Exception {
    haveProcess(name, text, Map.of());
  }

  private void haveProcess(String name, String text, Map<String, String> keys) throws Exception {
    haveProcess(name, text, keys, 1);
  }

  private void haveProcess(String name, String text, Map<String, String> keys, int web)
      throws Exception {
    folder.locked(() -> true);
    folder.writeConfiguration(
        ClusterConfig.shipped()
            .with(keys)
            .with(
                new ClusterPlan(1, 1, OptionalInt.empty(), false, Map.of())
                    .settings(
                        ClusterConfig.shipped().settings(),
                        folder,
                        new ClusterPlan.Ports(List.of(web), 1, OptionalInt.empty()))));
    Files.writeString(folder.pidFile(name), text);
  }

  /** Only the number of its jobs cannot be told. */
  @Test
  void aClusterWhoseKeysAreGoneIsEnded() throws Exception {
    folder.locked(() -> true);
    String mark = ClusterProcess.mark(folder, "jobmanager");
    Process process = new ProcessBuilder("sh", "-c", "read line", "sh", mark).start();
    try {
      haveProcess("jobmanager", Long.toString(process.pid()), ClusterKeys.make(folder));
      ClusterFolder.remove(folder.tls());
      Result down = run("down");
      assertThat(down).isEqualTo(new Result(0, down.out(), ""));
      assertThat(down.out()).startsWith("ended jobmanager");
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void whatJobManagersKeepForEachOtherIsItsOwnersAlone_andGoesWithTheCluster() throws Exception {
    folder.locked(() -> true);
    folder.makeHighAvailability(2181);
    for (Path kept : List.of(folder.highAvailability(), folder.root().resolve("zookeeper"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
          .isEqualTo("rwx------");
    }
    // Of a cluster that has died, too.
    haveProcess("jobmanager", Long.toString(ProcessHandle.current().pid()));
    assertThat(run("down").exitCode()).isZero();
    assertThat(folder.highAvailability()).doesNotExist();
    assertThat(folder.root().resolve("zookeeper")).doesNotExist();
    assertThat(folder.checkpoints()).exists();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--task-managers 0 | --task-managers 0: a number from 1 to 64 is needed",
        "--tls --ha | --tls and --ha: only one of them is possible, as ZooKeeper would be open to everybody on this machine",
        "--slots 65 | --slots 65: a number from 1 to 64 is needed",
        "--slots two | --slots two: a whole number is needed (see braid cluster up --help)",
        "--port 65536 | --port 65536: a number from 0 to 65535 is needed",
        "--prometheus-port 65535 | --prometheus-port 65535: a number from 1 to 65435 is needed",
        "-D=a_b:c=1 | -D 'a_b:c' is no key of Flink's: letters, digits, dots and dashes are needed",
        "-D=rest.port=1 | -D rest.port: --port is needed for that",
        "-D=a.b=1\tc | -D a.b: a value of one line is needed",
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
    assertThat(err).hasToString("braid: flink: only the launcher ./braid can start it\n");
  }
}
