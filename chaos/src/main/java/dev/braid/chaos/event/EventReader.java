package dev.braid.chaos.event;

import dev.braid.exchange.option.TypedTime;
import dev.braid.topology.Mesh;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads events such as {@code cut 3 1 for 5s}: an action, its target, and further values with keys.
 * Unknown words are refused with a reason. Any client that can write to the topic can send events,
 * so the reader trusts none of them, and limits their size and numbers.
 */
public final class EventReader {

  private static final Pattern BLANKS = Pattern.compile("[ \\t\\r\\n]+");
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern NUMBER =
      Pattern.compile("[0-9]{1,20}(?:\\.[0-9]{1,20})?(?:[eE]-?[0-9]{1,3})?");
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:/-]{1,100}");

  private static final String ONE_WAY = "one-way";

  private final Deque<String> words;

  /** Values by key; each is removed when it is read. */
  private final Map<String, String> said = new LinkedHashMap<>();

  private final Set<String> asked = new LinkedHashSet<>();

  private EventReader(String text) {
    this.words = new ArrayDeque<>(Arrays.asList(BLANKS.split(text.strip())));
  }

  /**
   * Reads an event.
   *
   * @param utf8 the event, in at most {@link Limits#EVENT_BYTES}
   * @throws InvalidEventException if it is not one, with the reason
   */
  public static ChaosEvent read(byte[] utf8) throws InvalidEventException {
    if (utf8.length > Limits.EVENT_BYTES) {
      throw new InvalidEventException(
          "event of " + utf8.length + " bytes: must be at most " + Limits.EVENT_BYTES);
    }
    try {
      return read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
    } catch (CharacterCodingException e) {
      throw new InvalidEventException("not UTF-8", e);
    }
  }

  /**
   * Reads an event.
   *
   * @throws InvalidEventException if it is not one, with the reason
   */
  public static ChaosEvent read(String text) throws InvalidEventException {
    if (text.isBlank()) {
      throw new InvalidEventException("empty event");
    }
    return new EventReader(text).event();
  }

  /**
   * Reads what {@link EventWriter#writeTaken} wrote.
   *
   * @throws IOException if it is not such an event
   */
  public static ChaosEvent readTaken(DataInput in) throws IOException {
    String origin = in.readUTF();
    try {
      ChaosEvent event = read(in.readUTF());
      return origin.isEmpty() ? event : event.from(origin);
    } catch (InvalidEventException e) {
      throw new IOException("an accepted event cannot be read: " + e.getMessage(), e);
    }
  }

  private ChaosEvent event() throws InvalidEventException {
    String title = words.remove();
    if (!Title.ALL.contains(title)) {
      throw new InvalidEventException(
          "action \""
              + Fields.shorten(title)
              + "\": must be one of "
              + String.join(", ", Title.ALL));
    }
    Target target = target(title);
    readKeys();
    Action action = action(title);
    if (target instanceof Target.Drawn drawn && !action.concernsRanks()) {
      target = new Target.Drawn(drawn.seed(), drawn.count(), among());
    }
    Optional<String> id = text("id");
    if (id.isPresent() && !ID.matcher(id.get()).matches()) {
      throw mistake("id", id.get(), "must be 1 to 100 letters, digits or ._:/-");
    }
    Start start = start();
    OptionalLong forMillis =
        action.ends() ? OptionalLong.empty() : optional(millis("for", 1, Limits.MILLIS));
    if (!said.isEmpty()) {
      throw new InvalidEventException(
          "\"%s\": no key of %s; keys: %s"
              .formatted(
                  Fields.shorten(said.keySet().iterator().next()),
                  title,
                  String.join(", ", asked)));
    }
    return new ChaosEvent(id, Optional.empty(), action, target, start, forMillis);
  }

  private void readKeys() throws InvalidEventException {
    while (!words.isEmpty()) {
      String key = words.remove();
      if (key.equals(ONE_WAY)) {
        throw new InvalidEventException("one-way: only after the two ranks of a link");
      }
      if (WHOLE.matcher(key).matches()) {
        throw new InvalidEventException(key + ": must be at most two ranks");
      }
      if (words.isEmpty()) {
        throw new InvalidEventException("\"" + Fields.shorten(key) + "\": needs a value");
      }
      if (said.put(key, words.remove()) != null) {
        throw new InvalidEventException("\"" + Fields.shorten(key) + "\" is given twice");
      }
    }
  }

  private Action action(String title) throws InvalidEventException {
    return switch (title) {
      case "cut" -> new Action.Cut();
      case "heal" -> new Action.Heal();
      case "delay" -> {
        long by = needed("by", millis("by", 0, Limits.MILLIS));
        long jitter = millis("jitter", 0, Limits.MILLIS).orElse(0L);
        yield new Action.Delay(by, jitter);
      }
      case "drop" -> new Action.Drop(probability());
      case "duplicate" -> new Action.Duplicate(probability());
      case "reorder" ->
          new Action.Reorder(probability(), needed("within", millis("within", 1, Limits.MILLIS)));
      case "corrupt" -> new Action.Corrupt(probability());
      case "throttle" ->
          new Action.Throttle(
              needed("bytes-per-second", whole("bytes-per-second", 1, Limits.BYTES_PER_SECOND)));
      case "straggle" -> new Action.Straggle(number("factor", 1, Limits.FACTOR));
      case "isolate" -> new Action.Isolate();
      case "rejoin" -> new Action.Rejoin();
      default -> throw new IllegalStateException(title);
    };
  }

  private double probability() throws InvalidEventException {
    return number("probability", 0, 1);
  }

  private Target target(String title) throws InvalidEventException {
    boolean ofRanks = Title.concernsRanks(title);
    String first = words.isEmpty() ? "" : words.peek();
    if (WHOLE.matcher(first).matches()) {
      int rank = rank();
      boolean hasSecond = !words.isEmpty() && WHOLE.matcher(words.peek()).matches();
      if (!hasSecond) {
        return new Target.OfRank(rank);
      }
      if (ofRanks) {
        throw new InvalidEventException(
            title + " " + rank + " " + Fields.shorten(words.peek()) + ": must be one rank");
      }
      return link(rank, rank());
    }
    return switch (first) {
      case "level" -> {
        words.remove();
        yield new Target.OfLevel(
            (int) whole("level", next("level"), ofRanks ? 0 : 1, Limits.LEVEL));
      }
      case "random" -> {
        words.remove();
        int count = (int) whole("random", next("random"), 1, Limits.COUNT);
        require("seed");
        long seed = whole("seed", next("seed"), -Limits.WHOLE, Limits.WHOLE);
        yield new Target.Drawn(seed, count, Optional.empty());
      }
      case "block" -> {
        words.remove();
        String block = next("block");
        Target.OfBlock target = new Target.OfBlock(mesh(), block);
        // Throws if there is no such block.
        int unused = target.ranks().size();
        yield target;
      }
      case "places" -> {
        words.remove();
        if (ofRanks) {
          throw new InvalidEventException("places: " + title + " applies to ranks, not to links");
        }
        Link link = MeshPlaces.link(next("places"), mesh());
        yield link(link.from(), link.to());
      }
      default ->
          throw new InvalidEventException(
              "%s%s: must be a rank, %slevel N, random N seed N or block R,C+RxC of RxC"
                  .formatted(
                      title,
                      first.isEmpty() ? "" : " " + Fields.shorten(first),
                      ofRanks ? "" : "two ranks, places R,C-R,C of RxC, "));
    };
  }

  private Mesh mesh() throws InvalidEventException {
    require("of");
    String shape = next("of");
    try {
      Mesh mesh = Mesh.of(shape);
      if (mesh.ranks() > Limits.MESH_RANKS) {
        throw mistake("of", shape, "must have at most " + Limits.MESH_RANKS + " ranks");
      }
      return mesh;
    } catch (IllegalArgumentException e) {
      throw new InvalidEventException("of " + Fields.shorten(shape) + ": " + e.getMessage(), e);
    }
  }

  private Target link(int from, int to) throws InvalidEventException {
    if (from == to) {
      throw new InvalidEventException("rank " + from + " has no link to itself");
    }
    boolean oneWay = !words.isEmpty() && words.peek().equals(ONE_WAY);
    if (oneWay) {
      words.remove();
    }
    return new Target.OfLink(new Link(from, to), oneWay);
  }

  private int rank() throws InvalidEventException {
    return (int) whole("rank", words.remove(), 0, Limits.RANKS - 1);
  }

  private void require(String word) throws InvalidEventException {
    if (words.isEmpty() || !words.peek().equals(word)) {
      throw new InvalidEventException("\"" + word + "\" is missing");
    }
    words.remove();
  }

  private String next(String key) throws InvalidEventException {
    if (words.isEmpty()) {
      throw new InvalidEventException("\"" + key + "\": needs a value");
    }
    return words.remove();
  }

  private Optional<Target.Among> among() throws InvalidEventException {
    Optional<String> name = text("among");
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(
            switch (name.get()) {
              case "tree" -> Target.Among.TREE;
              case "all" -> Target.Among.ALL;
              default -> throw mistake("among", name.get(), "must be tree or all");
            });
  }

  private Start start() throws InvalidEventException {
    Optional<Long> round = whole("at-round", 0, Limits.WHOLE);
    Optional<Long> after = millis("after", 0, Limits.MILLIS);
    if (round.isPresent() && after.isPresent()) {
      throw new InvalidEventException("at-round and after: use only one of them");
    }
    if (round.isPresent()) {
      return new Start.AtRound(round.get());
    }
    return after.isPresent() ? new Start.After(after.get()) : new Start.Now();
  }

  private Optional<String> text(String key) {
    asked.add(key);
    return Optional.ofNullable(said.remove(key));
  }

  private Optional<Long> whole(String key, long least, long most) throws InvalidEventException {
    Optional<String> text = text(key);
    return text.isEmpty() ? Optional.empty() : Optional.of(whole(key, text.get(), least, most));
  }

  private static long whole(String key, String text, long least, long most)
      throws InvalidEventException {
    if (!WHOLE.matcher(text).matches()) {
      throw mistake(key, text, "must be a whole number");
    }
    long value = Long.parseLong(text);
    if (value < least || value > most) {
      throw mistake(key, text, "must be a number from " + least + " to " + most);
    }
    return value;
  }

  private Optional<Long> millis(String key, long least, long most) throws InvalidEventException {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    long millis;
    try {
      millis = TypedTime.read(text.get()).toMillis();
    } catch (IllegalArgumentException e) {
      throw new InvalidEventException(
          key + " " + Fields.shorten(text.get()) + ": " + e.getMessage(), e);
    }
    if (millis < least || millis > most) {
      throw mistake(key, text.get(), "must be " + least + "ms to " + EventWriter.time(most));
    }
    return Optional.of(millis);
  }

  /** Returns a number above the lower bound and at most the upper bound. */
  private double number(String key, long above, double most) throws InvalidEventException {
    String text = needed(key, text(key));
    double value = NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    if (!(value > above && value <= most)) {
      throw mistake(
          key, text, "must be a number of more than " + above + " and at most " + (long) most);
    }
    return value;
  }

  private static <T> T needed(String key, Optional<T> value) throws InvalidEventException {
    return value.orElseThrow(() -> new InvalidEventException("\"" + key + "\" is missing"));
  }

  private static OptionalLong optional(Optional<Long> value) {
    return value.isPresent() ? OptionalLong.of(value.get()) : OptionalLong.empty();
  }

  private static InvalidEventException mistake(String key, String text, String needed) {
    return new InvalidEventException(key + " " + Fields.shorten(text) + ": " + needed);
  }
}
