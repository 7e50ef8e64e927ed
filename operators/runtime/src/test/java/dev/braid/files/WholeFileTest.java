package dev.braid.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

  @TempDir private Path folder;

  private static WholeFile.Content text(String text) {
    return out -> out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void makesFoldersAndReplacesWhatWasThere() throws IOException {
    Path file = folder.resolve("a folder/in it/file");
    WholeFile.write(file, text("first"));
    WholeFile.write(file.toString(), text("second"));
    WholeFile.write(file.toUri().toString().replace("%20", " "), text("third"));
    assertThat(file).hasContent("third");
    assertThat(entries(file.getParent())).containsExactly("file");
  }

  @Test
  void aFileThatCouldNotBeWrittenLeavesTheOldOne() throws IOException {
    Path file = Files.writeString(folder.resolve("model.zip"), "good");
    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    out -> {
                      out.write(1);
                      throw new IOException("disk full");
                    }))
        .hasMessage("disk full");
    assertThat(file).hasContent("good");
    assertThat(entries(folder)).containsExactly("model.zip");
  }

  @Test
  void aFileHasTheModeOfAnyOther() throws IOException {
    assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"), "no modes");
    Path other = Files.createFile(folder.resolve("other"));
    String umask = PosixFilePermissions.toString(Files.getPosixFilePermissions(other));
    assumeTrue(!umask.equals("rw-------"), "a umask as that of temporary files");
    Path file = folder.resolve("file");
    WholeFile.write(file, text("new"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo(umask);
  }

  @Test
  void aTemporaryFolderForResultsHasTheModeOfAnyOther() throws IOException {
    assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"), "no modes");
    Path other = Files.createDirectory(folder.resolve("other"));
    Path made = WholeFile.newTemporaryFolder("braid-test-");
    try {
      assertThat(Files.getPosixFilePermissions(made))
          .isEqualTo(Files.getPosixFilePermissions(other));
    } finally {
      Files.delete(made);
    }
  }

  @Test
  void contentIsOnTheDiskBeforeItsNameAndTheNameBeforeTheEnd() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "old");
    List<String> forced = new ArrayList<>();
    WholeFile.write(
        file,
        text("new"),
        path -> {
          String what = Files.isDirectory(path) ? "the folder" : Files.readString(path);
          forced.add(what + " while the file is " + Files.readString(file));
        });
    assertThat(forced)
        .containsExactly("new while the file is old", "the folder while the file is new");
  }

  @Test
  void aDiskThatCannotForceTheContentHasNotWrittenIt() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "old");
    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    text("new"),
                    path -> {
                      throw new IOException("Input/output error");
                    }))
        .hasMessage("Input/output error");
    assertThat(file).hasContent("old");
    assertThat(entries(folder)).containsExactly("file");
  }

  @Test
  void oneThatWasGivenUpReplacesNothing() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "newer");
    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    out -> {
                      out.write(1);
                      Thread.currentThread().interrupt();
                    },
                    path -> {}))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(file).hasContent("newer");
    assertThat(entries(folder)).containsExactly("file");
  }

  @Test
  void saysWhyAFileCouldNotBeWritten() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> WholeFile.write(file.resolve("in a file"), text("x")))
        .isInstanceOfSatisfying(
            IOException.class,
            e -> assertThat(WholeFile.reason(e)).isEqualTo(file + " is not a folder"));
    assertThat(WholeFile.reason(new IOException("No space left on device")))
        .isEqualTo("No space left on device");
    assertThat(WholeFile.reason(new IOException())).isEqualTo("IOException");
  }

  private static List<String> entries(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
