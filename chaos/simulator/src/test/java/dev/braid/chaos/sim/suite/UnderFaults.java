package dev.braid.chaos.sim.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/**
 * A property, or an example, of runs under faults, in a class that is {@link Faulty}: it fails if
 * it has added no run to the class's tally, or if faults did not do in its runs what the class says
 * that they do. Where this is not said of it, it may add no run.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@AddLifecycleHook(FaultsMustHit.class)
@interface UnderFaults {}
