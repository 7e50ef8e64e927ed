/**
 * Chaos events: commands that break links and ranks of a running training, and mend them. Their
 * form is described in {@code docs/reference/chaos-events.md}. Pure: no Flink, no clock.
 */
package dev.braid.chaos.event;
