package dev.braid.job.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.run.result.BestModel;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Json;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.Status;
import dev.braid.run.result.Statuses;
import dev.braid.run.result.TestScore;
import dev.braid.run.result.WorkerMeans;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunPageTest {

  private static final String HOSTILE = "</script><script>alert(1)</script><!-- & \"";
  private static final Pattern COLOUR = Pattern.compile("#\\w{6}");
  private static final Pattern DATA =
      Pattern.compile(
          "<script id=\"data\" type=\"application/json\">(.*?)</script>", Pattern.DOTALL);

  private final RunPage page =
      new RunPage(
          "Braid: ring on " + HOSTILE,
          List.of("about " + HOSTILE),
          Map.of("--data", HOSTILE),
          false,
          EvaluatedSet.TEST,
          OptionalDouble.of(0.97),
          "/out/m.zip");

  @TempDir private Path folder;

  @Test
  void aRunUnderWayIsReloaded_andOneThatHasEndedIsNot() {
    RunRecord run = run(3, false);
    assertThat(page.underWay(run, "epoch 3/10"))
        .contains("<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>", "epoch 3/10")
        .contains("<button type=\"button\">Pause updates</button>")
        .doesNotContain("{{", "<h2>Results");
    assertThat(page.ended(run(10, true), "trained"))
        .doesNotContain("http-equiv=\"refresh\"", "Pause updates</button>", "{{")
        .contains("<p class=\"state\">trained</p>", "<dt>digest</dt><dd>ab12</dd>")
        .contains(
            "<dt>best</dt><dd>98.50 % on the test set, by which it was chosen, after epoch 9</dd>")
        .contains("<dt>model</dt><dd>m.zip, ")
        .doesNotContain("/out/m.zip");
  }

  @Test
  void hasEachEpochAndEachFault_asTextToo() {
    assertThat(page.underWay(run(3, false), "x"))
        .contains("<th scope=\"row\">2</th><td>0.2500</td>")
        .contains("<dd>round 90: link 3–1 cut</dd>");
    JsonNode data = data(page.underWay(run(3, false), "x"));
    assertThat(data.at("/epochs").size()).isEqualTo(3);
    assertThat(data.at("/epochs/1/shares/0").doubleValue()).isEqualTo(0.75);
    assertThat(data.at("/faults/0/seconds").doubleValue()).isEqualTo(2);
    assertThat(data.at("/speeds/0/samplesPerSecond").doubleValue()).isPositive();
  }

  @Test
  void marksAWindowWhoseLossDrifts() {
    RunRecord run = new RunRecord();
    List<Evaluation> lines = List.of(evaluation(1).withDrift(1), evaluation(2).withDrift(7.5));
    run.add(status(2, 1, lines, Optional.empty()));
    String html = page.underWay(run, "x");
    assertThat(html).contains("<td>0.5000</td>", "<td>0.2500 (drift 7.5)</td>");
    assertThat(data(html).at("/epochs/0/drifts").booleanValue()).isFalse();
    assertThat(data(html).at("/epochs/1/drifts").booleanValue()).isTrue();
  }

  /** This also holds without chaos events, when a network fails. */
  @Test
  void tellsWhoIsLeftOut_andWhatIsSaidOfIt_once() {
    RunRecord run = new RunRecord();
    run.add(amid(10, List.of(), List.of()));
    run.add(amid(20, List.of(2), List.of()));
    run.add(amid(30, List.of(2, 3), List.of("the mesh adds up without workers 2 and 3: 1d")));
    run.add(amid(40, List.of(2, 3), List.of("the mesh adds up without workers 2 and 3: 1d")));
    run.add(amid(50, List.of(3), List.of()));
    assertThat(run.faults())
        .containsExactly(
            new RunRecord.Fault(2, "worker 2 is excluded"),
            new RunRecord.Fault(3, "worker 3 is excluded"),
            new RunRecord.Fault(3, "the mesh adds up without workers 2 and 3: 1d"),
            new RunRecord.Fault(5, "worker 2 has rejoined"));
    assertThat(page.underWay(run, "x")).contains("<dt>3.0 s</dt><dd>worker 3 is excluded</dd>");
  }

  /** In text, and in the script's data. */
  @Test
  void controlCharactersAreShownEscaped() {
    RunRecord run = new RunRecord();
    run.add(amid(10, List.of(), List.of("link \u001b[2J \u202e \n \\n")));
    String html = page.underWay(run, "state \u009b1m");
    assertThat(html.chars().filter(letter -> letter != '\n').filter(Character::isISOControl))
        .isEmpty();
    assertThat(html).contains("<dd>link \\u001b[2J \\u202e \\n \\n</dd>", "state \\u009b1m");
    assertThat(data(html).at("/faults/0/what").textValue())
        .isEqualToIgnoringCase("link \\u001b[2J \\u202e \\n \\n");
  }

  @Test
  void dataStaysData_andNothingIsLoaded() {
    String html = page.underWay(run(3, false), HOSTILE);
    assertThat(html)
        .doesNotContain("<script>alert")
        .contains("Content-Security-Policy\" content=\"default-src 'none';")
        .doesNotContainPattern("<(link|img|iframe|object|embed)\\b")
        .doesNotContain("@import", "url(", "sourceMappingURL");
  }

  @Test
  void isBounded_howeverLongTheRunIs() {
    RunRecord run = new RunRecord();
    for (int i = 1; i <= 100_000; i++) {
      run.add(status(i, i, List.of(evaluation(i)), Optional.empty()));
      run.addFault("fault " + i);
    }
    assertThat(run.speeds()).hasSizeBetween(300, 800);
    assertThat(run.speeds().get(run.speeds().size() - 1).seconds()).isGreaterThan(99_000);
    assertThat(run.faults()).hasSize(300);
    assertThat(run.evaluations()).hasSizeBetween(300, 601);
    assertThat(run.evaluations().get(0).epoch()).isOne();
    assertThat(run.recentEvaluations()).extracting(Evaluation::epoch).contains(99_801, 100_000);
    assertThat(page.underWay(run, "x")).hasSizeLessThan(600_000).contains("Earlier ones are in");
    assertThat(page.underWay(run, "x")).contains("99700 more faults are not shown.");
  }

  @ParameterizedTest
  @CsvSource({"light,360", "light,800", "dark,1440"})
  void aBrowserDrawsThePlots(String theme, int width) throws Exception {
    String html = page.ended(run(30, true), "trained");
    assertThat(new Browser(folder).look(html, "run", theme, width))
        .contains("data-plots=\"4\"", "data-theme=\"" + theme + "\"", "data-wider=\"false\"")
        .contains("data-goals=\"1\"", "data-lines=\"4\"", "data-labelled=\"4\"")
        // The test loss is dashed, and only the line of speeds has no markers.
        .contains("data-dashed=\"1\"", "data-unmarked=\"1\"")
        .contains("data-scrolls=\"" + (width < 500) + "\"", "data-hint=\"" + (width < 500) + "\"")
        .contains("data-holds-first=\"true\"", "data-broken-headers=\"0\"");
  }

  @Test
  void aBrowserDrawsTheBeginning_whenThereIsNoEpoch() throws Exception {
    String html = page.underWay(new RunRecord(), "begins");
    assertThat(new Browser(folder).look(html, "run-begins", "light", 900))
        .contains("data-plots=\"4\"", "data-lines=\"4\"", "data-broken-headers=\"0\"");
  }

  @Test
  void aRunWithoutAnOutcomeHasFailed_andLongNamesFit() throws Exception {
    RunPage named =
        new RunPage(
            "Braid: " + "x".repeat(200),
            List.of("y".repeat(200)),
            Map.of("--data", "z".repeat(200)),
            false,
            EvaluatedSet.TEST,
            OptionalDouble.empty(),
            "/out/m.zip");
    String html = named.ended(run(10, false), "failed: " + "w".repeat(200));
    assertThat(html).contains("<p class=\"state failed\">failed: ");
    assertThat(new Browser(folder).look(html, "run-failed", "light", 360))
        .contains("data-wider=\"false\"");
  }

  /** WCAG 2.2, level AA: 4.5 for text, 3 for lines and focus. */
  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void coloursContrast(String theme) throws Exception {
    String html = page.ended(run(10, true), "trained");
    Matcher schemes =
        Pattern.compile(
                ":root[^{]*\\{([^}]*--ground[^}]*)}.*?:root[^{]*\\{([^}]*)}", Pattern.DOTALL)
            .matcher(html);
    assertThat(schemes.find()).isTrue();
    Map<String, String> css =
        Pattern.compile("--(\\w+): (#\\w{6});")
            .matcher(schemes.group(theme.equals("light") ? 1 : 2))
            .results()
            .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
    for (String ground : List.of(css.get("ground"), css.get("panel"))) {
      for (String text : List.of("text", "faint", "best", "warning", "focus")) {
        assertThat(contrast(css.get(text), ground)).as(text).isGreaterThan(4.5);
      }
      Matcher lines = Pattern.compile(theme + ": \\[('[^\\]]*)]").matcher(html);
      assertThat(lines.find()).isTrue();
      COLOUR
          .matcher(lines.group(1))
          .results()
          .forEach(colour -> assertThat(contrast(colour.group(), ground)).isGreaterThan(4.5));
    }
    Matcher bars = Pattern.compile(theme + ": \\[(\\['.*)]").matcher(html);
    assertThat(bars.find()).isTrue();
    List<String> pairs =
        COLOUR.matcher(bars.group(1)).results().map(colour -> colour.group()).toList();
    for (int i = 0; i < pairs.size(); i += 2) {
      assertThat(contrast(pairs.get(i), pairs.get(i + 1))).isGreaterThan(4.5);
    }
  }

  private static double contrast(String one, String other) {
    double brighter = Math.max(luminance(one), luminance(other));
    double darker = Math.min(luminance(one), luminance(other));
    return (brighter + 0.05) / (darker + 0.05);
  }

  private static double luminance(String colour) {
    double[] weights = {0.2126, 0.7152, 0.0722};
    return IntStream.range(0, 3)
        .mapToDouble(
            i -> {
              double part = Integer.parseInt(colour, 1 + 2 * i, 3 + 2 * i, 16) / 255.0;
              return weights[i]
                  * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
            })
        .sum();
  }

  private static JsonNode data(String html) {
    Matcher matcher = DATA.matcher(html);
    assertThat(matcher.find()).isTrue();
    return Json.read(matcher.group(1), JsonNode.class);
  }

  private static RunRecord run(int epochs, boolean hasEnded) {
    RunRecord run = new RunRecord();
    for (int i = 1; i <= 10 * epochs; i++) {
      List<Evaluation> lines =
          IntStream.rangeClosed(1, i / 10).mapToObj(RunPageTest::evaluation).toList();
      boolean isLast = hasEnded && i == 10 * epochs;
      run.add(status(i, i / 5.0, lines, isLast ? Optional.of(outcome()) : Optional.empty()));
      if (i == 10) {
        run.addFault("round 90: link 3–1 cut");
      }
    }
    return run;
  }

  private static Status amid(long round, List<Integer> leftOut, List<String> notes) {
    return status(round, round / 10.0, List.of(), leftOut, notes, Optional.empty());
  }

  private static Status status(
      long round, double seconds, List<Evaluation> lines, Optional<Outcome> outcome) {
    return status(round, seconds, lines, List.of(), List.of(), outcome);
  }

  private static Status status(
      long round,
      double seconds,
      List<Evaluation> lines,
      List<Integer> leftOut,
      List<String> notes,
      Optional<Outcome> outcome) {
    double speed = 80_000 + 5_000 * Math.sin(seconds);
    return Statuses.at(round)
        .seconds(seconds)
        .epochsDone(lines.size())
        .speed(0.5, speed)
        .evaluations(lines)
        .leftOut(leftOut)
        .notes(notes)
        .outcome(outcome)
        .status();
  }

  private static Evaluation evaluation(int epoch) {
    return Evaluation.of(
        epoch,
        150L * epoch,
        new Evaluation.TrainFigures(0.5 / epoch, 60_000, 2.0, 0),
        Evaluation.TestFigures.ofClasses(0.4 / epoch, 1 - 0.1 / epoch, 10_000, 10_000),
        2.0 * epoch,
        1_500_000_000L * epoch,
        new WorkerMeans(1.5, 0.4, 0.1, 0, 0, 0, 0, 0));
  }

  private static Outcome outcome() {
    return new Outcome(
        "ab12",
        4,
        List.of(),
        4,
        0,
        Optional.of(List.of()),
        0,
        1500,
        10,
        0.98,
        Optional.of(new BestModel(9, new TestScore.Accuracy(0.985), "b.zip")),
        "every sample",
        true,
        0,
        true,
        "/out/m.zip",
        "h.jsonl",
        Optional.empty(),
        Double.NaN,
        Double.NaN,
        Optional.empty());
  }
}
