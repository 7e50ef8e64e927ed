package dev.braid.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFilesTest {

  @TempDir private Path root;

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aFolderThatWasOpenToOthersIsTheOwnersAlone_withWhatIsInIt() throws IOException {
    Path open = Files.createDirectory(root.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path kept = Files.writeString(open.resolve("kept"), "it");
    PrivateFiles.folder(open);
    assertThat(mode(open)).isEqualTo("rwx------");
    assertThat(kept).hasContent("it");
    PrivateFiles.folder(root.resolve("made"));
    assertThat(mode(root.resolve("made"))).isEqualTo("rwx------");
  }

  /** The files are those that a killed broker leaves behind. */
  @Test
  void aFileIsWrittenWholeInPlaceOfAnother() throws IOException {
    Path file = Files.writeString(root.resolve("admin.properties"), "half");
    Files.writeString(root.resolve("admin.properties.part"), "half");
    PrivateFiles.write(file, "A user.", Map.of("lines", "one\ntwo"));
    assertThat(file).hasContent("# A user.\nlines=one\\ntwo\n");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(root).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void onePropertyIsReplaced_andAllOtherLinesStay() throws IOException {
    Path file = root.resolve("operator.properties");
    PrivateFiles.write(file, "A user.", Map.of("lines", "one\ntwo"));
    PrivateFiles.replace(file, "place", "a:1");
    PrivateFiles.replace(file, "place", "b:2");
    assertThat(file).hasContent("# A user.\nlines=one\\ntwo\nplace=b:2\n");
    assertThat(mode(file)).isEqualTo("rw-------");
  }
}
