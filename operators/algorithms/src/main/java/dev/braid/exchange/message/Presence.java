package dev.braid.exchange.message;

/**
 * Messages that establish which ranks hear each other. They are not numbered, and are valid in any
 * view and round.
 */
public sealed interface Presence extends Body {

  @Override
  default boolean belongsToRound() {
    return false;
  }

  /**
   * Sign that the sender can be heard.
   *
   * @param poll number of the arbiter's poll that asked for it
   */
  record Hello(long poll) implements Presence {
    static final BodyKind KIND = new BodyKind(48, (form, values) -> new Hello(form.first()));

    @Override
    public BodyForm form() {
      return KIND.form(poll, 0);
    }
  }

  /**
   * Question whether the sender, which is left out of the view with this number, is heard again.
   */
  record Knock(long view) implements Presence {
    static final BodyKind KIND = new BodyKind(49, (form, values) -> new Knock(form.first()));

    @Override
    public BodyForm form() {
      return KIND.form(view, 0);
    }
  }

  /** Answer to a {@link Knock}, from a member of that view. */
  record Knocked(long view) implements Presence {
    static final BodyKind KIND = new BodyKind(50, (form, values) -> new Knocked(form.first()));

    @Override
    public BodyForm form() {
      return KIND.form(view, 0);
    }
  }
}
