/**
 * Effects of a worker's network connection on messages, at times that the caller provides: without
 * Flink and without a clock. The links of a Flink job and those of the simulator use the same
 * classes.
 */
package dev.braid.chaos.shape;
