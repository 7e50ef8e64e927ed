package dev.braid.loop.coordinator;

import dev.braid.loop.coordinator.LoopEvent.ToMember;
import java.lang.System.Logger.Level;

/** The surroundings of a {@link Coordinator}: Flink's JobManager, or a simulation. */
public interface CoordinatorGateway {

  /** Sends an event to a member whose task is deployed and has not failed. */
  void send(int member, ToMember event);

  /** Returns the time in milliseconds since 1970, to measure failures. */
  long nowMillis();

  /** Logs a message for the user. */
  void log(Level level, String message);
}
