package dev.braid.loop.envelope;

import java.util.Objects;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Flink's handle on {@link EnvelopeSerializer}. */
public final class EnvelopeTypeInfo extends TypeInformation<Envelope> {

  private static final long serialVersionUID = 1L;

  private final int chunkLength;
  private final boolean checksums;

  /**
   * The type of envelopes.
   *
   * @param chunkLength how many values a message carries at most
   * @param checksums whether letters carry a checksum, so that a damaged one is noticed
   */
  public EnvelopeTypeInfo(int chunkLength, boolean checksums) {
    this.chunkLength = chunkLength;
    this.checksums = checksums;
  }

  /** The type of envelopes without checksums. */
  public EnvelopeTypeInfo(int chunkLength) {
    this(chunkLength, false);
  }

  @Override
  public TypeSerializer<Envelope> createSerializer(SerializerConfig config) {
    return new EnvelopeSerializer(chunkLength, checksums);
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
  public Class<Envelope> getTypeClass() {
    return Envelope.class;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public String toString() {
    return "Envelope(" + chunkLength + (checksums ? ", checked)" : ")");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EnvelopeTypeInfo that
        && that.chunkLength == chunkLength
        && that.checksums == checksums;
  }

  @Override
  public int hashCode() {
    return Objects.hash(chunkLength, checksums);
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof EnvelopeTypeInfo;
  }
}
