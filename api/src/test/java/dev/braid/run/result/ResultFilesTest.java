package dev.braid.run.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.braid.files.WholeFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ResultFilesTest {

  private static final Duration LONG = Duration.ofDays(1);
  private static final Duration SHORT = Duration.ofMillis(1);

  @TempDir private Path folder;

  private static WholeFile.Content text(String text) {
    return out -> out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A write that hangs until it is released, even if it is interrupted. */
  private static final class Hanging implements WholeFile.Content {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);

    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write('x');
      begun.countDown();
      boolean interrupted = false;
      while (finish.getCount() > 0) {
        try {
          finish.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void ofSeveralContentsTheNewestIsWritten() throws Exception {
    Path file = folder.resolve("file");
    Path other = folder.resolve("other");
    Hanging hanging = new Hanging();
    try (ResultFiles files = new ResultFiles(LONG)) {
      files.write(other.toString(), hanging);
      hanging.begun.await();
      for (int i = 0; i < 10; i++) {
        files.write(file.toString(), text("content " + i));
      }
      hanging.finish.countDown();
      assertThat(files.await(file.toString(), LONG)).isEmpty();
      assertThat(file).hasContent("content 9");
    }
  }

  @Test
  void aDiskThatDoesNotAnswerIsWaitedForAsLongAsIsWanted() throws Exception {
    Path file = folder.resolve("file");
    Hanging hanging = new Hanging();
    try (ResultFiles files = new ResultFiles(LONG)) {
      files.write(file.toString(), hanging);
      hanging.begun.await();
      assertThat(files.await(file.toString(), SHORT))
          .hasValue(file + " cannot be written: the disk does not respond");
      assertThat(files.troubles(System.nanoTime())).isEmpty();
      assertThat(files.troubles(System.nanoTime() + Duration.ofMinutes(1).toNanos()))
          .containsExactly(file + " cannot be written: the disk does not respond");
      hanging.finish.countDown();
      assertThat(files.await(file.toString(), LONG)).isEmpty();
      assertThat(file).hasContent("x");
    }
  }

  /** A large model takes a while on a disk that works. */
  @Test
  void aFileThatGoesOnBeingWrittenIsNoTrouble_howeverLongItTakes() throws Exception {
    Path file = folder.resolve("file");
    Hanging secondPiece = new Hanging();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch firstPiece = new CountDownLatch(1);
    try (ResultFiles files = new ResultFiles(LONG)) {
      files.write(
          file.toString(),
          out -> {
            begun.countDown();
            assertThatCode(firstPiece::await).doesNotThrowAnyException();
            secondPiece.writeTo(out);
          });
      begun.await();
      long sinceBeginning = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      assertThat(files.troubles(sinceBeginning + 1)).hasSize(1);
      firstPiece.countDown();
      secondPiece.begun.await();
      assertThat(files.troubles(sinceBeginning)).isEmpty();
      secondPiece.finish.countDown();
      assertThat(files.await(file.toString(), LONG)).isEmpty();
    }
  }

  @Test
  void whatCouldNotBeWrittenIsTriedAgain() throws Exception {
    Path inTheWay = Files.createFile(folder.resolve("folder"));
    Path file = inTheWay.resolve("file");
    String reason = file + " cannot be written: " + inTheWay + " is not a folder";
    try (ResultFiles files = new ResultFiles(SHORT)) {
      files.write(file.toString(), text("content"));
      await("the failure to write")
          .atMost(Duration.ofMinutes(1))
          .pollInterval(SHORT)
          .until(() -> files.troubles(0).contains(reason));
      Files.delete(inTheWay);
      await("the file")
          .atMost(Duration.ofMinutes(1))
          .pollInterval(SHORT)
          .until(() -> files.troubles(0).isEmpty());
      assertThat(file).hasContent("content");
    }
  }

  @Test
  void anErrorInTheContentIsATroubleOfThatFileAlone() throws Exception {
    Path file = folder.resolve("file");
    Path bad = folder.resolve("bad");
    try (ResultFiles files = new ResultFiles(LONG)) {
      files.write(
          bad.toString(),
          out -> {
            throw new OutOfMemoryError("as the test wants");
          });
      files.write(file.toString(), text("content"));
      assertThat(files.await(file.toString(), LONG)).isEmpty();
      assertThat(files.await(bad.toString(), LONG))
          .hasValue(bad + " cannot be written: java.lang.OutOfMemoryError: as the test wants");
    }
  }

  @Test
  void whatWaitsIsWrittenBeforeTheEnd() throws Exception {
    Path inTheWay = Files.createFile(folder.resolve("folder"));
    Path file = inTheWay.resolve("file");
    try (ResultFiles files = new ResultFiles(LONG)) {
      files.write(file.toString(), text("content"));
      assertThat(files.await(file.toString(), LONG)).isPresent();
      Files.delete(inTheWay);
    }
    assertThat(file).hasContent("content");
  }

  /** A later attempt of the job has written the file meanwhile. */
  @Test
  void whatHangsAtTheEndIsGivenUp_andReplacesNothingLater() throws Exception {
    Path file = folder.resolve("file");
    Hanging hanging = new Hanging();
    ResultFiles files = new ResultFiles(LONG, SHORT);
    files.write(file.toString(), hanging);
    hanging.begun.await();
    files.close();
    Files.writeString(file, "newer");
    hanging.finish.countDown();
    files.join();
    assertThat(file).hasContent("newer");
    try (var entries = Files.list(folder)) {
      assertThat(entries).containsExactly(file);
    }
  }
}
