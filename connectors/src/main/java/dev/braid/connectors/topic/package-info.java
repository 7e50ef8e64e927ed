/**
 * Kafka topics: how clients reach them, where their partitions begin and end, and the kinds of
 * topics that Braid creates.
 */
package dev.braid.connectors.topic;
