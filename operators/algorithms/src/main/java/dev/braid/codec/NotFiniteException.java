package dev.braid.codec;

/** Thrown if a gradient cannot be quantized because an element is NaN or infinite. */
public final class NotFiniteException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  NotFiniteException() {
    super("the gradient has a value that is NaN or infinite");
  }
}
