/**
 * What a worker's connection to the network does to messages, in the time that it is told: no
 * Flink, no clock. The links of a Flink job and those of the simulator ask the same classes.
 */
package dev.braid.chaos.shape;
