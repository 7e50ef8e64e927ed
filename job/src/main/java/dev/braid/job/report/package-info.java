/**
 * What becomes of what the workers report: the run's progress, its history, its model, and the
 * check that it kept its promises. {@link dev.braid.job.report.Report#attach} is the way in.
 */
package dev.braid.job.report;
