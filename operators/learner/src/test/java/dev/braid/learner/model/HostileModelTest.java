package dev.braid.learner.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import dev.braid.learner.InvalidModelException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.dataset.api.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;

/** Tests malicious or damaged model files. */
class HostileModelTest {

  private static final String CONFIGURATION = "configuration.json";
  private static final String COEFFICIENTS = "coefficients.bin";
  private static final String UPDATER_STATE = "updaterState.bin";

  /**
   * Limit far above the needs of a model of 73 parameters, and far below the unpacked size of
   * hostile files.
   */
  private static final long MOST_BYTES = 64 << 20;

  /** Created before anything is measured, so that Deeplearning4j is loaded. */
  private static final Sound SOUND = Sound.make();

  private record Sound(byte[] zip, Map<String, byte[]> entries, ModelSpec spec) {

    static Sound make() {
      try {
        byte[] zip = ModelZips.sound();
        Path file = Files.createTempFile("braid-sound", ".zip");
        ModelSpec spec = read(Files.write(file, zip));
        Files.delete(file);
        return new Sound(zip, ModelZips.soundEntries(), spec);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @TempDir private Path folder;

  /** Creates a file when it is deserialised. */
  private static final class Trap implements DataSetPreProcessor {

    private static final long serialVersionUID = 1L;

    private final String footprint;

    Trap(Path footprint) {
      this.footprint = footprint.toString();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      Files.createFile(Path.of(footprint));
    }

    @Override
    public void preProcess(DataSet data) {}
  }

  /** Records the classes that it was asked for: each runs its static code when it is loaded. */
  private static final class Recorder extends ClassLoader {

    private final Set<String> asked = new HashSet<>();

    Recorder(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      asked.add(name);
      return super.loadClass(name, resolve);
    }
  }

  @Test
  void noEntryIsDeserialised() throws IOException {
    Path footprint = folder.resolve("footprint");
    ByteArrayOutputStream trap = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(trap)) {
      out.writeObject(new Trap(footprint));
    }
    for (String name : new String[] {"preprocessor.bin", "normalizer.bin", "objects/trap"}) {
      Map<String, byte[]> entries = ModelZips.soundEntries();
      entries.put(name, trap.toByteArray());
      Path file = ModelZips.write(folder.resolve("model.zip"), entries);
      try {
        read(file);
      } catch (InvalidModelException e) {
        assertThat(e).hasMessageContaining(name);
      }
      assertThat(footprint).doesNotExist();
      refused(file, "entry " + name);
    }
  }

  /**
   * Files of the first versions contain an optimiser as a Java object: Deeplearning4j ignores it,
   * too.
   */
  @Test
  void anOldUpdaterIsNotOpened() throws IOException {
    Map<String, byte[]> entries = ModelZips.soundEntries();
    entries.put("updater.bin", new byte[] {1, 2, 3});
    ModelSpec spec = read(ModelZips.write(folder.resolve("model.zip"), entries));
    assertThat(spec.weights()).isEqualTo(read(sound()).weights());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"@class\": \"NAME\"}",
        "[\"NAME\", {}]",
        "{\"@class\": \"java.util.ArrayList<NAME>\"}",
        "{\"@class\": \"org.deeplearning4j.nn.conf.layers.DenseLayer\", \"weightInit\":"
            + " \"DISTRIBUTION\", \"dist\": {\"type\": \"NAME\"}}",
        "{\"@class\": \"org.deeplearning4j.nn.conf.layers.DenseLayer\", \"activationFn\":"
            + " [\"NAME\", {}]}",
        "{\"\\u0040class\": \"NAME\"}",
      })
  void noOtherClassIsLoaded(String layer) throws IOException {
    String trap = Trap.class.getName();
    String json = "{\"confs\": [{\"layer\": " + layer.replace("NAME", trap) + "}]}";
    Path text = Files.writeString(folder.resolve("model.json"), json);
    Map<String, byte[]> entries = ModelZips.soundEntries();
    entries.put(CONFIGURATION, json.getBytes(StandardCharsets.UTF_8));
    Path zip = ModelZips.write(folder.resolve("model.zip"), entries);
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Recorder recorder = new Recorder(before);
    Thread.currentThread().setContextClassLoader(recorder);
    try {
      for (Path file : List.of(text, zip)) {
        assertThatThrownBy(() -> read(file)).isInstanceOf(InvalidModelException.class);
        assertThat(recorder.asked).doesNotContain(trap);
        refused(file, "class ", trap, "Deeplearning4j's own layers");
      }
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {CONFIGURATION, COEFFICIENTS, UPDATER_STATE, "more.bin"})
  void anEntryThatUnpacksToMoreThanTheModelNeedsIsRefused(String name) throws IOException {
    Map<String, ModelZips.Content> entries = new LinkedHashMap<>();
    ModelZips.soundEntries().forEach((entry, bytes) -> entries.put(entry, out -> out.write(bytes)));
    entries.put(name, ModelZips.constant(' ', 2 * MOST_BYTES));
    Path file = ModelZips.writeContents(folder.resolve("model.zip"), entries);
    assertThat(Files.size(file)).isLessThan(4 << 20);
    refused(file, "entry " + name);
  }

  @ParameterizedTest
  @CsvSource({
    "2147483648, FLOAT, 2147483648",
    "9223372036854775807, FLOAT, 9223372036854775807",
    "-1, FLOAT, -1",
    "74, FLOAT, 74 numbers",
    "73, DOUBLE, DOUBLE",
    "73, COMPRESSED, COMPRESSED",
    "73, NONE, NONE",
  })
  void anArrayThatClaimsWhatTheModelHasNotIsRefused(long length, String type, String words)
      throws IOException {
    byte[] array =
        ModelZips.array(length, type, new ByteArrayInputStream(new byte[73 * Float.BYTES]));
    for (String name : new String[] {COEFFICIENTS, UPDATER_STATE}) {
      Map<String, byte[]> entries = ModelZips.soundEntries();
      entries.put(name, array);
      Path file = ModelZips.write(folder.resolve("model.zip"), entries);
      refused(file, "entry " + name, name.equals(COEFFICIENTS) ? words : "damaged");
    }
  }

  @Test
  void anArrayThatIsCutOffOrGoesOnIsRefused() throws IOException {
    Map<String, byte[]> sound = ModelZips.soundEntries();
    byte[] whole = sound.get(COEFFICIENTS);
    for (int length : new int[] {0, 1, 11, 40, 100, whole.length - 1, whole.length + 1}) {
      Map<String, byte[]> entries = new LinkedHashMap<>(sound);
      entries.put(COEFFICIENTS, Arrays.copyOf(whole, length));
      refused(ModelZips.write(folder.resolve("model.zip"), entries), "entry " + COEFFICIENTS);
    }
  }

  @Test
  void aModelNeedsItsWeights() throws IOException {
    Map<String, byte[]> entries = ModelZips.soundEntries();
    entries.remove(COEFFICIENTS);
    refused(ModelZips.write(folder.resolve("model.zip"), entries), "no " + COEFFICIENTS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[3] | [1.0,2.0] | loss",
        "[2] | [1.0,2.0] | loss",
        "[4] | [1.0,2.0,3.0,4.0] | loss",
        "[3,1] | [1.0,2.0,3.0] | loss",
        "[1,3] | [1.0,-2.0,3.0] | loss",
        "[1,3] | [1.0,1e39,3.0] | loss",
        "[1,3] | [1.0,\"NaN\",3.0] | class",
        "[2000000000] | [1.0,2.0,3.0] | loss",
        "[-3] | [1.0,2.0,3.0] | loss"
      })
  void weightsOfClassesThatAreNoneAreRefused(String shape, String values, String word)
      throws IOException {
    String json =
        SOUND
            .spec
            .withClassWeights(new double[] {1, 2, 3})
            .configuration()
            .replaceAll("\\s+", "")
            .replace("\"shape\":[1,3]", "\"shape\":" + shape)
            .replace("[1.0,2.0,3.0]", values);
    assertThat(json).contains(values).contains(shape);
    refused(Files.writeString(folder.resolve("model.json"), json), word);
  }

  @ParameterizedTest
  @CsvSource({
    "'\"nout\" : 7','\"nout\" : 2147483647'",
    "'\"nin\" : 7','\"nin\" : 4294967296'",
    "'\"nout\" : 7','\"nout\" : 9223372036854775807'",
  })
  void aModelThatNoMemoryHoldsIsRefused(String from, String to) throws IOException {
    String json = new String(ModelZips.soundEntries().get(CONFIGURATION), StandardCharsets.UTF_8);
    assertThat(json).contains(from);
    refused(Files.writeString(folder.resolve("model.json"), json.replace(from, to)), "parameters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "9", "\"a"})
  void textThatExhaustsAReaderIsRefused(String repeated) throws IOException {
    Path file = Files.writeString(folder.resolve("model.json"), repeated.repeat(1 << 19));
    refused(file, "configuration");
    refused(Files.writeString(file, "{\"confs\": " + repeated.repeat(1 << 19)), "configuration");
  }

  @Test
  void aNameThatIsThereTwiceIsRefused() throws IOException {
    Map<String, byte[]> entries = ModelZips.soundEntries();
    entries.put("coefficients.bim", entries.get(COEFFICIENTS));
    byte[] zip = Files.readAllBytes(ModelZips.write(folder.resolve("model.zip"), entries));
    String text = new String(zip, StandardCharsets.ISO_8859_1).replace("cients.bim", "cients.bin");
    Path file =
        Files.write(folder.resolve("twice.zip"), text.getBytes(StandardCharsets.ISO_8859_1));
    refused(file, COEFFICIENTS);
  }

  /** Random damage leaves the same model or leads to a refusal, and nothing else. */
  @Property(tries = 400)
  void damageIsHarmlessOrRefused(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int places)
      throws IOException {
    Random random = new Random(seed);
    byte[] damaged = SOUND.zip().clone();
    for (int i = 0; i < places; i++) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    }
    if (random.nextInt(8) == 0) {
      damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
    }
    check(damaged);
  }

