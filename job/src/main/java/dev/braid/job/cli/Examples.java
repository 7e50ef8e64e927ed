package dev.braid.job.cli;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** Commands to copy, shown at the end of each command's help. */
public final class Examples {

  private static final String SECTION = "examples";

  private static final Map<String, List<String>> BY_COMMAND =
      Map.ofEntries(
          entry(
              "braid",
              List.of(
                  "./braid train",
                  "./braid compare --exchanges ring,tree,ako --workers 4",
                  "./braid help train")),
          entry(
              "braid train",
              List.of(
                  "./braid train --epochs 3 --page",
                  "./braid train --data docs/example/flats.csv --regression --standardize",
                  "./braid train --model cnn --data fashion-mnist/ --target-accuracy 0.9",
                  "./braid train --exchange ako:partitions=4 --workers 8 --chaos-topic chaos",
                  "./braid train --restore latest --epochs 20")),
          entry("braid version", List.of("./braid version")),
          entry(
              "braid generate-completion",
              List.of("./braid generate-completion > ~/.braid-completion")),
          entry("braid exchanges", List.of("./braid exchanges", "./braid exchanges ako")),
          entry(
              "braid result",
              List.of(
                  "./braid result", "./braid result --flink http://jobmanager:8081 4f5f --follow")),
          entry(
              "braid compare",
              List.of(
                  "./braid compare --exchanges ring,ako,ps --workers 8 --target-accuracy 0.97",
                  "./braid compare --exchanges ring,ps:consistency=async,servers=2 --links 100mbit",
                  "./braid compare --from out/ring out/ako")),
          entry(
              "braid evaluate",
              List.of(
                  "./braid evaluate --model out/model.zip --data mnist",
                  "./braid evaluate --model out/model.zip --data new.csv --json")),
          entry(
              "braid predict",
              List.of(
                  "./braid predict --model out/model.zip new.csv",
                  "./braid predict --model out/model.zip seven.png nine.png",
                  "tail -f rows.csv | ./braid predict --model out/model.zip --json")),
          entry(
              "braid export",
              List.of("./braid export --model out/model.zip --onnx out/model.onnx")),
          entry(
              "braid score",
              List.of(
                  "./braid score --data docs/example/sea.yaml --to kafka:scores --models"
                      + " out/models",
                  "./braid score --data docs/example/sea.yaml --to kafka:scores --models out/models"
                      + " --canary v17=0.05 --restore latest")),
          entry(
              "braid replay",
              List.of(
                  "./braid replay out",
                  "./braid replay out --round 1000",
                  "./braid replay out --without 0:4711 --model out/without.zip")),
          entry(
              "braid models",
              List.of(
                  "./braid models list out/models",
                  "./braid models rollback out/models v17",
                  "./braid models verify kafka:models")),
          entry(
              "braid models list",
              List.of("./braid models list out/models", "./braid models list kafka:models --json")),
          entry(
              "braid models show",
              List.of(
                  "./braid models show out/models", "./braid models show out/models v17 --json")),
          entry(
              "braid models rollback",
              List.of(
                  "./braid models rollback out/models v17",
                  "./braid models rollback out/models --newest")),
          entry("braid models prune", List.of("./braid models prune out/models --keep 20")),
          entry(
              "braid models verify",
              List.of(
                  "./braid models verify out/models",
                  "./braid models verify out/models v17 --files-only")),
          entry(
              "braid feed",
              List.of(
                  "./braid feed --topic digits --data mnist",
                  "./braid feed --topic sea --stream sea --rate 5000 --records 100000",
                  "./braid feed --topic planes --stream hyperplane:features=10,drift=0.001 --rate"
                      + " 2000")),
          entry(
              "braid cluster",
              List.of(
                  "./braid cluster up",
                  "./braid flink run job/target/braid.jar train --workers 4",
                  "./braid cluster status",
                  "./braid cluster down")),
          entry(
              "braid cluster up",
              List.of(
                  "./braid cluster up",
                  "./braid cluster up --task-managers 3 --slots 2",
                  "./braid cluster up -D jobmanager.scheduler=adaptive --folder elastic")),
          entry("braid cluster status", List.of("./braid cluster status")),
          entry("braid cluster down", List.of("./braid cluster down")),
          entry(
              "braid flink",
              List.of(
                  "./braid flink run job/target/braid.jar train --workers 4 --epochs 3",
                  "./braid flink list",
                  "./braid flink --folder elastic cancel JOB")),
          entry(
              "braid kafka",
              List.of(
                  "./braid kafka",
                  "./braid kafka --port 9093 --dir kafka",
                  "./braid kafka --secure --dir kafka")),
          entry(
              "braid chaos",
              List.of(
                  "./braid chaos send cut 3 1 for 5s",
                  "./braid chaos send isolate 2 for 10s",
                  "./braid chaos status")),
          entry(
              "braid chaos send",
              List.of(
                  "./braid chaos send cut 3 1 for 5s",
                  "./braid chaos send heal 3 1",
                  "./braid chaos send delay 3 1 by 20ms jitter 10ms",
                  "./braid chaos send reorder level 2 probability 0.2 within 50ms",
                  "./braid chaos send 'isolate 2 at-round 50' 'rejoin 2 at-round 90' --to two.txt",
                  "./braid chaos send straggle 2 factor 3 for 30s",
                  "./braid chaos send isolate block 2,4+2x2 of 4x8")),
          entry(
              "braid chaos status", List.of("./braid chaos status", "./braid chaos status --json")),
          entry(
              "braid chaos generate",
              List.of(
                  "./braid chaos generate --workers 4 --rate 2/s --live",
                  "./braid chaos generate --workers 4 --seed 7 --faults any --to events.txt")),
          entry(
              "braid chaos replay",
              List.of("./braid chaos replay out/chaos-applied.jsonl --to again.txt")));

  /** Maximum characters of a line after its indent. */
  private static final int WIDTH = 78;

  private Examples() {}

  /** Returns the examples of a command, given its qualified name such as {@code braid train}. */
  public static List<String> of(String command) {
    return BY_COMMAND.getOrDefault(command, List.of());
  }

  /** Adds the examples to the help of all commands. */
  public static void addTo(CommandLine braid) {
    List<String> keys = new ArrayList<>(braid.getHelpSectionKeys());
    keys.add(SECTION);
    // This call also sets the keys of the subcommands.
    braid.setHelpSectionKeys(keys);
    addSection(braid);
  }

  private static void addSection(CommandLine command) {
    List<String> examples = of(command.getCommandSpec().qualifiedName());
    if (!examples.isEmpty()) {
      String text = "\nExamples\n  " + String.join("\n  ", wrapped(examples)) + "\n";
      command.getHelpSectionMap().put(SECTION, help -> text);
    }
    command.getSubcommands().values().forEach(Examples::addSection);
  }

  /** Breaks lines that are too long, with a backslash for the shell. */
  private static List<String> wrapped(List<String> examples) {
    return examples.stream()
        .map(
            example -> {
              int end = example.lastIndexOf(" --", WIDTH - 2);
              return example.length() <= WIDTH
                  ? example
                  : example.substring(0, end) + " \\\n     " + example.substring(end);
            })
        .toList();
  }
}
