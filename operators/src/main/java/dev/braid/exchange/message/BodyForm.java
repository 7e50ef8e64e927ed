package dev.braid.exchange.message;

import dev.braid.coding.TreeInUse;
import dev.braid.exchange.message.TreeNotice.BroadcastReceived;
import dev.braid.exchange.message.TreeNotice.BroadcastSent;
import dev.braid.exchange.message.TreeNotice.ComingThroughYou;
import dev.braid.exchange.message.TreeNotice.ReduceReceived;
import dev.braid.exchange.message.TreeNotice.ReduceRequest;
import dev.braid.exchange.message.TreeNotice.ReduceSent;
import dev.braid.vector.Range;

/**
 * The wire form of a body without its values: a code for the kind of body, a range, and two numbers
 * whose meaning depends on the code. All bodies have this form. A header therefore has a fixed
 * length, a checksum is verified before any number is used, and a damaged message causes no
 * allocation.
 *
 * @param code kind of body; each kind keeps its code forever
 * @param start first element of the range
 * @param end end of the range, exclusive
 * @param first first number of the body; 0 if it has none
 * @param second second number of the body; 0 if it has none
 */
public record BodyForm(int code, int start, int end, long first, long second) {

  /** Size on the wire, in bytes. */
  static final int BYTES = 1 + 4 + 4 + 8 + 8;

  // Reductions.
  private static final int PARTIAL = 1;
  private static final int FINISHED = 2;
  private static final int TO_RELAY = 3;
  private static final int OF_BROTHER = 4;
  private static final int OF_BOTH = 5;

  // The fault-tolerant tree.
  private static final int REDUCE_SENT = 16;
  private static final int REDUCE_RECEIVED = 17;
  private static final int REDUCE_REQUEST = 18;
  private static final int BROADCAST_SENT = 19;
  private static final int BROADCAST_RECEIVED = 20;
  private static final int COMING_THROUGH_YOU = 21;

  // Transports.
  private static final int ACKNOWLEDGEMENT = 32;
  private static final int PROBE = 33;
  private static final int FIND = 34;
  private static final int ROUTE_FOUND = 35;
  private static final int ROUTE_BACK = 36;

  // Membership.
  private static final int HELLO = 48;
  private static final int KNOCK = 49;
  private static final int KNOCKED = 50;
  private static final int COPY_REQUEST = 51;
  private static final int COPY_PART = 52;
  private static final int COPY_STEPS = 53;
  private static final int STATE_REQUEST = 54;

  // Asynchronous ranks.
  private static final int GRADIENT = 64;
  private static final int FLUSHED = 65;
  private static final int WEIGHTS = 66;
  private static final int RATES = 68;
  private static final int ADOPT = 69;
  private static final int MISSED = 70;

  // Parameter servers.
  private static final int PULL = 80;
  private static final int GRANTED = 81;
  private static final int REFUSED = 82;
  private static final int WITHDRAW = 83;

  // Changes of the tree.
  private static final int TIMES = 96;
  private static final int CHOSEN = 97;

  // Relayed gradients.
  private static final int SHARED_UPDATE = 112;
  private static final int HAS = 113;
  private static final int SIDE_HAS = 114;
  private static final int ALL_HAVE = 115;

  /** Returns the form of a body. */
  public static BodyForm of(Body body) {
    if (body instanceof Sum sum) {
      Range range = sum.range();
      return new BodyForm(code(sum.kind()), range.start(), range.end(), sum.samples(), sum.phase());
    } else if (body instanceof Share share) {
      return of(share);
    } else if (body instanceof LinkControl control) {
      return of(control);
    } else if (body instanceof TreeNotice notice) {
      return of(notice);
    } else if (body instanceof Pull pull) {
      return of(pull);
    } else if (body instanceof Presence presence) {
      return of(presence);
    } else if (body instanceof TreeChoice choice) {
      return of(choice);
    } else if (body instanceof Sharing sharing) {
      return of(sharing);
    }
    return of((ReplicaCopyBody) body);
  }

  private static int code(Sum.Kind kind) {
    return switch (kind) {
      case PARTIAL -> PARTIAL;
      case FINISHED -> FINISHED;
      case TO_RELAY -> TO_RELAY;
      case OF_BROTHER -> OF_BROTHER;
      case OF_BOTH -> OF_BOTH;
    };
  }

