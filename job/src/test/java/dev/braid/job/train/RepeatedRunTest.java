package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.console.Terminal;
import dev.braid.job.plan.RunPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run and its repetition from its run file have the same plan. */
class RepeatedRunTest {

  private static final String FLATS = "../docs/example/flats.csv";
  private static final String IRIS = "../docs/example/iris.csv";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--batch=all --model=logistic --math=portable --target-accuracy=0.90",
        "--data=IRIS",
        "--data=IRIS --standardize=false --validation=0.25 --seed=9",
        "--data={place: FLATS, regression: true, standardize: false, ignore: [1, district]}",
        "--data={place: FLATS, regression: true, label: [rent, price], validation: 0.1}",
        "--data=IRIS --updater=adamw --clip=norm:1 --schedule=cosine:0.1 --warm-up=0.5",
        "--data=IRIS --class-weights=balanced --patience=3 --weight-decay=0.001",
        "--data=IRIS --model=../docs/example/iris.json",
        "--data=IRIS --model=../docs/example/iris.json --learning-rate=0.05",
        "--data=IRIS --workers=3 --exchange=coded --batch=5",
        "--workers=8 --exchange=mesh:sharded=on --links=50mbit/2ms",
        "--workers=2 --exchange=ako --links=50mbit",
        "--exchange=ps:consistency=async,servers=2 --links=2ms",
        "--data={place: mnist, crop: 2, flip: true, normalize: true} --model=cnn --page",
        "--checkpoint-dir=CHECKPOINTS --checkpoint-interval=1500ms --state-backend=rocksdb",
        "--require=every-sample,same-bits --epochs=3 --web-port=0 --out=OUT",
      })
  void theRunFileOfARunPlansTheSameRun(String typed) throws IOException {
    String options =
        typed
            .replace("IRIS", IRIS)
            .replace("FLATS", FLATS)
            .replace("OUT", folder.resolve("out").toString())
            .replace("CHECKPOINTS", folder.resolve("checkpoints").toString());
    TrainArguments given =
        arguments(options.isEmpty() ? List.of() : List.of(options.split(" (?=--)", -1)));
    RunPlan plan = RunPlan.of(given.options());
    Path file = Files.writeString(folder.resolve("run.yaml"), given.complete(plan));
    TrainArguments again = arguments(List.of("--config=" + file));
    RunPlan repeated = RunPlan.of(again.options());
    assertThat(repeated.optionsJson()).isEqualTo(plan.optionsJson());
    assertThat(again.complete(repeated)).isEqualTo(Files.readString(file));
    assertThat(repeated.describe()).isEqualTo(plan.describe());
  }

  /** The first run's model is moved away when the second run starts. */
  @Test
  void aModelThatWasPutAsideIsFound() throws IOException {
    Path aside = Files.createDirectories(folder.resolve("earlier/2026-11-29"));
    Files.copy(Path.of("../docs/example/iris.json"), aside.resolve("iris.json"));
    Path model = folder.resolve("iris.json");
    TrainArguments given = arguments(List.of("--data=" + IRIS, "--model=" + model));
    Files.copy(aside.resolve("iris.json"), model);
    RunPlan plan = RunPlan.of(given.options());
    Files.delete(model);
    assertThat(given.complete(plan)).contains("model: " + aside.resolve("iris.json"));
  }

  private static TrainArguments arguments(List<String> words) {
    return TrainArguments.of(words, new Terminal(System.out, false, false, () -> 80));
  }
}
