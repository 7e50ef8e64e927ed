package dev.braid.chaos.sim.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/**
 * Marks a property or an example with runs under faults, in a class that is {@link Faulty}. It
 * fails if it has added no run to the class's tally, or if the effects that the class requires did
 * not occur in its runs. A test without this annotation may add no run.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@AddLifecycleHook(FaultsMustHit.class)
@interface UnderFaults {}
