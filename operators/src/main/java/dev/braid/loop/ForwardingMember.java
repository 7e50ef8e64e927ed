package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.ViewMessage;
import java.util.List;

/** Another member, but for what an implementation does otherwise. */
public interface ForwardingMember extends LoopMember {

  /** The member that all is passed on to. */
  LoopMember member();

  @Override
  default long completedRounds() {
    return member().completedRounds();
  }

  @Override
  default boolean isThrough(long rounds) {
    return member().isThrough(rounds);
  }

  @Override
  default boolean takesMessages() {
    return member().takesMessages();
  }

  @Override
  default void holdAfter(long rounds) {
    member().holdAfter(rounds);
  }

  @Override
  default void handle(ViewMessage.ToRank message) {
    member().handle(message);
  }

  @Override
  default void freeze() {
    member().freeze();
  }

  @Override
  default boolean flushes() {
    return member().flushes();
  }

  @Override
  default void flush() {
    member().flush();
  }

  @Override
  default boolean allHasArrived() {
    return member().allHasArrived();
  }

  @Override
  default List<Integer> unreachable() {
    return member().unreachable();
  }

  @Override
  default void rollBack() {
    member().rollBack();
  }

  @Override
  default void resume() {
    member().resume();
  }

  @Override
  default void receive(Message message) {
    member().receive(message);
  }

  @Override
  default boolean servesWhileHeld() {
    return member().servesWhileHeld();
  }

  @Override
  default void verdict(int epoch, boolean stop) {
    member().verdict(epoch, stop);
  }

  @Override
  default void finish(long rounds) {
    member().finish(rounds);
  }
}
