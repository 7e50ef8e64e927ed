package dev.braid.worker;

import dev.braid.exchange.ViewMessage;
import dev.braid.exchange.message.Message;
import dev.braid.loop.LoopSimulation.SimulatedMember;
import java.util.List;

/** A member of a simulated loop, as its trainer sees to it. */
interface TrainerMember extends SimulatedMember {

  Trainer trainer();

  @Override
  default long completedRounds() {
    return trainer().completedRounds();
  }

  @Override
  default boolean isThrough(long rounds) {
    return trainer().isThrough(rounds);
  }

  @Override
  default boolean takesMessages() {
    return trainer().takesMessages();
  }

  @Override
  default boolean servesWhileHeld() {
    return trainer().servesWhileHeld();
  }

  @Override
  default boolean flushes() {
    return trainer().flushes();
  }

  @Override
  default void flush() {
    trainer().flush();
  }

  @Override
  default boolean allHasArrived() {
    return trainer().allHasArrived();
  }

  @Override
  default List<Integer> unreachable() {
    return trainer().unreachable();
  }

  @Override
  default void freeze() {
    trainer().freeze();
  }

  @Override
  default void rollBack() {
    trainer().rollBack();
  }

  @Override
  default void resume() {
    trainer().resume();
  }

  @Override
  default void receive(Message message) {
    trainer().receive(message);
  }

  @Override
  default void verdict(int epoch, boolean stop) {
    trainer().verdict(epoch, stop);
  }

  @Override
  default void finish(long rounds) {
    trainer().finish(rounds);
  }

  @Override
  default void holdAfter(long rounds) {
    trainer().holdAfter(rounds);
  }

  @Override
  default void handle(ViewMessage.ToRank message) {
    trainer().handle(message);
  }
}
