/**
 * Kafka topics: the properties of their clients, the start and end offsets of their partitions, and
 * the kinds of topics that Braid creates.
 */
package dev.braid.connectors.topic;
