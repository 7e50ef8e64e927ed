package dev.braid.job.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Chromium, if it is installed: its engine runs a page's script. */
public final class Browser {

  private final Path folder;

  /**
   * Creates a browser without a profile.
   *
   * @param folder for its files
   */
  public Browser(Path folder) {
    this.folder = folder;
  }

  /**
   * Opens a page, and leaves a screenshot for visual inspection in {@code target/screenshots}.
   * Without Chromium, the calling test is skipped.
   *
   * @param name of the screenshot
   * @param theme light or dark
   * @param width of the window, in pixels
   * @return the page as its script has changed it
   */
  public String look(String html, String name, String theme, int width) throws Exception {
    assumeThat(chromium()).as("no Chromium here").isPresent();
    Path file = Files.writeString(folder.resolve("page.html"), inAFrame(html, width));
    Path screenshot =
        Files.createDirectories(Path.of("target", "screenshots"))
            .resolve(name + "-" + theme + "-" + width + ".png")
            .toAbsolutePath();
    // Removes the screenshot of an earlier run.
    Files.deleteIfExists(screenshot);
    String dom = browse(file, theme, width, screenshot);
    assertThat(screenshot).isNotEmptyFile();
    return dom;
  }

  /** Returns a page with a frame of the requested width, because windows have a minimum width. */
  private static String inAFrame(String html, int width) {
    return """
        <!DOCTYPE html>
        <meta name="color-scheme" content="light dark">
        <style>body { margin: 0 } iframe { border: 0; width: %dpx; height: 2200px }</style>
        <iframe srcdoc="%s" onload="Object.assign(document.documentElement.dataset,
            this.contentDocument.documentElement.dataset)"></iframe>
        """
        .formatted(width, html.replace("&", "&amp;").replace("\"", "&quot;"));
  }

  private String browse(Path page, String theme, int width, Path screenshot) throws Exception {
    Path out = folder.resolve("out");
    Process browser =
        new ProcessBuilder(
                chromium().orElseThrow().toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--blink-settings=preferredColorScheme=" + (theme.equals("dark") ? 0 : 1),
                "--window-size=" + width + ",2200",
                "--user-data-dir=" + folder.resolve("profile"),
                "--virtual-time-budget=5000",
                "--dump-dom",
                "--screenshot=" + screenshot,
                page.toUri().toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(browser.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      browser.destroyForcibly();
    }
    return Files.readString(out);
  }

  private static Optional<Path> chromium() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(place -> Path.of(place, "chromium"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
