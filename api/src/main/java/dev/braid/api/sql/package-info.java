/**
 * Scoring in Flink SQL with the model provider {@code braid}. Flink finds {@link
 * dev.braid.api.sql.BraidModelFactory}.
 */
package dev.braid.api.sql;
