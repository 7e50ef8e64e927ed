/**
 * Training and scoring in programs. {@link dev.braid.api.Braid} is the entry point.
 *
 * <p>Classes and methods that are marked as {@link org.apache.flink.annotation.PublicEvolving} keep
 * their meaning within a minor version. Everything else, in this package and in all others, can
 * change at any time.
 */
package dev.braid.api;
