/** How records of Braid's own cross Flink's network. */
package dev.braid.wire;
