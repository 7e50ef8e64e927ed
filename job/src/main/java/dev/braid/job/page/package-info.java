/**
 * Building blocks of pages for browsers, and the page of a run.
 *
 * <p>{@link dev.braid.job.page.Html} fills a template with text and data, and embeds scripts and
 * styles in the page. {@link dev.braid.job.page.RunPage} shows a run at one moment, from a {@link
 * dev.braid.job.page.RunRecord}, which collects the run's statuses. {@link
 * dev.braid.job.page.ShownNotes} finds the new notes of a status.
 *
 * <p>Of the other packages, imports only {@code result}.
 */
package dev.braid.job.page;
