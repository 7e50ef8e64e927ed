/**
 * Scoring in Flink SQL: the provider {@code braid} of models. {@link
 * dev.braid.api.sql.BraidModelFactory} is found by Flink.
 */
package dev.braid.api.sql;
