package dev.braid.loop.member;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.ViewMessage;

/** Delegates to another member; implementations override individual operations. */
public interface ForwardingMember extends LoopMember {

  /** Returns the member that receives all calls. */
  LoopMember member();

  @Override
  default void receive(Message message) {
    member().receive(message);
  }

  @Override
  default boolean takesMessages() {
    return member().takesMessages();
  }

  @Override
  default void handle(ViewMessage.ToRank message) {
    member().handle(message);
  }

  @Override
  default void verdict(int epoch, boolean stop) {
    member().verdict(epoch, stop);
  }

  @Override
  default void finish(long rounds) {
    member().finish(rounds);
  }

  @Override
  default Holdable holdable() {
    return member().holdable();
  }
}
