/**
 * What chaos events do to messages, in the time that it is told: no Flink, no clock, all randomness
 * from a seed. The links of a Flink job and those of the simulator ask the same class.
 */
package dev.braid.chaos.fault;
