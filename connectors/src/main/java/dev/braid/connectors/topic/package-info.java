/**
 * Kafka topics: how clients reach them, where their partitions begin and end, and topics that keep
 * a log.
 */
package dev.braid.connectors.topic;
