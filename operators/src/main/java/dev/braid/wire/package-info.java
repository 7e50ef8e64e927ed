/**
 * Bytes of Braid's own: how records cross Flink's network, and what shows that a state is as it was
 * saved.
 */
package dev.braid.wire;
