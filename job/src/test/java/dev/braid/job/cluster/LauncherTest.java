package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Conditions under which the launcher builds, in a small tree of sources. A script replaces Maven,
 * which takes minutes, and creates the same files; {@link ClusterCommandITCase} runs on the real
 * build.
 */
class LauncherTest {

  private static final String SOURCE = "job/src/main/java/Main.java";

  /** Script instead of Java that prints the content of the jar. */
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      case $* in
        *-XshowSettings*) echo '    java.specification.version = 17' >&2 ;;
        *-Dsaid*) echo "$@" ;;
        *) while [ "$1" != -cp ]; do shift; done; cat "${2%%:*}" ;;
      esac
      """;

  /**
   * Script instead of Maven that writes a jar with the content of the source, and a library named
   * after it.
   */
  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      set -e
      cd "$HOME_OF_BRAID"
      echo built >>builds
      for word; do case $word in -Dbraid.target=*) target=${word#*=} ;; esac; done
      sources="pom.xml conf job/pom.xml job/src operators connectors chaos job/broker/pom.xml job/broker/src"
      mkdir -p job/{,broker/}$target/{lib,classes} job/$target/cluster-lib
      cp --parents -r $sources job/$target/lib
      content=$(cat job/src/main/java/Main.java)
      [ ! -e begun ] || { echo begun >begun; cat gate >/dev/null; }
      [ "$content" != wrong ] || { echo '[ERROR] wrong'; exit 1; }
      mv job/$target/lib job/$target/sources
      mkdir job/$target/lib
      echo "$content" >job/$target/braid.jar
      touch job/$target/lib/$content.jar
      """;

  private static final List<String> MODULES =
      List.of(
          "operators/algorithms",
          "operators/learner",
          "operators/runtime",
          "connectors",
          "connectors/mnist",
          "chaos",
          "job",
          "job/broker");

  /** Enough for a script. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path root;

  private final List<Process> started = new ArrayList<>();
  private Path home;

  private record Said(int exitCode, String out, String err) {}

  @BeforeEach
  void make() throws Exception {
    home = root.resolve("a checkout");
    for (String module : MODULES) {
      write(module + "/pom.xml", "<project/>");
      write(module + "/src/main/java/Some.java", module);
    }
    write("pom.xml", "<project>\n  <version>7.8</version>\n</project>\n");
    write("conf/config.yaml", "a: b");
    write(SOURCE, "one");
    Files.copy(Path.of("..", "braid"), home.resolve("braid"), StandardCopyOption.COPY_ATTRIBUTES);
    Path bin = Files.createDirectories(root.resolve("jdk/bin"));
    program(bin.resolve("java"), JAVA);
    program(bin.resolve("javac"), "");
    program(bin.resolve("mvn"), MAVEN);
  }

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  private void write(String file, String text) throws IOException {
    Path path = home.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private static void program(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Process start(String... words) throws IOException {
    return start("braid", List.of(words));
  }

  private Process start(String script, List<String> words) throws IOException {
    List<String> command = new ArrayList<>(List.of(home.resolve(script).toString()));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
    builder.environment().put("HOME_OF_BRAID", home.toString());
    builder.environment().merge("PATH", "", (path, none) -> root.resolve("jdk/bin") + ":" + path);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private Said run(String... words) throws Exception {
    return run("braid", List.of(words));
  }

  private Said run(String script, List<String> words) throws Exception {
    Process process = start(script, words);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), out.strip(), err);
  }

  private void haveMavenWait() throws Exception {
    assumeThat(Path.of("/usr/bin/flock")).exists();
    Process mkfifo = new ProcessBuilder("mkfifo", "begun", "gate").directory(home.toFile()).start();
    assertThat(mkfifo.waitFor()).isZero();
  }

  private void awaitMaven() throws IOException {
    // Opening the pipe blocks until Maven opens it, and cannot be interrupted.
    assertThat(CompletableFuture.supplyAsync(() -> contentOf(home.resolve("begun"))))
        .succeedsWithin(PATIENCE)
        .asString()
        .isNotEmpty();
    Files.delete(home.resolve("begun"));
  }

  private static String contentOf(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void letMavenGoOn() throws IOException {
    Files.writeString(home.resolve("gate"), "go", StandardOpenOption.WRITE);
  }

  private long builds() throws IOException {
    Path builds = home.resolve("builds");
    return Files.exists(builds) ? Files.readAllLines(builds).size() : 0;
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "train --help", "help train", "cluster up -h", "flink run -h"})
  void whereNothingIsBuiltHelpNamesTheCommands(String words) throws Exception {
    Said help = run(words.split(" ", -1));
    assertThat(help.exitCode()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out().split("[\\s,]+", -1))
        .contains(
            Main.commandLine(new Terminal(System.out, false, false, () -> 80))
                .getSubcommands()
                .keySet()
                .toArray(String[]::new));
    assertThat(builds()).isZero();
  }

  /** Commands to copy begin with the command that was typed. */
  @Test
  void processesKnowHowTheyWereStarted() throws Exception {
    String braid = home.resolve("braid").toString().replace(" ", "\\ ");
    assertThat(run("train", "-Dsaid").out()).contains("-Dbraid.command=" + braid + " -");
    write("a cluster/conf/config.yaml", "a: b");
    String folder = home.resolve("a cluster").toString();
    assertThat(run("flink", "--folder", folder, "list", "-Dsaid").out())
        .contains("-Dbraid.flink=" + braid + " flink --folder " + folder.replace(" ", "\\ "));
  }

  @Test
  void whereNothingIsBuiltTheVersionIsThatOfTheSources() throws Exception {
    assertThat(run("version")).isEqualTo(new Said(0, "braid 7.8", ""));
    assertThat(run("--version")).isEqualTo(new Said(0, "braid 7.8", ""));
    assertThat(run("train", "-V")).isEqualTo(new Said(0, "braid 7.8", ""));
    assertThat(run().exitCode()).isEqualTo(2);
    assertThat(builds()).isZero();
  }

  /**
   * Standard output must have only the command's output, because it may be a pipe for predictions.
   */
  @Test
  void theFirstRunBuilds_andOthersDoNot() throws Exception {
    Said first = run("train");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out()).isEqualTo("one");
    assertThat(run("train")).isEqualTo(new Said(0, "one", ""));
    assertThat(builds()).isEqualTo(1);
  }

  /** A manual build leaves no checksum. */
  @Test
  void whatMavenHasBuiltIsNotBuiltAgain() throws Exception {
    run("train");
    Files.deleteIfExists(home.resolve("job/target/sources/checksum"));
    assertThat(run("train")).isEqualTo(new Said(0, "one", ""));
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void aCopyIsNotBuiltAgain() throws Exception {
    run("train");
    Path original = home;
    home = root.resolve("copy");
    Process cp = new ProcessBuilder("cp", "-r", original.toString(), home.toString()).start();
    assertThat(cp.waitFor()).isZero();
    // The sources may be copied after the jar.
    Files.setLastModifiedTime(
        home.resolve(SOURCE), FileTime.fromMillis(System.currentTimeMillis() + 60_000));
    assertThat(run("train")).isEqualTo(new Said(0, "one", ""));
    assertThat(builds()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {SOURCE, "pom.xml", "conf/config.yaml", "job/broker/pom.xml"})
  void otherContentIsBuilt_howeverOldItIs(String file) throws Exception {
    run("train");
    write(SOURCE, "two");
    write(file, file.equals(SOURCE) ? "two" : "other");
    Files.setLastModifiedTime(home.resolve(file), FileTime.fromMillis(0));
    Files.setLastModifiedTime(home.resolve(SOURCE), FileTime.fromMillis(0));
    assertThat(run("train", "--help")).isEqualTo(new Said(0, "one", ""));
    assertThat(run("train").out()).isEqualTo("two");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void aFileThatIsGoneIsAnotherContent() throws Exception {
    run("train");
    Files.delete(home.resolve("chaos/src/main/java/Some.java"));
    run("train");
    assertThat(builds()).isEqualTo(2);
    run("train");
    assertThat(builds()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"braid", "bin/braid"})
  void anUnpackedReleaseIsStartedWithoutABuild(String script) throws Exception {
    Path release = Files.createDirectories(root.resolve("a release/bin")).getParent();
    Files.writeString(release.resolve("braid.jar"), "released\n");
    Path checkout = home.resolve("braid");
    home = release;
    Files.copy(checkout, release.resolve(script), StandardCopyOption.COPY_ATTRIBUTES);
    assertThat(run(script, List.of("train"))).isEqualTo(new Said(0, "released", ""));
    assertThat(run(script, List.of("version"))).isEqualTo(new Said(0, "released", ""));
    assertThat(run(script, List.of("kafka", "-Dsaid")).out())
        .endsWith(" " + release + "/broker-lib/* dev.braid.broker.Broker -Dsaid");
    assertThat(builds()).isZero();
  }

  @Test
  void librariesAreThoseOfTheLastBuild() throws Exception {
    run("train");
    Path lib = home.resolve("job/target/lib");
    assertThat(lib.resolve("one.jar")).exists();
    write(SOURCE, "two");
    run("train");
    assertThat(lib.toFile().list()).containsExactly("two.jar");
  }

  @Test
  void aBuildThatFailsLeavesWhatThereWas_andIsTriedAgain() throws Exception {
    run("train");
    write(SOURCE, "wrong");
    for (int i = 0; i < 2; i++) {
      Said failed = run("train");
      assertThat(failed.exitCode()).isEqualTo(1);
      assertThat(failed.out()).isEmpty();
      assertThat(failed.err()).contains("[ERROR] wrong");
      assertThat(run("--help")).isEqualTo(new Said(0, "one", ""));
    }
    assertThat(builds()).isEqualTo(3);
    write(SOURCE, "one");
    assertThat(run("train")).isEqualTo(new Said(0, "one", ""));
    write(SOURCE, "two");
    assertThat(run("train").out()).isEqualTo("two");
  }

  @Test
  void aBuildThatIsKilledLeavesWhatThereWas_andIsTriedAgain() throws Exception {
    run("train");
    write(SOURCE, "two");
    haveMavenWait();
    Process killed = start("train");
    awaitMaven();
    assertThat(run("--help")).isEqualTo(new Said(0, "one", ""));
    killed.destroyForcibly().waitFor();
    assertThat(run("--help")).isEqualTo(new Said(0, "one", ""));
    // Maven outlives the launcher.
    letMavenGoOn();
    assertThat(run("train").out()).isEqualTo("two");
    assertThat(builds()).isEqualTo(3);
  }

  @Test
  void oneOfTwoBuildsWaitsForTheOther() throws Exception {
    haveMavenWait();
    Process first = start("train");
    awaitMaven();
    Process second = start("train");
    assertThat(second.errorReader().readLine()).contains("waiting for another build");
    letMavenGoOn();
    for (Process process : List.of(first, second)) {
      assertThat(process.waitFor()).isZero();
      assertThat(process.getInputStream())
          .hasBinaryContent("one\n".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(builds()).isEqualTo(1);
  }
}