  /** Damages entries and corrects their checksums, so that the damage reaches their content. */
  @Property(tries = 400)
  void damagedEntriesAreHarmlessOrRefused(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int places) throws IOException {
    Random random = new Random(seed);
    Map<String, byte[]> entries = new LinkedHashMap<>(SOUND.entries());
    String name = entries.keySet().toArray(String[]::new)[random.nextInt(entries.size())];
    byte[] damaged = entries.get(name).clone();
    // The numbers of an array follow its header, and every number is valid.
    int end = name.equals(CONFIGURATION) ? damaged.length : 120;
    for (int i = 0; i < places; i++) {
      damaged[random.nextInt(end)] = (byte) random.nextInt();
    }
    entries.put(name, damaged);
    Path file = Files.createTempFile("braid-damaged", ".zip");
    try {
      ModelZips.write(file, entries);
      readOrRefuse(file);
    } finally {
      Files.delete(file);
    }
  }

  private static void check(byte[] damaged) throws IOException {
    Path file = Files.createTempFile("braid-damaged", ".zip");
    try {
      Files.write(file, damaged);
      ModelSpec read = readOrRefuse(file);
      if (read != null) {
        assertThat(read.weights()).isEqualTo(SOUND.spec().weights());
        assertThat(read.configuration()).isEqualTo(SOUND.spec().configuration());
        assertThat(read.updaterState()).isDeepEqualTo(SOUND.spec().updaterState());
      }
    } finally {
      Files.delete(file);
    }
  }

  private static ModelSpec readOrRefuse(Path file) {
    long before = allocatedBytes();
    try {
      return read(file);
    } catch (InvalidModelException e) {
      assertThat(e.getMessage()).startsWith("model " + file + ": ").hasLineCount(1);
      return null;
    } catch (Throwable e) {
      return fail("neither a model nor a refusal", e);
    } finally {
      assertThat(allocatedBytes() - before).as("bytes allocated").isLessThan(MOST_BYTES);
    }
  }

  private Path sound() throws IOException {
    return Files.write(folder.resolve("sound.zip"), ModelZips.sound());
  }

  private static ModelSpec read(Path file) {
    return ModelSpec.read(file, 1);
  }

  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  private static void refused(Path file, String... words) {
    long before = allocatedBytes();
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageStartingWith("model " + file + ": ")
        .message()
        .contains(words)
        .hasLineCount(1);
    assertThat(allocatedBytes() - before).as("bytes allocated").isLessThan(MOST_BYTES);
  }
}
