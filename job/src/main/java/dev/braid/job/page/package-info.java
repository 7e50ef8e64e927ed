/** What pages for browsers are made of, and the page of a run. */
package dev.braid.job.page;
