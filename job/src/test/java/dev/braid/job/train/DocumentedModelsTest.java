package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.BelowHere;
import dev.braid.job.TrainingGraph;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.plan.RunPlan;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.model.ModelSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.AMSGrad;
import org.nd4j.linalg.learning.config.AdaBelief;
import org.nd4j.linalg.learning.config.AdaDelta;
import org.nd4j.linalg.learning.config.AdaGrad;
import org.nd4j.linalg.learning.config.AdaMax;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nadam;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.NoOp;
import org.nd4j.linalg.learning.config.RmsProp;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Braid accepts exactly the models that docs/reference/models.md lists. */
class DocumentedModelsTest {

  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/reference/models.md");
  private static final Path EXAMPLE = ROOT.resolve("docs/example/iris.json");
  private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  /** Code that a reader's editor would add. */
  private static final String CLASS =
      """
      import java.io.*;
      import java.nio.file.*;
      import org.deeplearning4j.nn.conf.*;
      import org.deeplearning4j.nn.conf.layers.*;
      import org.deeplearning4j.nn.multilayer.*;
      import org.nd4j.linalg.activations.*;
      import org.nd4j.linalg.api.ndarray.*;
      import org.nd4j.linalg.factory.*;
      import org.nd4j.linalg.learning.config.*;
      import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

      public class FromReadme {
        public static void run() throws Exception {
          %s
        }
      }
      """;

  @TempDir Path folder;

  /** The Java code of the walk-through creates the configuration that it names. */
  @Test
  void theExampleIsWhatItsCodeMakes() throws Exception {
    Path made = folder.resolve("iris.json");
    String code = codeIn(PAGE);
    assertThat(code).contains("\"iris.json\"");
    compiled(code.replace("\"iris.json\"", "\"" + made + "\"")).invoke(null);
    assertThat(made).hasSameTextualContentAs(EXAMPLE);
  }

  @Test
  void theCodeThatScoresASampleIsJava() throws Exception {
    assertThat(compiled(codeIn(ROOT.resolve("docs/how-to/onnx.md")))).isNotNull();
  }

  @Test
  void theExampleFitsItsData() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    String data = ROOT.resolve("docs/example/iris.csv").toString();
    TrainOptions options =
        TrainArguments.of(
                List.of("--model", EXAMPLE.toString(), "--data", data, "--standardize"),
                new Terminal(nowhere, false, false, () -> 80))
            .options();
    assertThat(RunPlan.of(options).describeData())
        .isEqualTo(
            "4 features, 3 classes; samples of class setosa: 45, versicolor: 45, virginica: 45");
  }

  /** Paths in the working folder are shown relative to it, others whole, however they are typed. */
  @Test
  void aRunsPathsAreShownInOneWay(@TempDir(factory = BelowHere.class) Path here) throws Exception {
    Path model = Files.copy(EXAMPLE, here.resolve("iris.json"));
    Path data = Files.copy(ROOT.resolve("docs/example/iris.csv"), here.resolve("iris.csv"));
    String typed = BelowHere.typed(here);
    assertThat(header(typed + "/iris.json", data.toString()))
        .startsWith(typed + "/iris.json on " + typed + "/iris.csv (");
    assertThat(header(model.toString(), typed + "/iris.csv"))
        .startsWith(typed + "/iris.json on " + typed + "/iris.csv (");
    assertThat(header("../docs/example/iris.json", "../docs/example/iris.csv"))
        .startsWith(absolute("iris.json") + " on " + absolute("iris.csv") + " (");
    assertThat(header("mlp", "mnist")).startsWith("mlp on mnist (");
  }

  private static String absolute(String name) {
    return ROOT.resolve("docs/example").resolve(name).toAbsolutePath().normalize().toString();
  }

  private static String header(String model, String data) {
    return RunPlan.of(TrainingGraph.options("--model", model, "--data", data)).describe();
  }

  @Test
  void theTableHasTheLossesThatAreTaken() throws Exception {
    List<String> named = namesInRow("losses");
    for (LossFunction loss : LossFunction.values()) {
      assertThat(isTaken(model(new Sgd(0.1), Activation.TANH, loss)))
          .as("loss %s", loss)
          .isEqualTo(named.contains(loss.name()));
    }
  }

  @Test
  void theTableHasTheUpdatersThatAreTaken() throws Exception {
    List<String> named = namesInRow("updaters");
    List<IUpdater> all =
        List.of(
            new Sgd(),
            new Nesterovs(),
            new Adam(),
            new RmsProp(),
            new AdaGrad(),
            new AdaDelta(),
            new AdaMax(),
            new AdaBelief(),
            new Nadam(),
            new AMSGrad(),
            new NoOp());
    for (IUpdater updater : all) {
      assertThat(isTaken(model(updater, Activation.TANH, LossFunction.MCXENT)))
          .as("updater %s", updater)
          .isEqualTo(named.contains(updater.getClass().getSimpleName()));
    }
  }

  @Test
  void allActivationsButARandomOneAreTaken() throws Exception {
    for (Activation activation : Activation.values()) {
      assertThat(isTaken(model(new Sgd(0.1), activation, LossFunction.MCXENT)))
          .as("activation %s", activation)
          .isEqualTo(activation != Activation.RRELU);
    }
  }

  private boolean isTaken(MultiLayerConfiguration model) throws IOException {
    Path file = Files.writeString(folder.resolve("model.json"), model.toJson());
    try {
      return ModelSpec.read(file, 1).updater().learningRate() > 0;
    } catch (InvalidModelException e) {
      return false;
    }
  }

  private static MultiLayerConfiguration model(
      IUpdater updater, Activation activation, LossFunction loss) {
    // Deeplearning4j itself refuses the other one.
    Activation last = loss == LossFunction.XENT ? Activation.SIGMOID : Activation.SOFTMAX;
    return new NeuralNetConfiguration.Builder()
        .seed(1)
        .updater(updater)
        .list()
        .layer(new DenseLayer.Builder().nIn(4).nOut(16).activation(activation).build())
        .layer(new OutputLayer.Builder(loss).nIn(16).nOut(3).activation(last).build())
        .build();
  }

  private static String codeIn(Path page) throws IOException {
    return JAVA.matcher(Files.readString(page))
        .results()
        .map(block -> block.group(1))
        .findFirst()
        .orElseThrow();
  }

  private Method compiled(String code) throws Exception {
    Path source = Files.writeString(folder.resolve("FromReadme.java"), CLASS.formatted(code));
    String classPath = System.getProperty("java.class.path");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int exitCode =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                said,
                said,
                "-proc:none",
                "-cp",
                System.getProperty("surefire.test.class.path", classPath),
                "-d",
                folder.toString(),
                source.toString());
    assertThat(exitCode).as(said.toString(StandardCharsets.UTF_8)).isZero();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
      return loader.loadClass("FromReadme").getMethod("run");
    }
  }

  /** Returns the names in the column "taken" of the rows with this beginning. */
  private static List<String> namesInRow(String kind) throws IOException {
    List<String> names = new ArrayList<>();
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("| " + kind + " |")) {
        String taken = Arrays.asList(line.split("\\|", -1)).get(2);
        names.addAll(
            Pattern.compile("`(\\w+)`")
                .matcher(taken)
                .results()
                .map(found -> found.group(1))
                .toList());
      }
    }
    assertThat(names).as("of the table").isNotEmpty();
    return names;
  }
}