  private static BodyForm of(Share share) {
    if (share instanceof Share.Gradient gradient) {
      return over(gradient, gradient.flushed() ? FLUSHED : GRADIENT, gradient.samples());
    } else if (share instanceof Share.Missed missed) {
      return over(missed, MISSED, missed.samples());
    } else if (share instanceof Share.Weights weights) {
      return over(weights, WEIGHTS, 0);
    } else if (share instanceof Share.Rates rates) {
      return new BodyForm(
          RATES,
          0,
          0,
          Double.doubleToLongBits(rates.gradientsPerSecond()),
          Double.doubleToLongBits(rates.bytesPerSecond()));
    }
    Share.Adopt adopt = (Share.Adopt) share;
    return new BodyForm(ADOPT, 0, 0, adopt.partitions(), adopt.fromRound());
  }

  private static BodyForm of(LinkControl control) {
    if (control instanceof LinkControl.Acknowledgement acknowledgement) {
      return about(ACKNOWLEDGEMENT, acknowledgement.beyond());
    } else if (control instanceof LinkControl.Find find) {
      return about(FIND, find.target());
    } else if (control instanceof LinkControl.RouteFound found) {
      return about(ROUTE_FOUND, found.target());
    } else if (control instanceof LinkControl.RouteBack back) {
      return about(ROUTE_BACK, back.target());
    }
    return about(PROBE, 0);
  }

  private static BodyForm of(TreeNotice notice) {
    if (notice instanceof ReduceReceived received) {
      return about(REDUCE_RECEIVED, received.child());
    } else if (notice instanceof BroadcastSent sent) {
      return about(BROADCAST_SENT, sent.child());
    } else if (notice instanceof ReduceSent) {
      return about(REDUCE_SENT, 0);
    } else if (notice instanceof ReduceRequest) {
      return about(REDUCE_REQUEST, 0);
    } else if (notice instanceof BroadcastReceived) {
      return about(BROADCAST_RECEIVED, 0);
    }
    return about(COMING_THROUGH_YOU, 0);
  }

  private static BodyForm of(Pull pull) {
    if (pull instanceof Pull.Request request) {
      return over(request, PULL, request.atTheEnd() ? 1 : 0);
    } else if (pull instanceof Pull.Granted granted) {
      return over(granted, GRANTED, granted.lag());
    } else if (pull instanceof Pull.Refused refused) {
      return over(refused, REFUSED, 0);
    }
    return about(WITHDRAW, ((Pull.Withdraw) pull).requests());
  }

  private static BodyForm of(Presence presence) {
    if (presence instanceof Presence.Hello hello) {
      return about(HELLO, hello.poll());
    } else if (presence instanceof Presence.Knock knock) {
      return about(KNOCK, knock.view());
    }
    return about(KNOCKED, ((Presence.Knocked) presence).view());
  }

  private static BodyForm of(Sharing sharing) {
    if (sharing instanceof Sharing.SharedUpdate update) {
      Range range = update.range();
      long ofOrigin = (long) update.origin() << Integer.SIZE | update.samples();
      return new BodyForm(SHARED_UPDATE, range.start(), range.end(), update.number(), ofOrigin);
    }
    Sharing.Progress progress = (Sharing.Progress) sharing;
    return new BodyForm(code(progress), 0, 0, progress.parts(), progress.origin());
  }

  private static int code(Sharing.Progress progress) {
    if (progress instanceof Sharing.Has) {
      return HAS;
    }
    return progress instanceof Sharing.SideHas ? SIDE_HAS : ALL_HAVE;
  }

  private static BodyForm of(ReplicaCopyBody copy) {
    if (copy instanceof ReplicaCopyBody.Part part) {
      return over(part, COPY_PART, part.vector());
    } else if (copy instanceof ReplicaCopyBody.Steps steps) {
      return new BodyForm(COPY_STEPS, 0, 0, steps.steps(), steps.copy());
    } else if (copy instanceof ReplicaCopyBody.StateRequest state) {
      return over(state, STATE_REQUEST, 0);
    }
    ReplicaCopyBody.Request request = (ReplicaCopyBody.Request) copy;
    return new BodyForm(COPY_REQUEST, 0, 0, request.copy(), request.parts());
  }

  private static BodyForm of(TreeChoice choice) {
    if (choice instanceof TreeChoice.Times times) {
      return over(times, TIMES, Double.doubleToLongBits(times.messageSeconds()));
    }
    TreeInUse tree = ((TreeChoice.Chosen) choice).tree();
    return new BodyForm(
        CHOSEN,
        0,
        0,
        two(tree.children(), tree.stragglers()),
        two(
            Float.floatToRawIntBits(tree.seconds()),
            Float.floatToRawIntBits(tree.secondsBefore())));
  }

  private static long two(int first, int second) {
    return ((long) first << Integer.SIZE) | (second & 0xFFFF_FFFFL);
  }

  private static BodyForm over(Body body, int code, long number) {
    return new BodyForm(code, body.range().start(), body.range().end(), number, 0);
  }

  private static BodyForm about(int code, long number) {
    return new BodyForm(code, 0, 0, number, 0);
  }

