package dev.braid.loop;

import dev.braid.loop.coordinator.LoopEvent;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/** The form in which Flink carries an event of the loop. */
record LoopOperatorEvent(LoopEvent event) implements OperatorEvent {}
