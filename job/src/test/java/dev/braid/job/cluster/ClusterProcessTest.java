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

  /** A process that lives until it is ended, and has these words in its command line. */
  private long process(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "read line", "sh"));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).start();
    started.add(process);
    return process.pid();
  }

  private ClusterProcess written(String name, Object text) throws IOException {
    Files.writeString(folder.pidFile(name), text + "\n");
    return ClusterProcess.read(folder, name, folder.pidFile(name));
  }

  @Test
  void aProcessRunsUntilItIsEnded() throws Exception {
    ClusterProcess process = written(NAME, process(ClusterProcess.mark(folder, NAME), "more"));
    assertThat(process.state()).isEqualTo(State.RUNS);
    ClusterEnd end = ClusterEnd.of(folder, folder.processes());
    assertThat(end.ended()).containsExactly(process.shown());
    assertThat(end.left()).isEmpty();
    assertThat(process.state()).isEqualTo(State.GONE);
    assertThat(folder.processes()).isEmpty();
  }

  /** As when a TaskManager that is added does not start: the others need what is temporary. */
  @Test
  void whatIsTemporaryStaysAsLongAsAnyOfThemRuns() throws Exception {
    Files.createDirectories(folder.tmp());
    ClusterProcess one = written(NAME, process(ClusterProcess.mark(folder, NAME)));
    String other = "taskmanager-2";
    ClusterProcess two = written(other, process(ClusterProcess.mark(folder, other)));
    ClusterEnd.of(folder, List.of(two));
    assertThat(one.state()).isEqualTo(State.RUNS);
    assertThat(folder.tmp()).exists();
    ClusterEnd.of(folder, List.of(one));
    assertThat(folder.tmp()).doesNotExist();
  }

  /** Its command line may be longer than what the system shows of one. */
  @Test
  void aLongCommandLineDoesNotHideTheMark() throws Exception {
    String longWord = "x".repeat(50_000);
    ClusterProcess process = written(NAME, process(ClusterProcess.mark(folder, NAME), longWord));
    assertThat(process.state()).isEqualTo(State.RUNS);
  }

  @Test
  void anotherProgramWithItsNumberIsLeftAlone() throws Exception {
    long other = process(ClusterProcess.mark(folder, "taskmanager-10"));
    ClusterProcess process = written(NAME, other);
    assertThat(process.state()).isEqualTo(State.STRANGER);
    ClusterEnd end = ClusterEnd.of(folder, folder.processes());
    assertThat(end.ended()).isEmpty();
    assertThat(ProcessHandle.of(other)).hasValueSatisfying(it -> assertThat(it.isAlive()).isTrue());
    assertThat(folder.pidFile(NAME)).doesNotExist();
  }

  @Test
  void aNumberThatNobodyHasIsOfOneThatIsGone() throws Exception {
    assertThat(written(NAME, "999999999999").state()).isEqualTo(State.GONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "0", "12 13", "99999999999999999999999999999999999999"})
  void whatIsNoNumberIsRefused(String text) {
    assertThatThrownBy(() -> written(NAME, text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(folder.pidFile(NAME) + ": no number of a process; remove the file");
  }

  @Test
  void processesAreInTheOrderOfTheirNumbers() throws Exception {
    for (String name :
        List.of("taskmanager-10", "jobmanager-2", "taskmanager-2", "jobmanager", "taskmanager-1")) {
      written(name, 999999999999L);
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
