package dev.braid.loop.coordinator;

import dev.braid.loop.coordinator.LoopEvent.Finish;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The workers that the coordinator can reach, and the reports of each. */
final class MemberTable {

  private static final int NO_ATTEMPT = -1;

  private final CoordinatorGateway gateway;
  private final int[] attempts;
  private final BitSet begun = new BitSet();
  private final BitSet answered = new BitSet();
  private final BitSet held = new BitSet();
  private final BitSet done = new BitSet();
  private final BitSet ended = new BitSet();
  private boolean finishing;

  /** Creates the table of members that are about to be deployed. */
  MemberTable(int size, CoordinatorGateway gateway) {
    this.gateway = gateway;
    this.attempts = new int[size];
    Arrays.fill(attempts, NO_ATTEMPT);
  }

  int size() {
    return attempts.length;
  }

  void ready(int subtask, int attempt) {
    attempts[subtask] = attempt;
    forget(subtask);
  }

  void failed(int subtask, int attempt) {
    if (isCurrent(subtask, attempt)) {
      attempts[subtask] = NO_ATTEMPT;
      forget(subtask);
    }
  }

  private void forget(int subtask) {
    begun.clear(subtask);
    held.clear(subtask);
    done.clear(subtask);
    ended.clear(subtask);
  }

  /**
   * Returns whether events of this attempt count. Attempts of different subtasks are never
   * compared.
   */
  boolean isCurrent(int subtask, int attempt) {
    return subtask < size() && attempts[subtask] == attempt;
  }

  void sendToAll(ToMember event) {
    for (int subtask = 0; subtask < size(); subtask++) {
      send(subtask, event);
    }
  }

  /** Sends an event to a member, if it is deployed and members have not been asked to end. */
  void send(int subtask, ToMember event) {
    if (!finishing && attempts[subtask] != NO_ATTEMPT) {
      gateway.send(subtask, event);
    }
  }

  /**
   * Asks all members to end. This is the last event that members receive: an event for one that has
   * ended would make Flink restart the job.
   */
  void finish(long rounds) {
    sendToAll(new Finish(rounds));
    finishing = true;
  }

  /** Returns whether members have been asked to end. */
  boolean areFinishing() {
    return finishing;
  }

  void begun(int subtask) {
    begun.set(subtask);
  }

  boolean allBegun() {
    return begun.cardinality() == size();
  }

  void clearAnswers() {
    answered.clear();
  }

  /** Adds an answer. Returns true if all members have answered. */
  boolean answered(int subtask) {
    answered.set(subtask);
    return answered.cardinality() == size();
  }

  /** Returns whether all of these members have answered. */
  boolean haveAnswered(List<Integer> subtasks) {
    return subtasks.stream().allMatch(answered::get);
  }

  void held(int subtask) {
    held.set(subtask);
  }

  void resumed(int subtask) {
    held.clear(subtask);
  }

  boolean isHeld(int subtask) {
    return held.get(subtask);
  }

  boolean noneHeld() {
    return held.isEmpty();
  }

  void done(int subtask) {
    done.set(subtask);
  }

  void ended(int subtask) {
    ended.set(subtask);
  }

  boolean allEnded() {
    return ended.cardinality() == size();
  }

  /** Forgets which members are done; they report so again. */
  void clearDone() {
    done.clear();
  }

  /** Returns whether all of these members are done. */
  boolean areDone(List<Integer> subtasks) {
    return subtasks.stream().allMatch(done::get);
  }
}
