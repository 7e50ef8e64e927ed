package dev.braid.codec;

/** Bytes that no codec has written. */
public final class CorruptPayloadException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CorruptPayloadException(String message) {
    super(message);
  }
}
