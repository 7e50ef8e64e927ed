package dev.braid.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** Tests that a port around another one forwards everything. */
class ForwardingPortTest {

  @Test
  void everyMethodIsForwarded() {
    Calls calls = new Calls(true);
    Port around = new ForwardingPort(calls.of(Port.class)) {};
    for (Method method : Calls.methods(Port.class)) {
      Calls.call(method, around);
      assertThat(calls.take()).as("what %s calls", method).containsExactly(method.getName());
    }
  }
}
