package dev.braid.codec;

/** A gradient of which nothing can be taken: an element of it is NaN or infinite. */
public final class NotFiniteException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  NotFiniteException() {
    super("the gradient has a value that is NaN or infinite");
  }
}
