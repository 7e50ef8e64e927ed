package dev.braid.loop.coordinator;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator.SubtaskGateway;

/** The workers that the coordinator can reach, and the reports of each. */
final class MemberTable {

  private static final int NO_ATTEMPT = -1;

  private final SubtaskGateway[] gateways;
  private final int[] attempts;
  private final BitSet begun = new BitSet();
  private final BitSet answered = new BitSet();
  private final BitSet held = new BitSet();
  private final BitSet done = new BitSet();
  private final BitSet ended = new BitSet();

  MemberTable(int size) {
    gateways = new SubtaskGateway[size];
    attempts = new int[size];
    Arrays.fill(attempts, NO_ATTEMPT);
  }

  int size() {
    return gateways.length;
  }

  void ready(int subtask, int attempt, SubtaskGateway gateway) {
    gateways[subtask] = gateway;
    attempts[subtask] = attempt;
    begun.clear(subtask);
    held.clear(subtask);
    done.clear(subtask);
    ended.clear(subtask);
  }

  void failed(int subtask, int attempt) {
    if (isCurrent(subtask, attempt)) {
      gateways[subtask] = null;
      attempts[subtask] = NO_ATTEMPT;
      begun.clear(subtask);
      held.clear(subtask);
      done.clear(subtask);
      ended.clear(subtask);
    }
  }

  /**
   * Returns whether events of this attempt count. Attempts of different subtasks are never
   * compared.
   */
  boolean isCurrent(int subtask, int attempt) {
    return subtask < size() && attempts[subtask] == attempt;
  }

  Optional<SubtaskGateway> gateway(int subtask) {
    return Optional.ofNullable(gateways[subtask]);
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
