package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.deeplearning4j.util.ModelSerializer;

/**
 * A model that Deeplearning4j has saved: the entries that Braid needs of it, each with a limit.
 *
 * <p>Not by Deeplearning4j's {@link ModelSerializer}, which unpacks all that is in the zip,
 * believes the lengths that are written there, and deserialises one of the entries as a Java
 * object: whoever wrote the file could run code here. What else is in the zip is named and refused,
 * rather than skipped: a model that was trained on normalised data would be trained wrongly in
 * silence.
 */
final class ModelZip implements Closeable {

  static final String CONFIGURATION = ModelSerializer.CONFIGURATION_JSON;
  static final String COEFFICIENTS = ModelSerializer.COEFFICIENTS_BIN;
  static final String UPDATER_STATE = ModelSerializer.UPDATER_BIN;

  /** A layer takes some two thousand bytes of it. */
  static final int MAX_CONFIGURATION_BYTES = 4 << 20;

  /** What an array has besides its values, amply. */
  private static final int ARRAY_HEADER_BYTES = 1 << 12;

  private static final int BUFFER_BYTES = 1 << 16;

  private static final Set<String> NEEDED = Set.of(CONFIGURATION, COEFFICIENTS, UPDATER_STATE);

  /**
   * Never opened, and nothing is lost by that: an empty mark, and an optimiser as a Java object,
   * which Deeplearning4j itself has long ceased to read.
   */
  private static final Set<String> SKIPPED =
      Set.of(ModelSerializer.NO_PARAMS_MARKER, "updater.bin");

  private final String model;
  private final ZipFile zip;

  private ModelZip(String model, ZipFile zip) {
    this.model = model;
    this.zip = zip;
  }

  /**
   * Opens a file.
   *
   * @param model what the user calls the model, for messages
   * @throws InvalidModelException if it is no zip, or has other entries than a saved model's
   */
  static ModelZip open(String model, Path file) throws IOException {
    ModelZip opened;
    try {
      opened = new ModelZip(model, new ZipFile(file.toFile()));
    } catch (ZipException | IllegalArgumentException e) {
      throw new InvalidModelException(
          "model " + model + ": not a zip file, or damaged: " + InvalidModelException.reason(e), e);
    }
    try {
      opened.checkNames();
    } catch (InvalidModelException e) {
      opened.close();
      throw e;
    }
    return opened;
  }

  boolean has(String name) {
    return zip.getEntry(name) != null;
  }

  /** The model's configuration, as JSON. */
  String configuration() {
    ZipEntry entry = entry(CONFIGURATION);
    checkSize(entry, MAX_CONFIGURATION_BYTES, "for a configuration");
    try (CheckedInputStream in = open(entry)) {
      byte[] json = in.readNBytes(MAX_CONFIGURATION_BYTES);
      checkEnd(entry, in);
      return new String(json, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw damaged(entry, e);
    }
  }

  /** An entry that is a vector of so many numbers. */
  float[] vector(String name, int length) {
    ZipEntry entry = entry(name);
    checkSize(
        entry,
        (long) length * Float.BYTES + ARRAY_HEADER_BYTES,
        "for the configuration's " + length + " numbers");
    try (CheckedInputStream in = open(entry)) {
      float[] values = VectorReader.read(new DataInputStream(in), length);
      checkEnd(entry, in);
      return values;
    } catch (IOException e) {
      throw damaged(entry, e);
    }
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }

  private void checkNames() {
    Set<String> seen = new HashSet<>();
    for (var entries = zip.entries(); entries.hasMoreElements(); ) {
      String name = entries.nextElement().getName();
      if (!NEEDED.contains(name) && !SKIPPED.contains(name)) {
        String shown = InvalidModelException.shorten(name);
        throw error(
            name,
            "Braid reads only "
                + String.join(", ", CONFIGURATION, COEFFICIENTS, UPDATER_STATE)
                + ", and applies no preprocessors; if the model needs none, 'zip -d "
                + model
                + " "
                + shown
                + "' removes it");
      }
      if (!seen.add(name)) {
        throw error(name, "occurs twice");
      }
    }
  }

  private ZipEntry entry(String name) {
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) {
      throw new InvalidModelException(
          "model " + model + ": not a saved MultiLayerNetwork: has no " + name);
    }
    return entry;
  }

  /** Held against the zip's directory first, which says how much an entry unpacks to. */
  private void checkSize(ZipEntry entry, long most, String what) {
    if (entry.getSize() > most) {
      throw error(
          entry.getName(), entry.getSize() + " bytes: must be at most " + most + " " + what);
    }
  }

  private CheckedInputStream open(ZipEntry entry) throws IOException {
    InputStream in = new BufferedInputStream(zip.getInputStream(entry), BUFFER_BYTES);
    return new CheckedInputStream(in, new CRC32());
  }

  /** A {@link ZipFile} does not compare checksums. */
  private static void checkEnd(ZipEntry entry, CheckedInputStream in) throws IOException {
    if (in.read() != -1) {
      throw new IOException("continues after its end");
    }
    if (in.getChecksum().getValue() != entry.getCrc()) {
      throw new IOException("its checksum is wrong");
    }
  }

  private InvalidModelException damaged(ZipEntry entry, IOException e) {
    String reason = e instanceof EOFException ? "is truncated" : InvalidModelException.reason(e);
    return new InvalidModelException(
        "model " + model + ": entry " + entry.getName() + ": damaged: " + reason, e);
  }

  private InvalidModelException error(String entry, String what) {
    return new InvalidModelException(
        "model " + model + ": entry " + InvalidModelException.shorten(entry) + ": " + what);
  }
}
