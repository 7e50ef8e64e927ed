/** Sources of chaos events and targets of their logs: Kafka topics and files. */
package dev.braid.chaos.stream;
