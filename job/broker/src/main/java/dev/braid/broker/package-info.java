/** A Kafka broker for trials and tests. */
package dev.braid.broker;
