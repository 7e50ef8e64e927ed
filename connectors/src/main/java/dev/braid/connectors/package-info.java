/**
 * Where samples come from: data sets on disk or in the jar, and the Flink source that deals them to
 * the workers.
 */
package dev.braid.connectors;
