package dev.braid.job.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PlacesTest {

  @Test
  void whatIsBelowTheWorkingFolderIsShownFromThere() {
    Path here = Path.of("").toAbsolutePath();
    assertThat(Places.shown(here.resolve("out/model.zip"))).isEqualTo("out/model.zip");
    assertThat(Places.shown(here.resolve("a/../out").toString())).isEqualTo("out");
    assertThat(Places.inShell(here.resolve("my runs/1").toString())).isEqualTo("'my runs/1'");
    assertThat(Places.inShell("/x/it's $(mine)")).isEqualTo("'/x/it'\\''s $(mine)'");
    assertThat(Places.inShell("file:///x/a-b_1.zip")).isEqualTo("file:///x/a-b_1.zip");
  }

  @Test
  void pathsInASentenceAreShownFromTheWorkingFolder() {
    String here = Path.of("").toAbsolutePath().toString();
    assertThat(Places.within(here + "/a.csv:3: no label, as in " + here + "/b/c.csv"))
        .isEqualTo("a.csv:3: no label, as in b/c.csv");
    for (String other : new String[] {"/elsewhere" + here + "/a.csv: x", here + ": y", "z"}) {
      assertThat(Places.within(other)).isEqualTo(other);
    }
  }

  @Test
  void otherPlacesAreShownWhole() {
    assertThat(Places.shown("/elsewhere/model.zip")).isEqualTo("/elsewhere/model.zip");
    assertThat(Places.shown("s3://bucket/model.zip")).isEqualTo("s3://bucket/model.zip");
    assertThat(Places.shown(Path.of("").toAbsolutePath())).startsWith("/");
  }
}
