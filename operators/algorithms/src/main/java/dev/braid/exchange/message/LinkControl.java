package dev.braid.exchange.message;

/**
 * Messages between transports. They are not numbered; their transit's number is that of the
 * question that they belong to. They are valid in any round.
 */
public sealed interface LinkControl extends Body {

  @Override
  default boolean belongsToRound() {
    return false;
  }

  /**
   * Acknowledgement of received messages, in answer to a probe or unasked: of all messages up to
   * the transit's {@code acknowledged} number, and of those in {@code beyond}.
   *
   * @param beyond bit i: whether the message i + 1 after the first missing one has been received
   */
  record Acknowledgement(long beyond) implements LinkControl {
    static final BodyKind KIND =
        new BodyKind(32, (form, values) -> new Acknowledgement(form.first()));

    @Override
    public BodyForm form() {
      return KIND.form(beyond, 0);
    }
  }

  /** Request for an acknowledgement along the route that this message itself took. */
  record Probe() implements LinkControl {
    static final BodyKind KIND = new BodyKind(33, (form, values) -> new Probe());

    @Override
    public BodyForm form() {
      return KIND.form(0, 0);
    }
  }

  /** Search for a route from the first rank of the message's route to the target. */
  record Find(int target) implements LinkControl {
    static final BodyKind KIND = new BodyKind(34, (form, values) -> new Find(form.firstInt()));

    @Override
    public BodyForm form() {
      return KIND.form(target, 0);
    }
  }

  /**
   * Report of a route that was found. The message's route leads to the target, and from there along
   * the ranks that this answer has passed so far.
   */
  record RouteFound(int target) implements LinkControl {
    static final BodyKind KIND =
        new BodyKind(35, (form, values) -> new RouteFound(form.firstInt()));

    @Override
    public BodyForm form() {
      return KIND.form(target, 0);
    }
  }

  /** Report to the target of the route back that was found. */
  record RouteBack(int target) implements LinkControl {
    static final BodyKind KIND = new BodyKind(36, (form, values) -> new RouteBack(form.firstInt()));

    @Override
    public BodyForm form() {
      return KIND.form(target, 0);
    }
  }
}
