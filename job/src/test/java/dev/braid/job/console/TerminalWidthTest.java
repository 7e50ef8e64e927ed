package dev.braid.job.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminalWidthTest {

  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path folder;

  private final Deque<OptionalInt> answers = new ArrayDeque<>();
  private final Deque<Runnable> background = new ArrayDeque<>();
  private long nowNanos;
  private final TerminalWidth width =
      new TerminalWidth(80, answers::remove, background::add, () -> nowNanos);

  @Test
  void isTheLauncherUntilThereIsAnAnswer_andTheLastAnswerUntilThereIsAnother() {
    answers.addAll(List.of(OptionalInt.of(40), OptionalInt.empty(), OptionalInt.of(120)));
    assertThat(width.getAsInt()).isEqualTo(80);
    background.remove().run();
    assertThat(width.getAsInt()).isEqualTo(40);

    nowNanos += 2 * SECOND;
    assertThat(width.getAsInt()).isEqualTo(40);
    background.remove().run();
    assertThat(width.getAsInt()).isEqualTo(40);

    nowNanos += 2 * SECOND;
    assertThat(width.getAsInt()).isEqualTo(40);
    background.remove().run();
    assertThat(width.getAsInt()).isEqualTo(120);
  }

  @Test
  void asksEveryTwoSecondsAtMost_andOneAtATime() {
    answers.addAll(List.of(OptionalInt.of(40), OptionalInt.of(50)));
    width.getAsInt();
    nowNanos += 30 * SECOND;
    width.getAsInt();
    assertThat(background).hasSize(1);

    background.remove().run();
    width.getAsInt();
    assertThat(background).hasSize(1);
    background.remove().run();
    nowNanos += 2 * SECOND - 1;
    width.getAsInt();
    assertThat(background).isEmpty();
  }

  @Test
  void withoutATerminalNothingIsKnown() throws Exception {
    assertThat(TerminalWidth.ask(folder.resolve("missing"))).isEmpty();
    assertThat(TerminalWidth.ask(Files.createFile(folder.resolve("no terminal")))).isEmpty();
  }

  @Test
  void readsWhatTheSystemSays() {
    assertThat(TerminalWidth.columns("24 132\n")).hasValue(132);
    assertThat(TerminalWidth.columns("0 0\n")).isEmpty();
    assertThat(TerminalWidth.columns("")).isEmpty();
    assertThat(TerminalWidth.columns("stty: no\n")).isEmpty();
  }
}
