/**
 * What a comparison of runs shows, made from their histories alone: a table, and a page with plots.
 */
package dev.braid.job.compare;
