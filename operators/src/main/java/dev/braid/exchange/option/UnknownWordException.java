package dev.braid.exchange.option;

/** The user typed a word that is none of those that are possible there. */
public final class UnknownWordException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String place;
  private final String word;
  private final String known;

  /**
   * Of the value of an option.
   *
   * @param known the words that there are, with commas between
   */
  public UnknownWordException(String word, String known) {
    this("", word, known);
  }

  /**
   * Of a part of a longer text.
   *
   * @param place what stands before the word, such as {@code ako: }; empty if nothing does
   */
  public UnknownWordException(String place, String word, String known) {
    super(
        "%s%s: there is no such name; one of %s is needed"
            .formatted(place, word.isEmpty() ? "''" : word, known));
    this.place = place;
    this.word = word;
    this.known = known;
  }

  /** Returns this exception with more text before the place. */
  public UnknownWordException behind(String before) {
    return new UnknownWordException(before + place, word, known);
  }

  /** The word as it was typed. */
  public String word() {
    return word;
  }

  /** The words that there are, with commas between. */
  public String known() {
    return known;
  }
}
