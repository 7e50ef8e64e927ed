package dev.braid.chaos.sim.suite;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutionResult.Status;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Implements {@link UnderFaults}. */
final class FaultsMustHit implements AroundPropertyHook {

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    Faulty test = (Faulty) context.testInstance();
    test.tally().expectRuns();
    PropertyExecutionResult result = property.execute();
    if (result.status() != Status.SUCCESSFUL) {
      return result;
    }
    try {
      test.tally().check(test.effects(), test.responses());
      return result;
    } catch (AssertionError e) {
      return result.mapToFailed(e);
    }
  }
}
