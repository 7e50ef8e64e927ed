package dev.braid.chaos.event;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An event between Braid's own operators: its fields in their order, so that what was read and
 * checked once as JSON is not read as text again by every rank. What lasts, or comes from others,
 * is JSON ({@link EventWriter}, {@link EventReader}).
 */
public final class EventForm {

  private static final byte OF_LINK = 1;
  private static final byte OF_RANK = 2;
  private static final byte OF_LEVEL = 3;
  private static final byte DRAWN = 4;

  private static final byte NOW = 1;
  private static final byte AT_ROUND = 2;
  private static final byte AFTER = 3;

  private EventForm() {}

  /** Writes an event, with its place in the stream. */
  public static void write(ChaosEvent event, DataOutput out) throws IOException {
    write(event.id(), out);
    write(event.origin(), out);
    write(event.action(), out);
    write(event.target(), out);
    write(event.start(), out);
    out.writeBoolean(event.forMillis().isPresent());
    if (event.forMillis().isPresent()) {
      out.writeLong(event.forMillis().getAsLong());
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException if it is something else
   */
  public static ChaosEvent read(DataInput in) throws IOException {
    return new ChaosEvent(
        readText(in),
        readText(in),
        readAction(in),
        readTarget(in),
        readStart(in),
        in.readBoolean() ? OptionalLong.of(in.readLong()) : OptionalLong.empty());
  }

  private static void write(Optional<String> text, DataOutput out) throws IOException {
    out.writeBoolean(text.isPresent());
    if (text.isPresent()) {
      out.writeUTF(text.get());
    }
  }

  private static Optional<String> readText(DataInput in) throws IOException {
    return in.readBoolean() ? Optional.of(in.readUTF()) : Optional.empty();
  }

  private static void write(Action action, DataOutput out) throws IOException {
    out.writeUTF(action.title());
    if (action instanceof Action.Delay delay) {
      out.writeLong(delay.delayMillis());
      out.writeLong(delay.jitterMillis());
    } else if (action instanceof Action.Drop drop) {
      out.writeDouble(drop.probability());
    } else if (action instanceof Action.Duplicate duplicate) {
      out.writeDouble(duplicate.probability());
    } else if (action instanceof Action.Reorder reorder) {
      out.writeDouble(reorder.probability());
      out.writeLong(reorder.withinMillis());
    } else if (action instanceof Action.Corrupt corrupt) {
      out.writeDouble(corrupt.probability());
    } else if (action instanceof Action.Throttle throttle) {
      out.writeLong(throttle.bytesPerSecond());
    } else if (action instanceof Action.Straggle straggle) {
      out.writeDouble(straggle.factor());
    }
  }

  private static Action readAction(DataInput in) throws IOException {
    String title = in.readUTF();
    return switch (title) {
      case "cut" -> new Action.Cut();
      case "heal" -> new Action.Heal();
      case "delay" -> new Action.Delay(in.readLong(), in.readLong());
      case "drop" -> new Action.Drop(in.readDouble());
      case "duplicate" -> new Action.Duplicate(in.readDouble());
      case "reorder" -> new Action.Reorder(in.readDouble(), in.readLong());
      case "corrupt" -> new Action.Corrupt(in.readDouble());
      case "throttle" -> new Action.Throttle(in.readLong());
      case "straggle" -> new Action.Straggle(in.readDouble());
      case "isolate" -> new Action.Isolate();
      case "rejoin" -> new Action.Rejoin();
      default -> throw new IOException("an event of unknown action " + Fields.shorten(title));
    };
  }

  private static void write(Target target, DataOutput out) throws IOException {
    if (target instanceof Target.OfLink of) {
      out.writeByte(OF_LINK);
      out.writeInt(of.link().from());
      out.writeInt(of.link().to());
      out.writeBoolean(of.oneWay());
    } else if (target instanceof Target.OfRank of) {
      out.writeByte(OF_RANK);
      out.writeInt(of.rank());
    } else if (target instanceof Target.OfLevel of) {
      out.writeByte(OF_LEVEL);
      out.writeInt(of.level());
    } else if (target instanceof Target.Drawn drawn) {
      out.writeByte(DRAWN);
      out.writeLong(drawn.seed());
      out.writeInt(drawn.count());
      write(drawn.among().map(Target.Among::name), out);
    }
  }

  private static Target readTarget(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case OF_LINK -> new Target.OfLink(new Link(in.readInt(), in.readInt()), in.readBoolean());
      case OF_RANK -> new Target.OfRank(in.readInt());
      case OF_LEVEL -> new Target.OfLevel(in.readInt());
      case DRAWN ->
          new Target.Drawn(in.readLong(), in.readInt(), readText(in).map(Target.Among::valueOf));
      default -> throw new IOException("an event with a target of unknown kind " + kind);
    };
  }

  private static void write(Start start, DataOutput out) throws IOException {
    if (start instanceof Start.AtRound at) {
      out.writeByte(AT_ROUND);
      out.writeLong(at.round());
    } else if (start instanceof Start.After after) {
      out.writeByte(AFTER);
      out.writeLong(after.millis());
    } else {
      out.writeByte(NOW);
    }
  }

  private static Start readStart(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case NOW -> new Start.Now();
      case AT_ROUND -> new Start.AtRound(in.readLong());
      case AFTER -> new Start.After(in.readLong());
      default -> throw new IOException("an event with a start of unknown kind " + kind);
    };
  }
}
