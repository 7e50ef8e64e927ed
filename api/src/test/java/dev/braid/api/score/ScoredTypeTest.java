package dev.braid.api.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.run.scoring.RecordScore;
import java.io.IOException;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class ScoredTypeTest {

  private final TypeSerializer<Scored<String>> serializer =
      new ScoredType<>(Types.STRING).createSerializer(new SerializerConfigImpl());

  private final Scored<String> scored =
      new Scored<>("record", new RecordScore("v17", new float[] {0.25f, 0.75f}, "yes", ""));

  private static Scored<String> copied(
      TypeSerializer<Scored<String>> from, TypeSerializer<Scored<String>> to, Scored<String> value)
      throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(100);
    from.serialize(value, out);
    return to.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
  }

  @Test
  void scoredRecordsAndErrorsAreWrittenAndRead() throws Exception {
    assertThat(copied(serializer, serializer.duplicate(), scored)).isEqualTo(scored);
    Scored<String> failed =
        new Scored<>("record", new RecordScore("v17", new float[0], "", "refused"));
    assertThat(copied(serializer, serializer, failed)).isEqualTo(failed);
    assertThat(failed.error()).contains("refused");
    assertThat(failed.label()).isEmpty();
  }

  @Test
  void aCopySharesNoNumbers() {
    Scored<String> copy = serializer.copy(scored);
    copy.scores()[0] = 9;
    assertThat(scored.scores()).containsExactly(0.25f, 0.75f);
    assertThat(scored.classNumber()).isEqualTo(1);
  }

  @Test
  void aSerializerIsRestoredFromItsSnapshot() throws Exception {
    DataOutputSerializer out = new DataOutputSerializer(100);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    TypeSerializerSnapshot<Scored<String>> snapshot =
        TypeSerializerSnapshot.readVersionedSnapshot(
            new DataInputDeserializer(out.getCopyOfBuffer()), getClass().getClassLoader());
    assertThat(copied(serializer, snapshot.restoreSerializer(), scored)).isEqualTo(scored);
    assertThat(
            serializer
                .snapshotConfiguration()
                .resolveSchemaCompatibility(snapshot)
                .isCompatibleAsIs())
        .isTrue();
  }

  @Test
  void theTypeIsFoundWhereAFunctionReturnsIt() {
    TypeInformation<Scored<Long>> type = TypeInformation.of(new TypeHint<>() {});
    assertThat(type).isEqualTo(new ScoredType<>(Types.LONG));
  }
}
