package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.job.page.Browser;
import dev.braid.run.result.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonPageTest {

  private static final String HOSTILE = "</script><script>alert(1)</script><!-- & \"";
  private static final Pattern LINK = Pattern.compile("href\\s*=\\s*\"([^\"]*)\"");
  private static final Pattern DATA =
      Pattern.compile(
          "<script id=\"data\" type=\"application/json\">(.*?)</script>", Pattern.DOTALL);

  private final String page =
      ComparisonPage.of(
          List.of(
              Histories.run("ring", "{\"workers\":4,\"exchange\":\"ring\",\"out\":\"a\"}"),
              Histories.run(HOSTILE, "{\"workers\":4,\"exchange\":\"ako\",\"out\":\"b\"}"),
              Histories.failed("gossip", "lost & <gone>")),
          Map.of("ring", "ring/", HOSTILE, "a%22b/"),
          List.of("made <here>"));

  @TempDir private Path folder;

  @Test
  void loadsNothing() {
    assertThat(page).contains("Content-Security-Policy\" content=\"default-src 'none';");
    String markup = page.replaceAll("(?s)<script.*?</script>|<style.*?</style>", "");
    assertThat(markup).doesNotContainPattern("(src|action|data|poster)\\s*=");
    assertThat(LINK.matcher(markup).results().map(link -> link.group(1)))
        .containsExactly("ring/", "a%22b/");
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
    assertThat(data.at("/runs/0/scores/1/score").doubleValue()).isEqualTo(0.97);
    assertThat(data.at("/runs/0/epochs/1/bytesPerWorker").doubleValue()).isEqualTo(2000);
    assertThat(data.at("/runs/0/shares/0").doubleValue()).isEqualTo(0.375);
    assertThat(page).doesNotContain("<script>alert");
  }

  /** In an asynchronous exchange, the saved model is that of one worker. */
  @Test
  void theTableHasTheHighestPointOfThePlots() {
    ComparedRun run = Histories.learning("ako", "{}", 5, 1);
    Matcher matcher = DATA.matcher(ComparisonPage.of(List.of(run), Map.of(), List.of()));
    assertThat(matcher.find()).isTrue();
    JsonNode scores = Json.read(matcher.group(1), JsonNode.class).at("/runs/0/scores");
    double highest =
        StreamSupport.stream(scores.spliterator(), false)
            .mapToDouble(point -> point.path("score").doubleValue())
            .max()
            .orElseThrow();
    assertThat(scores.size()).as("five epochs and the saved model").isEqualTo(6);
    assertThat(run.figures().orElseThrow().best().accuracy()).isEqualTo(highest).isEqualTo(0.97);
  }

  @Test
  void controlCharactersAreShown_andNotObeyed() {
    String name = "ring\u001b]0;title\u0007\u202e";
    ComparedRun run =
        ComparedRun.of(name, Histories.of("{\"model\":\"a\\u009b31m\",\"exchange\":\"x\\u0008\"}"));
    String html =
        ComparisonPage.of(
            List.of(run, Histories.failed("tree", "lost\u001b[2J")), Map.of(), List.of("a\u007fb"));
    assertThat(html.replaceAll("(?s)<script>.*", "").replace("\n", ""))
        .doesNotContainPattern("[\\p{Cntrl}\\x80-\\x9f\\u202e]");
    assertThat(new ComparisonTable(List.of(run)).lines())
        .allMatch(line -> line.chars().noneMatch(Character::isISOControl))
        .anyMatch(line -> line.contains("\\u001b]0;title"));
  }

  @Test
  void saysWhatWasTheSameAndWhatWasNot() {
    assertThat(page)
        .contains("<dt>--workers</dt><dd>4</dd>")
        .contains("<dt>machine</dt><dd>a machine</dd>")
        .contains("<h3>ring</h3><dl><dt>--exchange</dt><dd>ring</dd></dl>")
        .contains("<small>lost &amp; &lt;gone&gt;</small>")
        .contains("<th scope=\"row\"><a href=\"ring/\">ring</a>")
        .contains("<p>made &lt;here&gt;</p>")
        .doesNotContain("{{", "--out");
  }

  @Test
  void marksTheBest_andWarnsOfRunsThatAreNotAlike() {
    assertThat(manyRuns())
        .contains("<td class=\"best\">11.0 s</td>", "<td class=\"best\">98.46 %</td>")
        .contains(
            "<p class=\"warning\">The runs differ in --model, so the exchange is not the only cause of"
                + " different figures.</p>");
    assertThat(page).doesNotContain("class=\"warning\"");
  }

  /**
   * Requires Chromium: its engine runs the script, which draws all plots, in light and dark colours
   * and on screens of several widths. The screenshots are for visual inspection.
   */
  @ParameterizedTest
  @CsvSource({"light,360", "dark,800", "light,1440"})
  void aBrowserDrawsThePlots(String theme, int width) throws Exception {
    String dom = new Browser(folder).look(manyRuns(), "comparison", theme, width);
    assertThat(dom)
        .contains("data-plots=\"5\"", "data-theme=\"" + theme + "\"", "data-wider=\"false\"")
        // The fifth to tenth run is dashed in each of four plots.
        .contains("data-lines=\"40\"", "data-dashed=\"24\"", "data-unmarked=\"0\"")
        .contains("data-labelled=\"5\"")
        .contains("data-goals=\"2\"", "data-unit=\"GB\"")
        .contains("data-named=\"" + (width < 500 ? 0 : 4) + "\"")
        .contains("data-scrolls=\"" + (width < 1000) + "\"", "data-hint=\"" + (width < 1000) + "\"")
        .contains("data-holds-first=\"true\"", "data-broken-headers=\"0\"");
  }

  @Test
  void fewRunsHaveNoNamesAtTheirLines() throws Exception {
    List<ComparedRun> runs =
        IntStream.rangeClosed(1, 8)
            .mapToObj(i -> Histories.run("ako:p=" + i, "{\"workers\":4,\"model\":\"mlp\"}"))
            .toList();
    String html = ComparisonPage.of(runs, Map.of(), List.of());
    assertThat(new Browser(folder).look(html, "comparison-few", "light", 1200))
        .contains("data-lines=\"32\"", "data-dashed=\"16\"", "data-unmarked=\"0\"")
        .contains("data-goals=\"0\"", "data-unit=\"kB\"", "data-named=\"0\"");
  }

  /** Names have a hundred characters, and the target is at the upper edge of the plots. */
  @ParameterizedTest
  @ValueSource(ints = {360, 900})
  void noLabelIsClipped(int width) throws Exception {
    String options = "{\"model\":\"mlp\",\"target-accuracy\":1}";
    List<ComparedRun> runs =
        IntStream.rangeClosed(1, 9)
            .mapToObj(i -> Histories.learning("ako:" + "p=4:".repeat(24) + i, options, 9, i))
            .toList();
    String html = ComparisonPage.of(runs, Map.of(), List.of());
    assertThat(new Browser(folder).look(html, "comparison-long", "light", width))
        .contains("data-goals=\"2\"", "data-named=\"" + (width < 500 ? 0 : 4) + "\"")
        .contains("data-clipped=\"0\"", "data-wider=\"false\"", "data-holds-first=\"true\"");
  }

  /** Returns the page of more runs than there are colours, with a target and a warning. */
  private static String manyRuns() {
    List<ComparedRun> runs =
        IntStream.rangeClosed(1, 10)
            .mapToObj(
                i -> {
                  String options =
                      "{\"model\":\"%s\",\"target-accuracy\":0.97}"
                          .formatted(i < 10 ? "mlp" : "cnn");
                  return Histories.learning("ako:p=" + i, options, i == 3 ? 40 : 10, i);
                })
            .toList();
    return ComparisonPage.of(runs, Map.of("ako:p=1", "ako-p-1/"), List.of("Made for a test."));
  }
}
