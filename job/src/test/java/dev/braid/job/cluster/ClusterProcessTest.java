package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.cluster.ClusterProcess.State;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterProcessTest {

  private static final String NAME = "taskmanager-1";

  /** Number greater than that of any process. */
  private static final long NOBODY = 999_999_999_999L;

  private static final String CLUSTER = "0f0f-1";

  @TempDir private Path root;

  private final List<Process> started = new ArrayList<>();
  private ClusterFolder folder;

  @BeforeEach
  void make() throws Exception {
    folder = ClusterFolder.at(root.resolve("a cluster"));
    folder.locked(() -> true);
  }

  @AfterEach
  void kill() {
    started.forEach(Process::destroyForcibly);
  }

  /**
   * Starts a process that runs until it is ended and has these words in its command line; returns
   * its number.
   */
  private long process(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "read line", "sh"));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).start();
    started.add(process);
    return process.pid();
  }

  private ClusterProcess written(String name, long pid) throws IOException {
    return written(ClusterProcess.started(name, pid, mark(name)));
  }

  private ClusterProcess written(ClusterProcess process) throws IOException {
    process.write(folder.pidFile(process.name()));
    ClusterProcess read = ClusterProcess.read(process.name(), folder.pidFile(process.name()));
    assertThat(read).isEqualTo(process);
    return read;
  }

  private static String mark(String name) {
    return ClusterProcess.mark(CLUSTER, name);
  }

  private static ClusterProcess at(ClusterProcess.Place place, ClusterProcess process) {
    return new ClusterProcess(
        process.name(), process.pid(), process.start(), place, process.mark());
  }

  @Test
  void aProcessRunsUntilItIsEnded() throws Exception {
    ClusterProcess process = written(NAME, process(mark(NAME), "more"));
    assertThat(process.state()).isEqualTo(State.RUNS);
    ClusterEnd end = ClusterEnd.endAll(folder, folder.processes());
    assertThat(end.ended()).containsExactly(process.shown());
    assertThat(end.left()).isEmpty();
    assertThat(process.state()).isEqualTo(State.GONE);
    assertThat(folder.processes()).isEmpty();
  }

  /** A stopped process does not react to SIGTERM. */
  @Test
  void aProcessThatIsStoppedIsToldAndEnded() throws Exception {
    ClusterProcess process = written(NAME, process(mark(NAME)));
    BraidProcess.suspend(process.pid());
    assertThat(process.state()).isEqualTo(State.STOPPED);
    assertThat(process.hasEnded()).isFalse();
    ClusterEnd end = ClusterEnd.endAll(folder, folder.processes());
    assertThat(end.ended()).containsExactly(process.shown());
    assertThat(process.state()).isEqualTo(State.GONE);
  }

  /** Machines and containers may share a disk. */
  @Test
  void whatRunsElsewhereMayRun_andNothingOfItIsRemoved() throws Exception {
    ClusterProcess.Place here = ClusterProcess.Place.here();
    ClusterProcess.Place otherMachine =
        new ClusterProcess.Place("other", "boot", here.namespace(), here.user());
    ClusterProcess.Place otherContainer =
        new ClusterProcess.Place(here.host(), here.boot(), "pid:[1]", here.user());
    Files.createDirectories(folder.tmp());
    for (ClusterProcess.Place place : List.of(otherMachine, otherContainer)) {
      ClusterProcess process = written(at(place, written(NAME, NOBODY)));
      assertThat(process.state()).isEqualTo(State.UNKNOWN);
      ClusterEnd end = ClusterEnd.endAll(folder, folder.processes());
      assertThat(end.ended()).isEmpty();
      assertThat(end.left()).hasSize(1);
      assertThat(folder.pidFile(NAME)).exists();
      assertThat(folder.tmp()).exists();
    }
  }

  @Test
  void aRestartOfTheMachineEndsProcesses() throws Exception {
    ClusterProcess.Place here = ClusterProcess.Place.here();
    ClusterProcess.Place before =
        new ClusterProcess.Place(here.host(), "earlier", here.namespace(), here.user());
    ClusterProcess process = written(NAME, process(mark(NAME)));
    assertThat(written(at(before, process)).state()).isEqualTo(State.GONE);
  }

  /** If an added TaskManager does not start, the others still need the temporary files. */
  @Test
  void whatIsTemporaryStaysAsLongAsAnyOfThemRuns() throws Exception {
    Files.createDirectories(folder.tmp());
    ClusterProcess one = written(NAME, process(mark(NAME)));
    String other = "taskmanager-2";
    ClusterProcess two = written(other, process(mark(other)));
    ClusterEnd.endAll(folder, List.of(two));
    assertThat(one.state()).isEqualTo(State.RUNS);
    assertThat(folder.tmp()).exists();
    ClusterEnd.endAll(folder, List.of(one));
    assertThat(folder.tmp()).doesNotExist();
  }

  /** The command line may be longer than what the system shows of it. */
  @Test
  void aLongCommandLineDoesNotHideTheMark() throws Exception {
    String longWord = "x".repeat(50_000);
    ClusterProcess process = written(NAME, process(mark(NAME), longWord));
    assertThat(process.state()).isEqualTo(State.RUNS);
  }

  /** The start time differs, although the mark is the same. */
  @Test
  void anotherProgramWithItsNumberIsLeftAlone() throws Exception {
    long other = process(mark(NAME));
    ClusterProcess started = ClusterProcess.started(NAME, other, mark(NAME));
    ClusterProcess process =
        written(new ClusterProcess(NAME, other, "1", started.place(), mark(NAME)));
    assertThat(process.state()).isEqualTo(State.STRANGER);
    ClusterEnd end = ClusterEnd.endAll(folder, folder.processes());
    assertThat(end.ended()).isEmpty();
    assertThat(ProcessHandle.of(other)).hasValueSatisfying(it -> assertThat(it.isAlive()).isTrue());
    assertThat(folder.pidFile(NAME)).doesNotExist();
  }

  @Test
  void aProcessWithoutItsMarkIsNeitherEndedNorForgotten() throws Exception {
    long other = process(mark("taskmanager-10"));
    ClusterProcess process = written(NAME, other);
    assertThat(process.state()).isEqualTo(State.UNKNOWN);
    assertThat(ClusterEnd.endAll(folder, folder.processes()).left()).hasSize(1);
    assertThat(ProcessHandle.of(other)).hasValueSatisfying(it -> assertThat(it.isAlive()).isTrue());
    assertThat(folder.pidFile(NAME)).exists();
  }

  @Test
  void aNumberThatNobodyHasIsOfOneThatIsGone() throws Exception {
    assertThat(written(NAME, NOBODY).state()).isEqualTo(State.GONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "0", "12", "12 13", "99999999999999999999999999999999999"})
  void whatIsNoRecordIsRefused(String number) throws Exception {
    written(NAME, NOBODY);
    String rest = Files.readString(folder.pidFile(NAME)).replaceFirst(".*\n", "");
    for (String text : List.of(number, number.equals("12") ? number : number + "\n" + rest)) {
      Files.writeString(folder.pidFile(NAME), text);
      assertThatThrownBy(() -> ClusterProcess.read(NAME, folder.pidFile(NAME)))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining(folder.pidFile(NAME).toString());
    }
  }

  @Test
  void aFileOfAnotherNameIsNoRecord() throws Exception {
    written(NAME, NOBODY);
    Path other = folder.pidFile("taskmanager-2");
    Files.move(folder.pidFile(NAME), other);
    assertThatThrownBy(() -> ClusterProcess.read("taskmanager-2", other))
        .isInstanceOf(UsageException.class);
  }

  /** A folder cannot be read as a file. */
  @Test
  void aFileThatCannotBeReadIsAMistake() throws Exception {
    Files.createDirectories(folder.pidFile(NAME));
    assertThatThrownBy(() -> folder.processes()).isInstanceOf(UsageException.class);
  }

  @Test
  void processesAreInTheOrderOfTheirNumbers() throws Exception {
    for (String name :
        List.of("taskmanager-10", "jobmanager-2", "taskmanager-2", "jobmanager", "taskmanager-1")) {
      written(name, NOBODY);
    }
    assertThat(folder.processes())
        .extracting(ClusterProcess::name)
        .containsExactly(
            "jobmanager", "jobmanager-2", "taskmanager-1", "taskmanager-2", "taskmanager-10");
  }

  @Test
  void aFolderThatCannotBeWrittenToIsRefused() throws IOException {
    Path file = Files.writeString(root.resolve("file"), "no folder");
    assertThatThrownBy(() -> ClusterFolder.at(file.resolve("below")).locked(() -> true))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--folder ");
  }

  @Test
  void aFolderIsOnesUntilTheWorkThereEnds() throws Exception {
    assertThatThrownBy(() -> folder.locked(() -> folder.locked(() -> true)))
        .isInstanceOf(OverlappingFileLockException.class);
    assertThat(folder.locked(() -> true)).isTrue();
  }

  @Test
  void whatIsTemporaryGoesAndNothingBehindALink() throws IOException {
    Path kept = Files.createDirectories(root.resolve("kept"));
    Files.writeString(kept.resolve("file"), "kept");
    Files.createDirectories(folder.tmp().resolve("below"));
    Files.createSymbolicLink(folder.tmp().resolve("link"), kept);
    folder.removeTemporary();
    assertThat(folder.tmp()).doesNotExist();
    assertThat(kept.resolve("file")).exists();
  }
}
