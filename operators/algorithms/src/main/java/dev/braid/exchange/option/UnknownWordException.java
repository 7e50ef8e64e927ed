package dev.braid.exchange.option;

/** Thrown if the user types a word that is not among those permitted. */
public final class UnknownWordException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String place;
  private final String word;
  private final String known;

  /**
   * Creates an exception for an option's value.
   *
   * @param known the permitted words, separated by commas
   */
  public UnknownWordException(String word, String known) {
    this("", word, known);
  }

  /**
   * Creates an exception for a part of a longer text.
   *
   * @param place text before the word, such as {@code ako: }; empty if there is none
   */
  public UnknownWordException(String place, String word, String known) {
    super(
        "%s%s: unknown name; must be one of %s"
            .formatted(place, word.isEmpty() ? "''" : word, known));
    this.place = place;
    this.word = word;
    this.known = known;
  }

  /** Returns this exception with more text before the place. */
  public UnknownWordException behind(String before) {
    return new UnknownWordException(before + place, word, known);
  }

  /** Returns the word as it was typed. */
  public String word() {
    return word;
  }

  /** Returns the permitted words, separated by commas. */
  public String known() {
    return known;
  }
}
