/**
 * What pages for browsers are made of, and the page of a run.
 *
 * <p>{@link dev.braid.job.page.Html} fills a template with text and data, and has scripts and
 * styles be part of the page. {@link dev.braid.job.page.RunPage} is a run at one moment, of a
 * {@link dev.braid.job.page.RunRecord}, which has come together from one status after the other.
 * {@link dev.braid.job.page.ShownNotes} tell which notes of a status are new, to whoever shows
 * them.
 *
 * <p>Imports {@code result} alone of the rooms.
 */
package dev.braid.job.page;
