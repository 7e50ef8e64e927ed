package dev.braid.job;

import dev.braid.job.console.Terminal;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.options.TrainFlags;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.plan.RunPlan;
import dev.braid.run.result.RunGoal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The graph of a training job, for tests that change it before they submit it. */
public final class TrainingGraph {

  private static final int COLUMNS = 80;

  private TrainingGraph() {}

  /** Returns the settings that {@code braid train} would use. */
  static Configuration settings(String... options) {
    return FlinkSettings.job(options(options));
  }

  /** Returns the graph that {@code braid train} would submit. */
  public static StreamGraph of(StreamExecutionEnvironment env, String... options) {
    RunPlan plan = RunPlan.of(options(options));
    plan.build(env, 0, plan.goal(RunGoal.Required.NOTHING), runFile(options));
    return env.getStreamGraph();
  }

  /** Returns options that have a value as lines of a run file. */
  private static String runFile(String... options) {
    return Stream.of(options)
        .filter(option -> option.contains("="))
        .map(option -> option.substring("--".length()).split("=", 2))
        .map(
            option ->
                option[1].startsWith("{")
                    ? "%s: %s%n".formatted(option[0], option[1])
                    : "%s: '%s'%n".formatted(option[0], option[1]))
        .collect(Collectors.joining());
  }

  /** Returns the options that {@code braid train} would parse from these arguments. */
  public static TrainOptions options(String... options) {
    Terminal terminal = new Terminal(System.out, false, false, () -> COLUMNS);
    List<String> arguments = new ArrayList<>(List.of("train"));
    Collections.addAll(arguments, options);
    CommandLine braid = Main.commandLine(terminal);
    ParseResult train = braid.parseArgs(arguments.toArray(String[]::new)).subcommand();
    TrainFlags flags =
        train.commandSpec().mixins().values().stream()
            .map(CommandSpec::userObject)
            .filter(TrainFlags.class::isInstance)
            .map(TrainFlags.class::cast)
            .findFirst()
            .orElseThrow();
    return flags.options();
  }
}