  /**
   * Returns the body of this form with the given values.
   *
   * @throws IllegalArgumentException if the code is unknown, a number is out of range, the body can
   *     have no values, or it lacks values that the receiver cannot have already
   */
  public Body body(Payload payload) {
    Range range = new Range(start, end);
    return switch (code) {
      case PARTIAL -> sum(Sum.Kind.PARTIAL, needed(payload));
      // The values may be left out, because a rank on the route may already have the sum, and a
      // worker the server's weights.
      case FINISHED -> sum(Sum.Kind.FINISHED, payload);
      case GRANTED -> new Pull.Granted(range, first, payload);
      case TO_RELAY -> sum(Sum.Kind.TO_RELAY, needed(payload));
      case OF_BROTHER -> sum(Sum.Kind.OF_BROTHER, needed(payload));
      case OF_BOTH -> sum(Sum.Kind.OF_BOTH, needed(payload));
      case COPY_PART -> new ReplicaCopyBody.Part(whole(first), range, needed(payload));
      case GRADIENT -> new Share.Gradient(range, first, false, needed(payload));
      case FLUSHED -> new Share.Gradient(range, first, true, needed(payload));
      case MISSED -> new Share.Missed(range, first, needed(payload));
      case WEIGHTS -> new Share.Weights(range, needed(payload));
      case TIMES -> new TreeChoice.Times(range, Double.longBitsToDouble(first), needed(payload));
      case SHARED_UPDATE -> sharedUpdate(range, needed(payload));
      default -> withoutValues(range, payload);
    };
  }

  private Sharing.SharedUpdate sharedUpdate(Range range, Payload payload) {
    int origin = (int) (second >>> Integer.SIZE);
    return new Sharing.SharedUpdate(origin, first, range, (int) second, payload);
  }

  private Sum sum(Sum.Kind kind, Payload payload) {
    return new Sum(kind, whole(second), new Range(start, end), first, payload);
  }

  private Payload needed(Payload payload) {
    if (payload.isEmpty() && end > start) {
      throw new IllegalArgumentException(
          "%d elements in a message of code %d: must have values".formatted(end - start, code));
    }
    return payload;
  }

  private Body withoutValues(Range range, Payload payload) {
    if (!payload.isEmpty()) {
      throw new IllegalArgumentException(
          payload.length() + " values in a message of code " + code + ": must have none");
    }
    return switch (code) {
      case REDUCE_SENT -> new ReduceSent();
      case REDUCE_RECEIVED -> new ReduceReceived(whole(first));
      case REDUCE_REQUEST -> new ReduceRequest();
      case BROADCAST_SENT -> new BroadcastSent(whole(first));
      case BROADCAST_RECEIVED -> new BroadcastReceived();
      case COMING_THROUGH_YOU -> new ComingThroughYou();
      case ACKNOWLEDGEMENT -> new LinkControl.Acknowledgement(first);
      case PROBE -> new LinkControl.Probe();
      case FIND -> new LinkControl.Find(whole(first));
      case ROUTE_FOUND -> new LinkControl.RouteFound(whole(first));
      case ROUTE_BACK -> new LinkControl.RouteBack(whole(first));
      case HELLO -> new Presence.Hello(first);
      case KNOCK -> new Presence.Knock(first);
      case KNOCKED -> new Presence.Knocked(first);
      case COPY_REQUEST -> new ReplicaCopyBody.Request(first, whole(second));
      case COPY_STEPS -> new ReplicaCopyBody.Steps(first, second);
      case STATE_REQUEST -> new ReplicaCopyBody.StateRequest(range);
      case RATES ->
          new Share.Rates(Double.longBitsToDouble(first), Double.longBitsToDouble(second));
      case ADOPT -> new Share.Adopt(second, whole(first));
      case PULL -> new Pull.Request(range, first != 0);
      case REFUSED -> new Pull.Refused(range);
      case WITHDRAW -> new Pull.Withdraw(first);
      case CHOSEN -> chosen();
      case HAS -> new Sharing.Has(whole(second), first);
      case SIDE_HAS -> new Sharing.SideHas(whole(second), first);
      case ALL_HAVE -> new Sharing.AllHave(whole(second), first);
      default -> throw new IllegalArgumentException("message code " + code + ": unknown");
    };
  }

  private TreeChoice.Chosen chosen() {
    return new TreeChoice.Chosen(
        new TreeInUse(
            (int) (first >>> Integer.SIZE),
            (int) first,
            Float.intBitsToFloat((int) (second >>> Integer.SIZE)),
            Float.intBitsToFloat((int) second)));
  }

  private static int whole(long number) {
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          number + ": not a rank, phase, vector or count; must be 0 to 2147483647");
    }
    return (int) number;
  }
}
