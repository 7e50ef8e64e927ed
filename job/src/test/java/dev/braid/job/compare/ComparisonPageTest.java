package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.job.report.Json;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonPageTest {

  private static final String HOSTILE = "</script><script>alert(1)</script><!-- & \"";
  private static final Pattern DATA =
      Pattern.compile(
          "<script id=\"data\" type=\"application/json\">(.*?)</script>", Pattern.DOTALL);

  private final String page =
      ComparisonPage.of(
          List.of(
              Histories.run("ring", "{\"workers\":4,\"exchange\":\"ring\",\"out\":\"a\"}"),
              Histories.run(HOSTILE, "{\"workers\":4,\"exchange\":\"ako\",\"out\":\"b\"}"),
              Histories.failed("gossip", "lost & <gone>")),
          List.of("made <here>"));

  @TempDir private Path folder;

  @Test
  void loadsNothing() {
    assertThat(page).contains("Content-Security-Policy\" content=\"default-src 'none';");
    String markup = page.replaceAll("(?s)<script.*?</script>|<style.*?</style>", "");
    assertThat(markup).doesNotContainPattern("(src|href|action|data|poster)\\s*=");
    assertThat(page)
        .doesNotContainPattern("<(link|img|iframe|object|embed)\\b")
        .doesNotContain("@import", "url(", "sourceMappingURL");
  }

  @Test
  void hasTheLibraryWithItsLicence() {
    assertThat(page)
        .contains("Chart.js v", "The above copyright notice and this permission notice");
  }

  @Test
  void dataStaysData() {
    Matcher matcher = DATA.matcher(page);
    assertThat(matcher.find()).isTrue();
    JsonNode data = Json.read(matcher.group(1), JsonNode.class);
    assertThat(data.at("/target").isNull()).isTrue();
    assertThat(data.at("/runs").size()).isEqualTo(2);
    assertThat(data.at("/runs/1/name").textValue()).isEqualTo(HOSTILE);
    assertThat(data.at("/runs/0/epochs/1/accuracy").doubleValue()).isEqualTo(0.97);
    assertThat(data.at("/runs/0/epochs/1/bytesPerWorker").doubleValue()).isEqualTo(2000);
    assertThat(data.at("/runs/0/shares/0").doubleValue()).isEqualTo(0.375);
    assertThat(page).doesNotContain("<script>alert");
  }

  @Test
  void saysWhatWasTheSameAndWhatWasNot() {
    assertThat(page)
        .contains("<dt>--workers</dt><dd>4</dd>")
        .contains("<dt>machine</dt><dd>a machine</dd>")
        .contains("<h3>ring</h3><dl><dt>--exchange</dt><dd>ring</dd></dl>")
        .contains("<small>lost &amp; &lt;gone&gt;</small>")
        .contains("<p>made &lt;here&gt;</p>")
        .doesNotContain("{{", "--out");
  }

  /** Where Chromium is installed: its engine runs the script, and the script draws all plots. */
  @Test
  void aBrowserDrawsThePlots() throws Exception {
    Optional<Path> chromium = chromium();
    assumeThat(chromium).as("no Chromium here").isPresent();
    Path file = Files.writeString(folder.resolve("page.html"), page);
    Path dom = folder.resolve("dom.html");
    Process browser =
        new ProcessBuilder(
                chromium.orElseThrow().toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + folder.resolve("profile"),
                "--virtual-time-budget=5000",
                "--dump-dom",
                file.toUri().toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(dom.toFile())
            .start();
    try {
      assertThat(browser.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      browser.destroyForcibly();
    }
    assertThat(Files.readString(dom)).contains("data-plots=\"4\"");
  }

  private static Optional<Path> chromium() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(place -> Path.of(place, "chromium"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
