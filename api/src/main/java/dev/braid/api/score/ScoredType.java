package dev.braid.api.score;

import java.util.Map;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Flink type of scored records.
 *
 * @param <T> type of the records
 */
@PublicEvolving
public final class ScoredType<T> extends TypeInformation<Scored<T>> {

  private static final long serialVersionUID = 1L;

  private final TypeInformation<T> record;

  /** Creates the type of scored records for a type of records. */
  public ScoredType(TypeInformation<T> record) {
    this.record = record;
  }

  @Override
  public TypeSerializer<Scored<T>> createSerializer(SerializerConfig config) {
    return new ScoredSerializer<>(record.createSerializer(config));
  }

  @Override
  public Map<String, TypeInformation<?>> getGenericParameters() {
    return Map.of("T", record);
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  @SuppressWarnings("unchecked")
  public Class<Scored<T>> getTypeClass() {
    return (Class<Scored<T>>) (Class<?>) Scored.class;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof ScoredType;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ScoredType<?> that && that.record.equals(record);
  }

  @Override
  public int hashCode() {
    return record.hashCode();
  }

  @Override
  public String toString() {
    return "Scored<" + record + ">";
  }
}
