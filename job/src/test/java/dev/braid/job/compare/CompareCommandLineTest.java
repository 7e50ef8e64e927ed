package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code braid compare} says of what was typed, before anything is trained. */
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
          --exchanges ps:nosuch | --consistency sync async ssp ps[:CONSISTENCY][:SERVERS]
          --exchanges ring:compress=fp17 | fp16? ring[:compress=CODEC]
          --exchanges ring, | --exchanges
          --exchanges ring:4 | 4 ring[:compress=CODEC]
          --exchanges averaging:x:y:z | averaging
          --exchanges ako:q=4 |
          --exchanges ako:4 | 4 ako[:p=P]
          --exchanges ako:p= |
          --exchanges ako:p=1:p=2 | p
          --exchanges ako:p=x | --ako-partitions x
          --exchanges ako:p=0 | --ako-partitions 0 65536
          --exchanges=ring,ring | ring
          --exchanges=averaging,averaging:5 | averaging:5 averaging
          --exchanges ft-tree:0s | --link-timeout 0s 1ms
          --workers 6 --exchanges=ring,mesh:2x4 | mesh:2x4 --mesh 2x4 8 6
          --updater adam --exchanges=ring,ako | ako --updater adam
          --exchanges ring,ps --staleness 4 | all-to-all ako sharing gossip ps ssp
          --exchanges ring --kafka-brokers a:1 | --chaos-topic
          --exchanges=ring,ps:staleness=3 | ps:staleness=3 --staleness 3
          --exchanges ring --workers 2..4 | cluster
          --exchanges ring --workers 0 | 1024
          --exchanges ring --data nowhere.csv | mnist
          --exchanges ring --exchange=tree, --exchanges ring --restore=x, --from x --workers=4 |
          --exchanges ring --worker=4 | --workers? train
          --exchanges ring --colour=blue | train
          --from nowhere | nowhere/history.jsonl
          --exchanges ring --checkpoint-interval 10 | 10ms
          --exchanges ft-tree:500 | 500ms
          """)
  void namesTheMistakeInOneLineAndStartsNothing(String mistakes, String words) {
    Path out = folder.resolve("out");
    CommandRun.assertMistakes("compare --out=" + out, mistakes, words);
    assertThat(out).doesNotExist();
  }
}
