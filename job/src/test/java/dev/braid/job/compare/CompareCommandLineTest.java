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
      value = {
        "compare                             | --exchanges or --from: one of them is needed, and only one",
        "compare --exchanges ring --from x   | --exchanges or --from: one of them is needed, and only one",
        "compare --exchanges                 | Expected parameter for option '--exchanges'",
        "compare --exchanges star            | --exchanges star: there is no such name; one of ring",
        "compare --exchanges ps:nosuch       | --consistency nosuch: there is no such name; one of sync, async, ssp is needed; possible is ps[:CONSISTENCY][:SERVERS]",
        "compare --exchanges ring:compress=fp17 | did you mean fp16? Possible is ring[:compress=CODEC]",
        "compare --exchanges ring,           | --exchanges ring,: a name is missing",
        "compare --exchanges ring:4          | --exchanges ring:4: '4' says nothing to ring; possible is ring[:compress=CODEC]",
        "compare --exchanges averaging:x:y:z | 'y' says nothing to averaging",
        "compare --exchanges ako:q=4         | --exchanges ako:q=4: 'q=4' says nothing to ako; possible",
        "compare --exchanges ako:4           | --exchanges ako:4: '4' says nothing to ako; possible is ako[:p=P]",
        "compare --exchanges ako:p=          | --exchanges ako:p=: 'p=' says nothing to ako",
        "compare --exchanges ako:p=1:p=2     | --exchanges ako:p=1:p=2: p is given twice",
        "compare --exchanges ako:p=x         | --exchanges ako:p=x: --ako-partitions x: a whole number",
        "compare --exchanges ako:p=0         | --exchanges ako:p=0: --ako-partitions 0: 1 to 65536",
        "compare --exchanges ring,ring       | --exchanges ring: is there twice",
        "compare --exchanges averaging,averaging:5 | --exchanges averaging:5: is the same as averaging",
        "compare --exchanges ft-tree:0s      | --exchanges ft-tree:0s: --link-timeout 0s: 1ms or more",
        "compare --exchanges ring,mesh:2x4 --workers 6 | --exchanges mesh:2x4: --mesh 2x4: a mesh of 8 ranks for 6",
        "compare --exchanges ring,ako --updater adam | --exchanges ako: --updater adam: with",
        "compare --exchanges ring,ps --staleness 4 | braid: --staleness 4: only with --exchange all-to-all, ako, sharing or gossip, or ps with --consistency ssp, and no run is",
        "compare --exchanges ring --kafka-brokers a:1 | --kafka-brokers a:1: only with --chaos-topic, and no run",
        "compare --exchanges ring,ps:staleness=3 | --exchanges ps:staleness=3: --staleness 3: only with",
        "compare --exchanges ring --workers 2..4 | braid: --workers 2..4: bounds are for a cluster",
        "compare --exchanges ring --workers 0 | braid: --workers 0: 1 to 1024 is needed",
        "compare --exchanges ring --data nowhere.csv | no such file or folder, and not mnist",
        "compare --exchanges ring --exchange tree | --exchange: is not for a comparison",
        "compare --exchanges ring --restore x | --restore: is not for a comparison",
        "compare --exchanges ring --worker 4 | '--worker'; did you mean --workers? (see braid train --help)",
        "compare --exchanges ring --colour blue | Unknown option: '--colour' (see braid train",
        "compare --exchanges ring --out s3://bucket/x | --out s3://bucket/x: no file system is known here",
        "compare --from nowhere              | --from nowhere: nowhere/history.jsonl: no such file",
        "compare --from x --workers 4        | --workers: with --from, only --out is possible",
        "compare --exchanges ring --checkpoint-interval 10 | --checkpoint-interval 10: a unit is needed",
        "compare --exchanges ft-tree:500 | a unit is needed",
      })
  void namesTheMistakeInOneLineAndStartsNothing(String line, String message) {
    Path out = folder.resolve("out");
    String to = line.contains("--out") ? "" : " --out " + out;
    CommandRun.ofLine(line + to).assertMistake(message);
    assertThat(out).doesNotExist();
  }
}
