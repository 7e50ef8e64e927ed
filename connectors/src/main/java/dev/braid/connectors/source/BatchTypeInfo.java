package dev.braid.connectors.source;

import dev.braid.learner.Batch;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The type of {@link Batch} in Flink, which would take it for something to give to Kryo. */
public final class BatchTypeInfo extends TypeInformation<Batch> {

  public static final BatchTypeInfo INSTANCE = new BatchTypeInfo();

  private BatchTypeInfo() {}

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
  public Class<Batch> getTypeClass() {
    return Batch.class;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public TypeSerializer<Batch> createSerializer(SerializerConfig config) {
    return new BatchSerializer();
  }

  @Override
  public String toString() {
    return "Batch";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BatchTypeInfo;
  }

  @Override
  public int hashCode() {
    return BatchTypeInfo.class.hashCode();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof BatchTypeInfo;
  }
}
