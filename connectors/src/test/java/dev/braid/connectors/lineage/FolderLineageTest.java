package dev.braid.connectors.lineage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.LineageEntry.Began;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import dev.braid.connectors.lineage.LineageEntry.Digested;
import dev.braid.connectors.lineage.LineageEntry.Resumed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderLineageTest {

  private static final Began BEGAN =
      new Began(
          "job", "t", "id", new TreeMap<>(Map.of(0, 3L)), new TreeMap<>(), 1000, 1, "seed: 1\n");

  @TempDir private Path folder;

  private static Dealt deal(long round) {
    return new Dealt(round, 1, 10, List.of("0:1-5 3:7-9", ""));
  }

  private Lineage open() throws IOException {
    return FolderLineage.open(folder.resolve("lineage").toString());
  }

  @Test
  void entriesComeBackInTheirOrder() throws Exception {
    Lineage lineage = open();
    assertThat(lineage.began()).isEmpty();
    lineage.append(List.of(BEGAN));
    lineage.append(List.of(deal(0), new Digested(1, "ab"), deal(1)));
    lineage.append(List.of(new Resumed("job")));

    Lineage again = open();
    assertThat(again.size()).isEqualTo(5);
    assertThat(again.began()).contains(BEGAN);
    assertThat(again.entries(0))
        .containsExactly(BEGAN, deal(0), new Digested(1, "ab"), deal(1), new Resumed("job"));
    assertThat(again.entries(2))
        .containsExactly(new Digested(1, "ab"), deal(1), new Resumed("job"));
    assertThat(again.entries(5)).isEmpty();
  }

  @Test
  void filesOfFewEntriesAreMerged() throws Exception {
    Lineage lineage = open();
    List<LineageEntry> all = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      all.add(deal(i));
      lineage.append(List.of(deal(i)));
    }
    try (Stream<Path> files = Files.list(folder.resolve("lineage"))) {
      assertThat(files).hasSizeLessThan(100);
    }
    for (int from : new int[] {0, 1, 255, 256, 257, 511, 599}) {
      assertThat(open().entries(from)).isEqualTo(all.subList(from, 600));
    }
  }

  @Test
  void filesOfEarlierProcessesAreMerged() throws Exception {
    List<LineageEntry> all = new ArrayList<>();
    for (int process = 0; process < 120; process++) {
      Lineage lineage = open();
      lineage.claim();
      for (int i = 0; i < 10; i++) {
        all.add(deal(all.size()));
        lineage.append(List.of(all.get(all.size() - 1)));
      }
    }
    try (Stream<Path> files = Files.list(folder.resolve("lineage"))) {
      assertThat(files).hasSizeLessThan(300);
    }
    for (int from : new int[] {0, 1, 255, 256, 900, 1199}) {
      assertThat(open().entries(from)).isEqualTo(all.subList(from, 1200));
    }
  }

  @Test
  void filesWithAGapAreNotMerged() throws Exception {
    Lineage lineage = open();
    for (int i = 0; i < 255; i++) {
      lineage.append(List.of(deal(i)));
    }
    Lineage other = open();
    for (int i = 255; i < 300; i++) {
      other.append(List.of(deal(i)));
    }
    Files.delete(folder.resolve("lineage/000000000007.jsonl"));
    assertThatThrownBy(() -> open().claim()).isInstanceOf(InvalidDataException.class);
    assertThat(folder.resolve("lineage/000000000008.jsonl")).exists();
  }

  /** A published model can be recomputed even if the run later returned to an older checkpoint. */
  @Test
  void isReadAsItWas() throws Exception {
    Lineage lineage = open();
    lineage.append(List.of(BEGAN, deal(0), deal(1), deal(2)));
    long size = lineage.size();
    lineage.append(List.of(deal(1)));
    assertThat(RecordedRun.read(lineage).rounds()).isEqualTo(2);
    assertThat(RecordedRun.read(lineage, size).rounds()).isEqualTo(3);
    assertThatThrownBy(() -> RecordedRun.read(lineage, size + 2))
        .isInstanceOf(InvalidDataException.class);
  }

  @Test
  void isReadWhileFilesAreMerged() throws Exception {
    Lineage lineage = open();
    lineage.append(List.of(BEGAN));
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int i = 0; i < 2_000; i++) {
                  lineage.append(List.of(deal(i)));
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    int last = 0;
    while (!writer.isDone()) {
      int rounds = (int) RecordedRun.read(lineage.place()).rounds();
      assertThat(rounds).isGreaterThanOrEqualTo(last);
      last = rounds;
    }
    writer.get();
    assertThat(RecordedRun.read(lineage.place()).rounds()).isEqualTo(2_000);
  }

  /**
   * In two merges, the second of which includes the first one's file, each may not have deleted
   * anything yet.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void mergesThatWereInterruptedLoseNothing(int deleted) throws Exception {
    Lineage lineage = open();
    for (int i = 0; i < 6; i++) {
      lineage.append(List.of(deal(i)));
    }
    writeMerged(3);
    writeMerged(5);
    for (int i = 0; i < deleted; i++) {
      Files.delete(folder.resolve("lineage/00000000000%d.jsonl".formatted(i)));
    }
    assertThat(open().size()).isEqualTo(6);
    for (int from = 0; from < 6; from++) {
      assertThat(open().entries(from)).hasSize(6 - from).startsWith(deal(from));
    }
    open().append(List.of(deal(6)));
    assertThat(open().entries(0)).hasSize(7);
  }

  private void writeMerged(int entries) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < entries; i++) {
      lines.append(deal(i).toJson()).append('\n');
    }
    String name = "000000000000-00000000000%d.jsonl".formatted(entries - 1);
    Files.writeString(folder.resolve("lineage").resolve(name), lines);
  }

  @Test
  void aSecondWriterIsFound() throws Exception {
    Lineage one = open();
    Lineage other = open();
    one.append(List.of(BEGAN));
    assertThatThrownBy(() -> other.append(List.of(BEGAN)))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(open().entries(0)).containsExactly(BEGAN);
  }

  @Test
  void aJobThatWasReplacedDoesNotTakeTheLineageBack() throws Exception {
    Lineage lineage = open();
    lineage.append(List.of(BEGAN, deal(0)));
    lineage.append(List.of(new Resumed("other")));
    assertThatThrownBy(() -> open().requireNotReplaced("job", 2))
        .isInstanceOf(InvalidDataException.class);
    open().requireNotReplaced("other", 2);
    open().requireNotReplaced("a third", 2);
    open().requireNotReplaced("job", 3);
    lineage.append(List.of(new Resumed("job")));
    open().requireNotReplaced("job", 2);
  }

  @Test
  void entriesThatAreMissingAreFound() throws Exception {
    Lineage lineage = open();
    lineage.append(List.of(BEGAN));
    lineage.append(List.of(deal(0)));
    lineage.append(List.of(deal(1)));
    Files.delete(folder.resolve("lineage/000000000001.jsonl"));
    assertThatThrownBy(() -> open().entries(0)).isInstanceOf(InvalidDataException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "null",
        "[]",
        "{\"deal\":null}",
        "{\"other\":{}}",
        "{\"digest\":{\"rounds\":1}}",
        "{\"digest\":{\"rounds\":1,\"sha256\":null}}",
        "{\"digest\":{\"rounds\":1,\"sha256\":\"a\",\"more\":1}}",
        "{\"digest\":{\"rounds\":1,\"sha256\":\"a\"}} {}",
        "{\"deal\":{\"round\":-1,\"rounds\":1,\"batch\":1,\"shares\":[\"\"]}}",
        "{\"deal\":{\"round\":0,\"rounds\":1,\"batch\":1,\"shares\":[]}}",
        "{\"deal\":{\"round\":0,\"rounds\":1,\"batch\":1,\"shares\":[null]}}",
        "{\"deal\":{\"round\":0,\"rounds\":1,\"batch\":1,\"shares\":[\"0:5-1\"]}}",
        "{\"deal\":{\"round\":0,\"rounds\":1,\"batch\":1,\"shares\":[\"0:1-9\"]}}",
        "{\"deal\":{\"round\":0,\"rounds\":1,\"batch\":1,\"shares\":[\"x\"]}}"
      })
  void whatIsNoLineIsRefused(String line) throws Exception {
    Path file = folder.resolve("lineage/000000000000.jsonl");
    Files.createDirectories(file.getParent());
    Files.writeString(file, line + "\n");
    assertThatThrownBy(() -> open().entries(0))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining(file.getFileName().toString());
  }
}
