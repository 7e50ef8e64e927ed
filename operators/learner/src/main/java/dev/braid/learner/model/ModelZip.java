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
 * A model that Deeplearning4j has saved. It reads only the entries that Braid needs, each with a
 * size limit.
 *
 * <p>It does not use Deeplearning4j's {@link ModelSerializer}, which unpacks everything in the zip,
 * trusts the lengths in it, and deserialises one of the entries as a Java object: the author of the
 * file could run code here. Other entries are rejected by name, not skipped: a model that was
 * trained on normalised data would otherwise silently be trained wrongly.
 */
final class ModelZip implements Closeable {

  static final String CONFIGURATION = ModelSerializer.CONFIGURATION_JSON;
  static final String COEFFICIENTS = ModelSerializer.COEFFICIENTS_BIN;
  static final String UPDATER_STATE = ModelSerializer.UPDATER_BIN;

  /** Size limit of the configuration; a layer takes about 2,000 bytes. */
  static final int MAX_CONFIGURATION_BYTES = 4 << 20;

  /** Generous limit on the bytes of an array entry in addition to its values. */
  private static final int ARRAY_HEADER_BYTES = 1 << 12;

  private static final int BUFFER_BYTES = 1 << 16;

  private static final Set<String> NEEDED = Set.of(CONFIGURATION, COEFFICIENTS, UPDATER_STATE);

  /**
   * Entries that are ignored without loss: an empty marker, and an optimiser as a Java object,
   * which current versions of Deeplearning4j do not read, either.
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
   * @param model the user's name for the model, for messages
   * @throws InvalidModelException if the file is not a zip, or has entries that a saved model does
   *     not have
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

  /** Returns the model's configuration, as JSON. */
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

  /** Reads an entry that is a vector of {@code length} numbers. */
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

  /** Checks the unpacked size that the zip's directory states for an entry, before unpacking it. */
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

  /** Checks that an entry has ended, and its checksum, which {@link ZipFile} does not compare. */
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
