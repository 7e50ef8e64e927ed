/** Braid's own binary formats: records in Flink's network, and the checksums of state. */
package dev.braid.wire;
