package dev.braid.connectors.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.learner.Batch;
import dev.braid.learner.Combination;
import dev.braid.learner.Features;
import dev.braid.learner.MatrixSamples;
import dev.braid.learner.Origin;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import dev.braid.vector.Range;
import dev.braid.wire.StateChecksum;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SerializersTest {

  private static final ShardSplit SPLIT =
      new ShardSplit(
          1,
          3,
          4,
          List.of(
              new ShardSplit.Segment(2, List.of(new Range(1, 3), new Range(7, 9)), 2),
              new ShardSplit.Segment(5, List.of(), 1)),
          6);

  private final ShardSplitSerializer splits = new ShardSplitSerializer();

  @Test
  void aShareComesBack() throws Exception {
    assertThat(splits.deserialize(2, splits.serialize(SPLIT))).isEqualTo(SPLIT);
  }

  @Test
  void theFormOfAShareInACheckpointNeverChanges() throws Exception {
    DataInputDeserializer in = new DataInputDeserializer(splits.serialize(SPLIT));
    int[] ints = new int[15];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = in.readInt();
    }
    assertThat(ints).containsExactly(1, 3, 4, 6, 2, 2, 2, 2, 1, 3, 7, 9, 5, 1, 0);
    assertThat(in.available()).as("the checksum").isEqualTo(Integer.BYTES);
  }

  @Test
  void brokenSharesAreErrors() throws Exception {
    byte[] bytes = splits.serialize(SPLIT);
    assertRefused(1, bytes, "version 1: 2 is known");
    for (int length = 0; length < bytes.length; length++) {
      assertRefused(2, Arrays.copyOf(bytes, length), "damaged");
    }
    for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertRefused(2, flipped, "damaged");
    }
    assertRefused(2, StateChecksum.sealed(bytes), "4 bytes after the end");
    byte[] wrongShard = bytes.clone();
    wrongShard[3] = 9;
    StateChecksum.seal(wrongShard);
    assertRefused(2, wrongShard, "shard 9 of 3");
  }

  /** Asserts a permanent failure, because a restart would read the same bytes. */
  private void assertRefused(int version, byte[] bytes, String why) {
    assertThatThrownBy(() -> splits.deserialize(version, bytes))
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why);
  }

  @Test
  void theEnumeratorsStateComesBack() throws Exception {
    EnumeratorState.Serializer serializer = new EnumeratorState.Serializer();
    EnumeratorState state =
        new EnumeratorState(60_000, 70, "5e884898", -5, true, "ps ssp", "0a-0b");
    byte[] bytes = serializer.serialize(state);
    assertThat(serializer.deserialize(6, bytes)).isEqualTo(state);
    assertThat(state.unreadable()).isEmpty();
    for (int length = 0; length < bytes.length; length++) {
      assertThat(serializer.deserialize(6, Arrays.copyOf(bytes, length)).unreadable())
          .hasValueSatisfying(why -> assertThat(why).contains("sample source", "damaged"));
    }
    byte[] ofAnotherSeed = bytes.clone();
    ofAnotherSeed[bytes.length - 15]++;
    assertThat(serializer.deserialize(6, ofAnotherSeed).unreadable()).isPresent();
    assertThat(serializer.deserialize(6, StateChecksum.sealed(bytes)).unreadable())
        .hasValueSatisfying(why -> assertThat(why).contains("4 bytes after its end"));
    assertThat(serializer.deserialize(3, bytes).unreadable())
        .hasValueSatisfying(why -> assertThat(why).contains("version 3").contains("reads 6"));
  }

  @Test
  void whatDiffersFirstIsNamed() {
    EnumeratorState saved = new EnumeratorState(90, 10, "5e", 1, true, "", "0a-0b");
    assertThat(difference(saved, saved.withDealt(false))).isEmpty();
    // The held-out share follows from the number.
    assertThat(difference(saved, new EnumeratorState(126, 14, "5f", 1, false, "", "0c-0d")))
        .contains("100 training samples", "a.csv has 140");
    assertThat(difference(saved, new EnumeratorState(80, 20, "5e", 1, false, "", "0c-0d")))
        .contains("`validation`");
    assertThat(difference(saved, new EnumeratorState(90, 10, "5f", 1, false, "", "0c-0d")))
        .contains("columns");
    EnumeratorState edited = new EnumeratorState(90, 10, "5e", 1, false, "", "0c-0d");
    assertThat(difference(saved, edited)).contains("0a-0b", "0c-0d", "`other-data`");
    assertThat(saved.difference(edited, "a.csv", true)).isEmpty();
    assertThat(difference(saved, new EnumeratorState(90, 10, "5e", 2, false, "", "0a-0b")))
        .contains("`seed`");
  }

  private static String difference(EnumeratorState saved, EnumeratorState now) {
    return saved.difference(now, "a.csv", false).orElse("");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 784, 1",
    "1, 1, 1",
    "3, 5, 1",
    "100, 784, 1",
    "100, 784, 0.2",
    "9000, 2, 1",
    "5, 9, 0"
  })
  void aBatchComesBack(int samples, int width, double density) throws Exception {
    Random random = new Random(1);
    int[] ids = random.ints(samples).toArray();
    int[] labels = random.ints(samples).toArray();
    float[] features = new float[samples * width];
    for (int i = 0; i < features.length; i++) {
      features[i] = random.nextDouble() < density ? 0.1f + random.nextFloat() : 0;
    }
    int[] rows = IntStream.range(0, samples).toArray();
    MatrixSamples matrix = new MatrixSamples(features, labels, Shape.rows(width, 2));
    Features sent = Features.of(matrix, rows);
    TypeSerializer<Batch> serializer =
        BatchSerializer.TYPE.createSerializer(new SerializerConfigImpl());
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.serialize(new Batch(3, ids, sent, labels, true), out);
    DataOutputSerializer copied = new DataOutputSerializer(16);
    serializer.copy(new DataInputDeserializer(out.getCopyOfBuffer()), copied);
    Batch back = serializer.deserialize(new DataInputDeserializer(copied.getCopyOfBuffer()));
    assertThat(back.epoch()).isEqualTo(3);
    assertThat(back.lastOfEpoch()).isTrue();
    assertThat(back.ids()).isEqualTo(ids);
    assertThat(back.labels()).isEqualTo(labels);
    assertThat(back.features().toArray()).isEqualTo(features);
    assertThat(back.features().isSparse())
        .isEqualTo(sent.isSparse())
        .isEqualTo(samples == 0 || density < 0.3);
  }

  @Test
  void weightsComeBack_andABatchOfAStreamIsRefused() throws Exception {
    TypeSerializer<Batch> serializer =
        BatchSerializer.TYPE.createSerializer(new SerializerConfigImpl());
    float[] weights = {0, 2, 0.5f};
    Batch batch =
        new Batch(
            3,
            new int[3],
            Features.dense(1, new float[3]),
            new Targets.Classes(new int[] {1, 0, 1}, weights),
            true);
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.serialize(batch, out);
    Batch back = serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
    assertThat(back.targets().weights()).containsExactly(weights);
    assertThat(back.labels()).containsExactly(1, 0, 1);

    Origin origin =
        new Origin(List.of(), Features.NONE, new Targets.Classes(new int[0]), new long[0], 0, true);
    assertThatThrownBy(() -> serializer.serialize(batch.from(origin), out))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("offsets");
  }

  @ParameterizedTest
  @CsvSource({"0, 3", "1, 1", "7, 2", "9000, 3"})
  void valuesComeBack(int samples, int valuesOfEach) throws Exception {
    Random random = new Random(2);
    float[] values = new float[samples * valuesOfEach];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    int[] ids = random.ints(samples).toArray();
    Batch sent =
        new Batch(
            3,
            ids,
            Features.dense(2, new float[2 * samples]),
            new Targets.Values(valuesOfEach, values),
            false);
    BatchSerializer serializer = new BatchSerializer();
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.serialize(sent, out);
    Batch back = serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
    assertThat(back.ids()).isEqualTo(ids);
    assertThat(back.targets()).isInstanceOf(Targets.Values.class);
    assertThat(((Targets.Values) back.targets()).width()).isEqualTo(valuesOfEach);
    assertThat(((Targets.Values) back.targets()).values()).isEqualTo(values);
  }

  @Test
  void aCombinationComesBackWithItsBatch() throws Exception {
    Combination sent = new Combination(new float[] {1, -0.5f}, new int[] {7, 8, 9}, 12);
    Batch batch =
        new Batch(1, new int[] {7, 3}, Features.dense(1, new float[2]), new int[2], false)
            .combined(sent);
    DataOutputSerializer out = new DataOutputSerializer(64);
    BatchSerializer serializer = new BatchSerializer();
    serializer.serialize(batch, out);
    Combination back =
        serializer
            .deserialize(new DataInputDeserializer(out.getCopyOfBuffer()))
            .combination()
            .orElseThrow();
    assertThat(back.coefficients()).containsExactly(1, -0.5f);
    assertThat(back.share()).containsExactly(7, 8, 9);
    assertThat(back.roundSamples()).isEqualTo(12);
  }

  @Test
  void theSerializerOfBatchesIsRestoredByItsSnapshot() {
    TypeSerializer<Batch> serializer = new BatchSerializer();
    assertThat(serializer.snapshotConfiguration().restoreSerializer()).isEqualTo(serializer);
  }
}
