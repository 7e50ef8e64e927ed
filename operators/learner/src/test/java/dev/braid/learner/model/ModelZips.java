package dev.braid.learner.model;

import dev.braid.learner.Batch;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.learning.config.Adam;

/** Saved models with manipulated entries. */
final class ModelZips {

  static final Shape SHAPE = Shape.rows(6, 3);

  private ModelZips() {}

  /** The content of an entry. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Returns a model with an optimiser's state, as Deeplearning4j saves it after a step. */
  static byte[] sound() throws IOException {
    MultiLayerNetwork network =
        new MultiLayerNetwork(TestModels.stack(SHAPE, b -> b.updater(new Adam(0.01))));
    network.init();
    Batch batch = TestModels.batch(SHAPE, 8, 1);
    network.fit(TestModels.features(batch), TestModels.labels(batch, 3));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    org.deeplearning4j.util.ModelSerializer.writeModel(network, bytes, true);
    return bytes.toByteArray();
  }

  /** Returns the entries of that model. */
  static Map<String, byte[]> soundEntries() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipInputStream in = new ZipInputStream(new java.io.ByteArrayInputStream(sound()))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        entries.put(entry.getName(), in.readAllBytes());
      }
    }
    return entries;
  }

  static Path write(Path file, Map<String, byte[]> entries) throws IOException {
    Map<String, Content> contents = new LinkedHashMap<>();
    entries.forEach((name, bytes) -> contents.put(name, out -> out.write(bytes)));
    return writeContents(file, contents);
  }

  static Path writeContents(Path file, Map<String, Content> entries) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.setLevel(Deflater.BEST_SPEED);
      for (Map.Entry<String, Content> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        entry.getValue().writeTo(zip);
        zip.closeEntry();
      }
    }
    return file;
  }

  /** Returns {@code length} bytes of one value, which compress to a thousandth. */
  static Content constant(int value, long length) {
    return out -> {
      byte[] block = new byte[1 << 16];
      Arrays.fill(block, (byte) value);
      for (long left = length; left > 0; left -= block.length) {
        out.write(block, 0, (int) Math.min(left, block.length));
      }
    };
  }

  /**
   * Returns an array in the format of {@code Nd4j.write}: a row whose header states {@code length}
   * values, followed by {@code values}.
   */
  static byte[] array(long length, String type, InputStream values) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF("LONG_SHAPE");
      long[] shape = {2, 1, length, 1, 1, 8192, 1, 'c'};
      out.writeLong(shape.length);
      out.writeUTF("LONG");
      for (long number : shape) {
        out.writeLong(number);
      }
      out.writeUTF("MIXED_DATA_TYPES");
      out.writeLong(length);
      out.writeUTF(type);
      values.transferTo(out);
    }
    return bytes.toByteArray();
  }
}
