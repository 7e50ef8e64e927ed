/** Where chaos events come from, and where their logs go: Kafka topics and files. */
package dev.braid.chaos.stream;
