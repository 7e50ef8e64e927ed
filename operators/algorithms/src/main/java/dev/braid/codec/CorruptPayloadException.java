package dev.braid.codec;

/** Thrown if bytes are not the output of any codec. */
public final class CorruptPayloadException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CorruptPayloadException(String message) {
    super(message);
  }
}
