package dev.braid.exchange.option;

/** Of an option that has words as values: none of them is that. */
public final class UnknownWordException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** With the words that are known. */
  public UnknownWordException(String known) {
    super(known);
  }
}
