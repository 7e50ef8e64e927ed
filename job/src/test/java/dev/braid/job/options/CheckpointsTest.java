package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.chaos.stream.RemoteDisk;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {

  private static final int REPLACED = 300;

  private final Semaphore looks = new Semaphore(0);

  @TempDir private Path folder;

  @Test
  void theNewestIsTheLastWritten_ofWhateverJob() throws Exception {
    Path old = checkpoint("b", 7, 1000);
    Path middle = checkpoint("a", 9, 2000);
    Path last = checkpoint("c", 1, 3000);
    Files.createDirectories(folder.resolve("c/chk-2"));

    assertThat(Checkpoints.below(folder)).containsExactly(last, middle, old);
    assertThat(Checkpoints.newestBelow(folder.resolve("a"))).contains(middle);
  }

  /**
   * A killed JobManager leaves an incomplete checkpoint; the newest complete one is the one before.
   */
  @Test
  void oneThatIsNotComplete_namesTheOneBesideIt() throws Exception {
    Path complete = checkpoint("job", 20, 1000);
    Path empty = Files.createDirectories(folder.resolve("job/chk-21"));

    assertThat(Checkpoints.newestBelow(folder)).contains(complete);
    assertThatThrownBy(() -> Validation.checkRestore(empty.toString()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(
            "--restore "
                + empty
                + ": no checkpoint or savepoint there: it must be a folder with a file _metadata,"
                + " for example "
                + complete);
  }

  @Test
  void onAnotherFileSystemItIsTheSame() throws Exception {
    Path first = checkpoint("a", 9, 1000);
    Path second = checkpoint("a", 10, 1000);
    Path last = checkpoint("b", 1, 2000);
    Files.createDirectories(folder.resolve("b/chk-2"));
    Path shared = Files.createDirectories(folder.resolve("b/shared"));
    Files.writeString(shared.resolve("_metadata"), "no checkpoint");

    // If times are equal, as those of object stores often are, the later one comes first.
    assertThat(Checkpoints.below(RemoteDisk.uri(folder)))
        .extracting(place -> place.replaceFirst("remote:/*", "/"))
        .containsExactly(last.toString(), second.toString(), first.toString());
    assertThat(Checkpoints.newestBelow(RemoteDisk.uri(folder.resolve("nowhere")))).isEmpty();
    Validation.checkRestore(RemoteDisk.uri(last));
    Validation.checkRestore(RemoteDisk.uri(last.resolve("_metadata")));
    String none = RemoteDisk.uri(folder.resolve("b"));
    assertThatThrownBy(() -> Validation.checkRestore(none))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--restore " + none + ": no checkpoint or savepoint there: ")
        .hasMessageEndingWith("/b/chk-1");
  }

  @Test
  void aPlaceIsBelowAnotherOfItsFileSystem() {
    assertThat(Checkpoints.isBelow(folder.toString(), folder.resolve("a/chk-1").toString()))
        .isTrue();
    assertThat(Checkpoints.isBelow("remote:///a", "remote:///a/b/chk-1")).isTrue();
    assertThat(Checkpoints.isBelow("remote:///a/", "remote:///a/b/chk-1")).isTrue();
    assertThat(Checkpoints.isBelow("remote:///a", "remote:///ab/chk-1")).isFalse();
    assertThat(Checkpoints.isBelow("/a", "remote:///a/b")).isFalse();
  }

  @Test
  void aFolderThatIsNotThere_hasNone() {
    assertThat(Checkpoints.below(folder.resolve("nowhere"))).isEmpty();
  }

  /**
   * A checkpoint is removed once there is the next one, as in a job; at most one for each reading.
   */
  @Test
  void whileAJobReplacesItsCheckpoint_oneIsAlwaysFound() throws Exception {
    checkpoint("job", 0, 0);
    CompletableFuture<Void> job = CompletableFuture.runAsync(this::replace);
    for (int look = 0; look < REPLACED; look++) {
      looks.release();
      assertThat(Checkpoints.newestBelow(folder)).as("look %d", look).isPresent();
    }
    job.get(1, TimeUnit.MINUTES);
  }

  @Test
  void onlyAFolderWithoutFilesIsRemoved() throws Exception {
    Files.createDirectories(folder.resolve("ended/shared"));
    Files.createDirectories(folder.resolve("ended/taskowned"));
    Path kept = checkpoint("kept", 1, 0);

    Checkpoints.removeEmpty(folder.resolve("ended"));
    Checkpoints.removeEmpty(folder.resolve("kept"));
    Checkpoints.removeEmpty(folder.resolve("nowhere"));

    assertThat(folder.resolve("ended")).doesNotExist();
    assertThat(kept.resolve("_metadata")).exists();
  }

  private void replace() {
    try {
      for (int i = 1; i <= REPLACED; i++) {
        looks.acquireUninterruptibly();
        checkpoint("job", i, i);
        Path before = folder.resolve("job/chk-" + (i - 1));
        Files.delete(before.resolve("_metadata"));
        Files.delete(before);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path checkpoint(String job, int number, long millis) throws IOException {
    Path checkpoint = folder.resolve(job).resolve("chk-" + number);
    Files.createDirectories(checkpoint);
    Path metadata = Files.writeString(checkpoint.resolve("_metadata"), "x");
    Files.setLastModifiedTime(metadata, FileTime.fromMillis(millis));
    return checkpoint;
  }
}
