package dev.braid.job.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.run.result.Statuses;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShownNotesTest {

  private final ShownNotes notes = new ShownNotes();

  @Test
  void aNoteIsShownOnce_howeverOftenItIsTold() {
    assertThat(take("a", "b", "a")).containsExactly("a", "b");
    assertThat(take("a", "b", "c")).containsExactly("c");
    assertThat(take("c")).isEmpty();
  }

  /** A note is missing after a failure until all workers have started again. */
  @Test
  void aNoteThatIsMissingForAWhileIsNotShownAgain() {
    take("a");
    for (int i = 0; i < 100; i++) {
      take("recovery " + i);
    }
    assertThat(take("a")).isEmpty();
  }

  @Test
  void aNoteThatLastsIsShownOnce_besideAnyNumberOfOthers() {
    take("a");
    for (int i = 0; i < 100_000; i++) {
      assertThat(take("a", "recovery " + i)).containsExactly("recovery " + i);
    }
  }

  @Test
  void remembersTheLastOnes_howeverManyThereWere() {
    for (int i = 0; i < 100_000; i++) {
      take("recovery " + i);
    }
    long remembered =
        IntStream.rangeClosed(1, 100_000)
            .mapToObj(i -> "recovery " + (100_000 - i))
            .takeWhile(note -> take(note).isEmpty())
            .count();
    assertThat(remembered).isBetween(100L, 1000L);
    assertThat(take("recovery 0")).containsExactly("recovery 0");
  }

  @Test
  void aStatusOfVeryManyNotesIsRememberedAsAWhole() {
    String[] many = IntStream.range(0, 5000).mapToObj(i -> "note " + i).toArray(String[]::new);
    assertThat(take(many)).hasSize(5000);
    assertThat(take(many)).isEmpty();
  }

  private List<String> take(String... told) {
    return notes.take(Statuses.noting(told));
  }
}
