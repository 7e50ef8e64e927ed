/** A Kafka broker for trying things out, and for the tests. */
package dev.braid.broker;
