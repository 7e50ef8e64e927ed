/**
 * Settings in files instead of on the command line: {@link dev.braid.job.config.RunFile}, the
 * options of a run, and {@link dev.braid.job.config.DataSettings}, the place and format of samples.
 * Both use {@link dev.braid.job.config.YamlSettings}, which are strict and name the line of each
 * error. The data file of a Kafka topic has {@link dev.braid.job.config.TopicSettings}.
 *
 * <p>Imports {@code console} and, for JSON and the places of earlier results, {@code result}.
 */
package dev.braid.job.config;
