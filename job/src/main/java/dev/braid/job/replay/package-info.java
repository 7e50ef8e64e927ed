/** The command that recomputes a run on a topic from its lineage, and compares. */
package dev.braid.job.replay;
