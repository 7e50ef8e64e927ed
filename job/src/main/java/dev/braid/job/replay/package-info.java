/** The command that recomputes a run on a topic from its lineage, and compares digests. */
package dev.braid.job.replay;
