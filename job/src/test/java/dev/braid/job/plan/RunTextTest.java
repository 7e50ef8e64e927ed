package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.option.Compression;
import dev.braid.job.TrainingGraph;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunTextTest {

  /** An optimiser behind the sum that has none is not all that there is then. */
  @ParameterizedTest
  @CsvSource({
    "dgc, 'ring exchange (compressed: dgc:0.1% with momentum 0.9 at the workers)', sgd",
    "threshold, ring exchange (compressed: threshold:1%), momentum 0.9"
  })
  void whereTheMomentumIs(String codec, String exchange, String updater) {
    assertThat(RunPlan.of(TrainingGraph.options("--compress", codec)).describe())
        .contains(exchange + ", batch 100, " + updater + ", learning rate 0.1");
  }

  /** Sharing has a codec of its own, which is said to be chosen from then on. */
  @ParameterizedTest
  @CsvSource({
    "--seed 7, dgc:0.1%",
    "--updater sgd, threshold:warm",
    "--compress threshold:adaptive, threshold:adaptive",
    "--compress none, none"
  })
  void whatSharingSendsFollowsFromTheOptimiser(String options, String codec) {
    RunPlan plan = RunPlan.of(TrainingGraph.options(("--exchange sharing " + options).split(" ")));
    assertThat(plan.shownOptions()).containsEntry("compress", codec);
    assertThat(plan.options().exchangeOptions().get(Compression.OPTION)).hasToString(codec);
  }
}
