package dev.braid.bench;

import dev.braid.job.Main;
import dev.braid.job.chaos.ChaosCommand;
import dev.braid.job.cli.Converters;
import dev.braid.job.cluster.ClusterCommand;
import dev.braid.job.compare.CompareCommand;
import dev.braid.job.config.DataSettings;
import dev.braid.job.console.Terminal;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.feed.FeedCommand;
import dev.braid.job.models.ModelsCommand;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.page.RunPage;
import dev.braid.job.plan.RunPlan;
import dev.braid.job.replay.ReplayCommand;
import dev.braid.job.rest.FlinkRest;
import dev.braid.job.restore.RestoreCheck;
import dev.braid.job.score.ScoreCommand;
import dev.braid.job.scoring.EvaluateCommand;
import dev.braid.job.train.TrainCommand;
import java.util.List;

/**
 * Dependencies among the packages of the job; only {@link Main}, which registers the commands, is
 * in none of them.
 */
class JobArchitectureTest extends Rooms {

  // The packages on which commands are based.
  private static final Room CONSOLE = Room.of(Terminal.class);
  private static final Room CLI = Room.of(Converters.class, CONSOLE);
  private static final Room CONFIG = Room.of(DataSettings.class, CONSOLE);
  private static final Room OPTIONS = Room.of(TrainOptions.class, CONSOLE, CONFIG);

  // The packages of a run.
  private static final Room ENGINE = Room.of(FlinkSettings.class, OPTIONS);
  private static final Room PAGE = Room.of(RunPage.class);
  private static final Room RESTORE = Room.of(RestoreCheck.class, CONSOLE, CONFIG, OPTIONS, ENGINE);
  private static final Room PLAN =
      Room.of(RunPlan.class, CONSOLE, CONFIG, OPTIONS, ENGINE, RESTORE);

  // The client of a cluster's REST interface.
  private static final Room REST = Room.of(FlinkRest.class, CONSOLE, ENGINE);

  // The commands, which are independent of each other, except that a comparison consists of
  // trainings.
  private static final Room CHAOS = Room.of(ChaosCommand.class, CONSOLE, OPTIONS);
  private static final Room FEED = Room.of(FeedCommand.class, CONSOLE, CONFIG, OPTIONS);
  private static final Room SCORING = Room.of(EvaluateCommand.class, CONSOLE, CONFIG, PLAN);
  private static final Room TRAIN =
      Room.of(TrainCommand.class, CONSOLE, CLI, CONFIG, OPTIONS, ENGINE, PAGE, RESTORE, PLAN, REST);
  private static final Room REPLAY =
      Room.of(ReplayCommand.class, CONSOLE, CONFIG, OPTIONS, RESTORE, PLAN, TRAIN);
  private static final Room SCORE =
      Room.of(ScoreCommand.class, CONSOLE, CONFIG, OPTIONS, ENGINE, REST);
  private static final Room MODELS = Room.of(ModelsCommand.class, CONSOLE, OPTIONS, REPLAY);
  private static final Room COMPARE =
      Room.of(CompareCommand.class, CONSOLE, OPTIONS, PAGE, PLAN, TRAIN);

  private static final Room CLUSTER = Room.of(ClusterCommand.class, CONSOLE, ENGINE, REST);

  JobArchitectureTest() {
    super(
        "dev.braid.job",
        List.of(
            CONSOLE, CLI, CONFIG, OPTIONS, ENGINE, PAGE, RESTORE, PLAN, REST, CHAOS, FEED, SCORING,
            SCORE, TRAIN, REPLAY, MODELS, COMPARE, CLUSTER),
        Main.class);
  }
}
