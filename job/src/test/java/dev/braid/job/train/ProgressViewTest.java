package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.FaultReport;
import dev.braid.job.console.Terminal;
import dev.braid.run.result.BestModel;
import dev.braid.run.result.ByteCount;
import dev.braid.run.result.EpochLines;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.Status;
import dev.braid.run.result.Statuses;
import dev.braid.run.result.TestScore;
import dev.braid.run.result.WorkerMeans;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProgressViewTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Evaluation FIRST =
      Evaluation.of(
          1,
          150,
          new Evaluation.TrainFigures(0.31, 60_000, 2.0, 0),
          Evaluation.TestFigures.ofClasses(0.17, 0.9512, 10_000, 10_000),
          2.5,
          1_500_000_000L,
          new WorkerMeans(1.5, 0.4, 0.1, 0, 0, 0, 0, 0));

  private static final Evaluation LAST =
      Evaluation.of(
          10,
          1500,
          new Evaluation.TrainFigures(0.1, 60_000, 2, 0),
          Evaluation.TestFigures.ofClasses(0.1, 0.98, 10_000, 10_000),
          25,
          1,
          FIRST.worker());

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Test
  void figuresOfAStreamAreOfWindows() {
    Statuses window = Statuses.at(150).evaluations(List.of(FIRST));
    ProgressView view = new ProgressView(terminal(false, false), 0);
    view.show(window.evaluated(EvaluatedSet.PROGRESSIVE).status(), SECOND);
    assertThat(text()).startsWith("window  1/10  loss 0.3100  progressive accuracy 95.12 %");
    written.reset();
    ProgressView other = new ProgressView(terminal(false, false), 0);
    other.show(window.evaluated(EvaluatedSet.HOLDOUT).status(), SECOND);
    assertThat(text()).contains("  holdout loss 0.1700  holdout accuracy 95.12 %");
  }

  @Test
  void aNotableDriftIsShownNextToTheLoss() {
    ProgressView view = new ProgressView(terminal(false, false), 0);
    view.show(status(150, FIRST.withDrift(6.24)), SECOND);
    assertThat(text()).contains("loss 0.3100 (drift 6.2)  test loss");
    ProgressView other = new ProgressView(terminal(false, false), 0);
    written.reset();
    other.show(status(150, FIRST.withDrift(1.3)), SECOND);
    assertThat(text()).contains("loss 0.3100  test loss");
  }

  @Test
  void plainOutputHasALineAnEpochAndOneEveryFewSeconds() {
    ProgressView view = new ProgressView(terminal(false, false), 0);
    view.show(status(10), SECOND);
    assertThat(text()).isEmpty();
    view.show(status(20), 6 * SECOND);
    view.show(status(21), 7 * SECOND);
    assertThat(text())
        .isEqualTo(
            "epoch  1/10  62 %, 14 s left  loss 0.5000    12,345 samples/s    2.0 MB exchanged\n");
    view.show(status(150, FIRST), 8 * SECOND);
    view.show(status(151, FIRST), 9 * SECOND);
    assertThat(text())
        .endsWith(
            "epoch  1/10  loss 0.3100  test loss 0.1700  test accuracy 95.12 %     2.5 s    1.5 GB"
                + " exchanged\n")
        .hasLineCount(2);
  }

  @Test
  void aStallIsNoProgress_andSaysWhatIsInForce() {
    FaultReport faults =
        new FaultReport(
            List.of(
                new FaultReport.OfRank(
                    0, 0, 1, List.of("round 9: rank 2 cut off"), List.of("rank 2 is cut off"), 1)));
    ProgressView terminal = new ProgressView(terminal(true, false), 0);
    terminal.show(status(10), SECOND);
    terminal.showFaults(faults, SECOND);
    terminal.show(status(10), 31 * SECOND);
    assertThat(text())
        .contains("round 9: rank 2 cut off\n")
        .endsWith("\r\u001b[?7lno round for 30 s; rank 2 is cut off\u001b[K\u001b[?7h");

    written.reset();
    ProgressView plain = new ProgressView(terminal(false, false), 0);
    plain.show(status(10), 6 * SECOND);
    written.reset();
    for (int second = 8; second < 38; second++) {
      plain.show(status(10), second * SECOND);
    }
    assertThat(text().lines())
        .containsExactly("no round for 5 s", "no round for 10 s", "no round for 20 s");
  }

  @Test
  void anAccuracyOnAPartOfTheTestSetSaysSo() {
    Evaluation part =
        Evaluation.of(
            1,
            150,
            new Evaluation.TrainFigures(0.31, 60_000, 2, 0),
            Evaluation.TestFigures.ofClasses(0.17, 0.9512, 7_500, 10_000),
            2.5,
            1_500_000_000L,
            FIRST.worker());
    assertThat(ProgressView.line(part, Statuses.at(1).status()))
        .contains("test accuracy 95.12 % of 7,500 samples     2.5 s");
    assertThat(ProgressView.line(status(150, part))).contains("accuracy 95.12 % of 7,500 samples");
  }

  @Test
  void aTerminalHasOneLineThatIsWrittenOver() {
    ProgressView view = new ProgressView(terminal(true, false), 0);
    view.show(status(10), 1);
    view.show(status(11), 2);
    assertThat(text()).startsWith("\r\u001b[?7lepoch  1/10").doesNotContain("\n");
    view.show(status(150, FIRST), 3);
    assertThat(text()).contains("\r\u001b[Kepoch  1/10  loss 0.3100").contains("exchanged\n");
    assertThat(text().lines().reduce((a, b) -> b))
        .hasValueSatisfying(line -> assertThat(line).contains("accuracy 95.12 %"));
  }

  @Test
  void columnsDoNotJump() {
    String line = ProgressView.line(status(5, FIRST));
    assertThat(line).startsWith("epoch  2/10  62 %, 14 s left  loss 0.5000  accuracy 95.12 %");
    assertThat(left(7)).contains(",  7 s left");
    assertThat(left(240)).contains(", 4 min left");
    assertThat(left(9000)).contains(", 2 h 30 min left");
  }

  @Test
  void anEpochIsUnderWayUntilItIsEvaluated() {
    assertThat(ProgressView.line(progress(1).status())).startsWith("epoch  1/10 100 %  loss");
    assertThat(ProgressView.line(progress(1).evaluations(List.of(FIRST)).status()))
        .startsWith("epoch  2/10   0 %  loss");
  }

  private static String left(double seconds) {
    return ProgressView.line(progress(1.5).secondsLeft(seconds).status());
  }

  private static Statuses progress(double epochsDone) {
    return Statuses.at(7).epochsDone(epochsDone);
  }

  @Test
  void afterTheLastEpochItSaves() {
    ProgressView view = new ProgressView(terminal(true, false), 0);
    view.show(progress(10).evaluations(List.of(LAST)).status(), 1);
    assertThat(text()).endsWith("saving …\u001b[K\u001b[?7h");
    view.show(progress(10).evaluations(List.of(LAST)).status(), 31 * SECOND);
    assertThat(text()).contains("no round for 30 s");
  }

  /** Its user makes the terminal narrower and wider during the run. */
  @Test
  void noLineIsWiderThanTheTerminal() {
    AtomicInteger columns = new AtomicInteger();
    Terminal resized = new Terminal(stream(), true, false, columns::get);
    for (int width : List.of(80, 40, 120)) {
      written.reset();
      columns.set(width);
      resized.update("x".repeat(200));
      assertThat(text()).isEqualTo("\r\u001b[?7l" + "x".repeat(width - 1) + "\u001b[K\u001b[?7h");
    }
  }

  /** Less important parts are omitted, so that no figure is cut. */
  @Test
  void aNarrowTerminalGetsAShorterLine() {
    Terminal narrow = new Terminal(stream(), true, false, () -> 80);
    new ProgressView(narrow, 0).show(status(20, FIRST), SECOND);
    assertThat(text())
        .contains("62 %, 14 s left  loss 0.5000  accuracy 95.12 %    12,345 samples/s\u001b")
        .contains("epoch  1/10  loss 0.3100  test loss 0.1700  test accuracy 95.12 %     2.5 s\n")
        .doesNotContain("exchanged");
  }

  /** The display then has the accuracy that the run reports at its end. */
  @Test
  void anEpochIsShownAgainWhenAllOfItIsTested() {
    ProgressView view = new ProgressView(terminal(false, false), 0);
    view.show(status(150, EpochLines.ofPart(1, 0.9)), SECOND);
    view.show(status(300, EpochLines.ofPart(1, 0.9), EpochLines.of(2, 0.92)), 2 * SECOND);
    view.show(status(310, EpochLines.of(1, 0.91), EpochLines.of(2, 0.92)), 3 * SECOND);
    view.show(status(320, EpochLines.of(1, 0.91), EpochLines.of(2, 0.92)), 4 * SECOND);
    assertThat(text().lines())
        .map(line -> line.replaceAll("(epoch +\\d+/10) .*test accuracy (.*?) {2,}.*", "$1 $2"))
        .containsExactly(
            "epoch  1/10 90.00 % of 8 samples", "epoch  2/10 92.00 %", "epoch  1/10 91.00 %");
  }

  /** The samples of an unreachable worker count in the mean when it rejoins. */
  @Test
  void anEpochIsShownAgainWhenItsLossIsAnother() {
    ProgressView view = new ProgressView(terminal(false, false), 0);
    Evaluation before = EpochLines.ofLoss(1, 0.3546);
    view.show(status(150, before), SECOND);
    view.show(status(200, EpochLines.ofLoss(1, 0.35461)), 2 * SECOND);
    view.show(status(300, EpochLines.ofLoss(1, 0.3644), EpochLines.ofLoss(2, 0.15)), 3 * SECOND);
    view.show(status(310, EpochLines.ofLoss(1, 0.3644), EpochLines.ofLoss(2, 0.15)), 4 * SECOND);
    assertThat(text().lines())
        .map(line -> line.replaceAll("(epoch +\\d+/10  loss [0-9.]*).*exchanged(.*)", "$1$2"))
        .containsExactly(
            "epoch  1/10  loss 0.3546",
            "epoch  1/10  loss 0.3644, amended",
            "epoch  2/10  loss 0.1500");
  }

  /** Workers continue after an epoch, which is evaluated when another worker rejoins. */
  @Test
  void anEpochOfLessThanWasShownAlreadySaysOfWhatItIs() {
    ProgressView view = new ProgressView(terminal(false, false), 0);
    view.show(status(450), 6 * SECOND);
    view.show(
        status(450, EpochLines.ofBytes(1, 1_990_000), EpochLines.ofBytes(2, 2_500_000)),
        7 * SECOND);
    assertThat(text().lines())
        .map(line -> line.replaceAll(".* +([0-9.]+ MB.*)", "$1"))
        .containsExactly("2.0 MB exchanged", "2.0 MB exchanged by its end", "2.5 MB exchanged");
  }

  @Test
  void aRunThatStandsStillHasNeitherARateNorATimeLeft() {
    assertThat(ProgressView.line(progress(0.5).speed(0.5, 0).status()))
        .isEqualTo("epoch  1/10  50 %  loss 0.5000         – samples/s    2.0 MB exchanged");
  }

  @Test
  void saysWhatCameOut() {
    new ProgressView(terminal(false, false), 0)
        .showOutcome(outcome(List.of(), 4, 0, List.of(), 0), EvaluatedSet.TEST, Optional.empty());
    assertThat(text())
        .contains("98.00 %", "ab12", "identical: yes (4 of 4)", "all well", "m.zip", "h.jsonl")
        .doesNotContain("\u001b", "accuracies");
  }

  @Test
  void saysWhoIsCutOffAndWhoIsBack() {
    ProgressView view = new ProgressView(terminal(false, false), 0);
    view.show(status(10, List.of(3), List.of()), 1);
    view.show(status(11, List.of(3), List.of()), 2);
    view.show(status(12), 3);
    assertThat(text().lines())
        .containsExactly(
            "worker 3 has no path to the others and is excluded until it has one",
            "worker 3 has rejoined with a copy of the model");
  }

  @Test
  void saysWhatHasCutAWorkerOff_whereThatIsKnown() {
    List<String> inForce = List.of("link 3–1 is cut", "link 2–0 is cut", "link 3–0 is cut");
    ProgressView view = new ProgressView(terminal(false, false), 0);
    view.showFaults(
        new FaultReport(List.of(new FaultReport.OfRank(1, 0, 0, List.of(), inForce, 3))), 1);
    view.show(status(10, List.of(3), List.of()), 1);
    assertThat(text().lines())
        .containsExactly(
            "worker 3 has no path to the others and is excluded until it has one; link 3–1 is"
                + " cut, link 3–0 is cut");
  }

  @Test
  void saysWhoWasCutOffInTheEnd() {
    new ProgressView(terminal(false, false), 0)
        .showOutcome(outcome(List.of(2), 3, 0, List.of(), 0), EvaluatedSet.TEST, Optional.empty());
    assertThat(text())
        .contains("identical: yes (3 of 3); excluded at the end, with an old model: worker 2");
  }

  @Test
  void saysHowFarApartReplicasAre() {
    new ProgressView(terminal(false, false), 0)
        .showOutcome(
            outcome(List.of(), 1, 0.0012, List.of(0.9718, 0.9712, 0.9715), 0.00062),
            EvaluatedSet.TEST,
            Optional.empty());
    assertThat(text())
        .contains(
            "replicas       4, each 0.120 % from their mean",
            "accuracies     97.12 to 97.18 % of the replicas before they were averaged, variance"
                + " 0.0006 pp²\n",
            "best           98.50 % on the test set, by which it was chosen, after epoch 9:"
                + " b.zip\n");
  }

  @Test
  void aReplicaByItselfIsComparedWithNone() {
    new ProgressView(terminal(false, false), 0)
        .showOutcome(
            outcome(List.of(), 1, 0, List.of(0.9718), 0), EvaluatedSet.TEST, Optional.empty());
    assertThat(text()).doesNotContain("accuracies");
  }

  private static Outcome outcome(
      List<Integer> leftOut, int identical, double distance, List<Double> each, double variance) {
    return new Outcome(
        "ab12",
        4,
        leftOut,
        identical,
        distance,
        Optional.of(each),
        variance,
        1500,
        10,
        0.98,
        Optional.of(new BestModel(9, new TestScore.Accuracy(0.985), "b.zip")),
        "all well",
        true,
        0,
        true,
        "m.zip",
        "h.jsonl",
        Optional.empty(),
        Double.NaN,
        Double.NaN,
        Optional.empty());
  }

  @Test
  void coloursOnlyWhereWanted() {
    assertThat(terminal(true, true).strong("x")).isEqualTo("\u001b[1mx\u001b[0m");
    assertThat(terminal(true, false).strong("x")).isEqualTo("x");
  }

  /** Foreign text must not control the terminal. */
  @Test
  void controlCharactersAreShownEscaped() {
    Terminal coloured = terminal(true, true);
    coloured.print("class \u001b[31mred, c\nd: " + coloured.strong("x\u009b2J"));
    assertThat(text()).isEqualTo("class \\u001b[31mred, c\\nd: \u001b[1mx\\u009b2J\u001b[0m\n");
    written.reset();
    coloured.update("\u001b[2J");
    assertThat(text()).isEqualTo("\r\u001b[?7l\\u001b[2J\u001b[K\u001b[?7h");
  }

  @Test
  void saysOnceWhatCannotBeWritten_andWhenItIs() {
    ProgressView view = new ProgressView(terminal(false, false), 0);
    view.show(troubled("out/history.jsonl cannot be written: No space left on device"), 1);
    view.show(troubled("out/history.jsonl cannot be written: No space left on device"), 2);
    view.show(troubled(), 3);
    view.show(troubled(), 4);
    assertThat(text().lines())
        .containsExactly(
            "out/history.jsonl cannot be written: No space left on device; training continues, and"
                + " writing is tried again",
            "all pending results are written");
  }

  @Test
  void atTheEndItSaysWhomItWaitsFor_alsoWhenThatOneIsBack() {
    ProgressView view = new ProgressView(terminal(false, false), 0);
    for (int second = 0; second <= 9; second++) {
      long round = second < 5 ? 700 : 700 + 100 * second;
      view.show(
          status(1500, List.of(), List.of(new Status.Behind(3, round)), LAST),
          second * 1_000_000_000L);
    }
    view.show(status(1500, LAST), 10_000_000_000L);
    assertThat(text().lines().skip(1))
        .containsExactly(
            "all epochs are finished; for 2 s the run has waited for worker 3 (round 700 of 1,500)",
            "all epochs are finished; for 4 s the run has waited for worker 3 (round 700 of 1,500)",
            "all epochs are finished; for 8 s the run has waited for worker 3 (round 1,500 of"
                + " 1,500)");
  }

  @Test
  void bytesAreReadable() {
    assertThat(ByteCount.inWords(0)).isEqualTo("0 B");
    assertThat(ByteCount.inWords(999)).isEqualTo("999 B");
    assertThat(ByteCount.inWords(1000)).isEqualTo("1.0 kB");
    assertThat(ByteCount.inWords(999_960)).isEqualTo("1.0 MB");
    assertThat(ByteCount.inWords(Long.MAX_VALUE)).endsWith(" TB");
  }

  @Test
  void aNoteIsShownAtOnce_andOnce() {
    ProgressView view = new ProgressView(terminal(false, false), 0);
    Status before = status(0);
    Status noted = Statuses.noting("take note");
    view.show(before, 0);
    view.show(noted, 1);
    view.show(noted, 2);
    assertThat(text().lines()).containsExactly("take note");
  }

  @Test
  void saysHowManyWorkersTrain_whenTheyAreOthersThanBefore() {
    ProgressView view = new ProgressView(terminal(false, false), 0);
    for (int workers : new int[] {0, 4, 4, 2, 2, 0, 2, 1, 0, 4}) {
      view.show(ofWorkers(workers), 0);
    }
    assertThat(text().lines())
        .containsExactly(
            "2 workers now, of 4 requested",
            "1 worker now, of 4 requested",
            "4 workers now, as requested");
  }

  private static Status ofWorkers(int workers) {
    return Statuses.begun().workers(workers).status();
  }

  private static Status status(long round, Evaluation... evaluations) {
    return status(round, List.of(), List.of(), evaluations);
  }

  private static Status status(
      long round, List<Integer> leftOut, List<Status.Behind> behind, Evaluation... evaluations) {
    return Statuses.at(round)
        .epochsDone(evaluations.length + 0.626)
        .secondsLeft(14.2)
        .evaluations(List.of(evaluations))
        .leftOut(leftOut)
        .behind(behind)
        .status();
  }

  private static Status troubled(String... troubles) {
    return Statuses.begun().troubles(List.of(troubles)).status();
  }

  private Terminal terminal(boolean interactive, boolean coloured) {
    return new Terminal(stream(), interactive, coloured, () -> 120);
  }

  private PrintStream stream() {
    return new PrintStream(written, true, StandardCharsets.UTF_8);
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }
}
