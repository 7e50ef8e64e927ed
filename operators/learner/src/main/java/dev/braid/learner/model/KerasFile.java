package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipFile;

/**
 * Recognises Keras models, so that the message does not call them damaged Deeplearning4j models.
 */
final class KerasFile {

  /** First bytes of every HDF5 file. */
  private static final byte[] HDF5 = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

  private static final String IMPORT =
      "convert it with Deeplearning4j's "
          + "KerasModelImport.importKerasSequentialModelAndWeights(file).save(new "
          + "File(\"model.zip\")), of deeplearning4j-modelimport";

  private KerasFile() {}

  /**
   * Rejects a file that Keras has saved.
   *
   * @param name the user's name for the model
   * @throws InvalidModelException if the file is a Keras model; the message says how to convert it
   */
  static void refuse(String name, Path file) throws IOException {
    if (isHdf5(file)) {
      throw new InvalidModelException("model " + name + ": is a Keras model (HDF5): " + IMPORT);
    }
    if (isKerasZip(file)) {
      throw new InvalidModelException(
          "model "
              + name
              + ": is a Keras model (.keras): save it as HDF5 with model.save(\"model.h5\") in "
              + "Python; then "
              + IMPORT);
    }
  }

  private static boolean isHdf5(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(HDF5.length), HDF5);
    }
  }

  private static boolean isKerasZip(Path file) {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.getEntry("config.json") != null && zip.getEntry("model.weights.h5") != null;
    } catch (IOException | IllegalArgumentException e) {
      // The file is not a zip, or a damaged one: the reader that opens it next reports the fault.
      return false;
    }
  }
}
