/** Dataflow of a training, and the configuration of its workers. */
package dev.braid.run.training;
