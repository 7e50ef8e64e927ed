/**
 * Effects of chaos events on messages, at times that the caller provides: without Flink and without
 * a clock, and with all randomness from a seed. The links of a Flink job and those of the simulator
 * use the same class.
 */
package dev.braid.chaos.fault;
