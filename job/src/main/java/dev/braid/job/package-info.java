/** The command line, the assembly of the job, and what its user sees of it. */
package dev.braid.job;
