/**
 * Training and scoring from a program: {@link dev.braid.api.Braid} is the way in.
 *
 * <p>What is marked as {@link org.apache.flink.annotation.PublicEvolving} keeps its meaning within
 * a minor version. Everything else, in this package and in all others, may change at any time.
 */
package dev.braid.api;
