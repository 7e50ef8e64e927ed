package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors that {@code braid compare} finds in its arguments before it trains. */
class CompareCommandLineTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '' | --exchanges --from
          --exchanges=ring --from=x, --from=x --exchanges=ring | --exchanges --from
          --exchanges | --exchanges
          --exchanges star | ring
          --exchanges ps:consistency=nosuch | ps consistency=nosuch sync async ssp
          --exchanges tree,ring:compress=fp17 | ring compress=fp17 fp16?
          --exchanges ring, | --exchanges
          --exchanges ring:4 | ring compress sharded
          --exchanges averaging:x:y:z | averaging interval
          --exchanges ako:q=4, --exchanges ako:partitions= | partitions
          --exchanges ring,compress=bf16 | ring:compress=bf16
          --exchanges ako:partitions=1,partitions=2 | partitions
          --exchanges ako:partitions=x | partitions=x
          --exchanges ako:partitions=0 | partitions=0 65536
          --exchanges=ring,ring | ring
          --exchanges=averaging,averaging:interval=5 | averaging:interval=5 averaging
          --exchanges ft-tree:timeout=0s | timeout=0s 1ms
          --workers 6 --exchanges=ring,mesh:shape=2x4 | mesh shape=2x4 8 6
          --updater adam --exchanges=ring,ako | ako --updater adam
          --exchanges ring,ps --staleness=4 |
          --exchanges ring --kafka-brokers a:1 | --chaos-topic
          --exchanges=ring,ps:staleness=3 | ps staleness=3 consistency=ssp
          --exchanges ring --workers 2..4 | cluster
          --exchanges ring --workers 0 | 1024
          --exchanges ring --data nowhere.csv | mnist
          --exchanges ring --exchange=tree, --exchanges ring --restore=x, --from x --workers=4 |
          --exchanges ring --worker=4 | --workers? train
          --exchanges ring --colour=blue | train
          --from nowhere | nowhere/history.jsonl
          --exchanges ring --checkpoint-interval 10 | 10ms
          --exchanges ft-tree:timeout=500 | 500ms
          """)
  void namesTheMistakeInOneLineAndStartsNothing(String mistakes, String words) {
    Path out = folder.resolve("out");
    CommandRun.assertMistakes("compare --out=" + out, mistakes, words);
    assertThat(out).doesNotExist();
  }
}
