package dev.braid.learner.onnx.reader;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import onnx.Onnx.GraphProto;
import onnx.Onnx.ModelProto;
import onnx.Onnx.OperatorSetIdProto;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.nd4j.shade.protobuf.CodedInputStream;

/**
 * Reads an ONNX file as a Deeplearning4j configuration and its parameters. The graph must be one
 * chain of layers with one input and one output, and all dimensions except the samples must be
 * fixed.
 */
public final class OnnxReader {

  /** First byte of an ONNX file: the tag of the version, which every program writes first. */
  private static final int FIRST_BYTE = 0x08;

  private static final int MIN_OPERATORS = 7;
  private static final int MAX_OPERATORS = 25;
  private static final int MAX_NODES = 2_000;
  private static final int MAX_DEPTH = 32;

  /**
   * A network.
   *
   * @param parameters all parameters, in Deeplearning4j's order
   */
  public record Network(MultiLayerConfiguration configuration, float[] parameters) {}

  private OnnxReader() {}

  /** Returns whether a file is an ONNX model, by its name or its first byte. */
  public static boolean isOnnx(Path file) throws IOException {
    if (file.toString().toLowerCase(Locale.ROOT).endsWith(".onnx")) {
      return true;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() == FIRST_BYTE;
    }
  }

  /**
   * Reads a file.
   *
   * @param name the user's name for the model, for messages
   * @param shape the shape of the samples, which determines the output layer
   * @param seed seed of the configuration
   * @throws InvalidModelException if the file is damaged or contains anything that Braid cannot
   *     train
   */
  public static Network read(String name, Path file, Shape shape, long seed) throws IOException {
    ModelProto model = parse(name, file);
    long version =
        model.getOpsetImportList().stream()
            .filter(it -> it.getDomain().isEmpty() || it.getDomain().equals("ai.onnx"))
            .mapToLong(OperatorSetIdProto::getVersion)
            .findFirst()
            .orElse(0);
    if (version == 0) {
      throw damaged(name, new IOException("no version of ONNX's operators"));
    }
    if (version < MIN_OPERATORS || version > MAX_OPERATORS) {
      throw refused(
          name,
          "version %d of ONNX's operators: must be %d to %d"
              .formatted(version, MIN_OPERATORS, MAX_OPERATORS));
    }
    GraphProto graph = model.getGraph();
    if (graph.getNodeCount() > MAX_NODES || graph.getSparseInitializerCount() > 0) {
      throw refused(
          name,
          "%d nodes and %d sparse tensors: must be at most %d nodes, with dense tensors only"
              .formatted(graph.getNodeCount(), graph.getSparseInitializerCount(), MAX_NODES));
    }
    try {
      return new GraphReader(name, graph).read(shape, seed);
    } catch (InvalidModelException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new InvalidModelException("model " + name + ": " + InvalidModelException.reason(e), e);
    }
  }

  private static ModelProto parse(String name, Path file) throws IOException {
    long most = Math.min(Integer.MAX_VALUE - 8, Runtime.getRuntime().maxMemory() / 4);
    if (Files.size(file) > most) {
      throw refused(
          name,
          "%d bytes: must be at most %d, for the memory of this process"
              .formatted(Files.size(file), most));
    }
    CodedInputStream in = CodedInputStream.newInstance(Files.readAllBytes(file));
    var unused = in.setRecursionLimit(MAX_DEPTH);
    in.enableAliasing(true);
    try {
      return ModelProto.parseFrom(in);
    } catch (IOException e) {
      throw damaged(name, e);
    }
  }

  private static InvalidModelException damaged(String name, IOException e) {
    return new InvalidModelException(
        "model "
            + name
            + ": not an ONNX model, or damaged: must be a file as torch.onnx.export writes it",
        e);
  }

  static InvalidModelException refused(String name, String what) {
    return new InvalidModelException("model " + name + ": an ONNX model: " + what);
  }
}
