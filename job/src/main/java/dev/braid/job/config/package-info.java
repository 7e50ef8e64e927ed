/**
 * Files that say what a user would else type: {@link dev.braid.job.config.RunFile}, the options of
 * a run, and {@link dev.braid.job.config.DataSettings}, where samples are and how they are read.
 * Both are {@link dev.braid.job.config.YamlSettings}: strict, and with the line of each mistake. A
 * data file of a Kafka topic has {@link dev.braid.job.config.TopicSettings} instead.
 *
 * <p>Imports {@code console} and, for JSON and the places of earlier results, {@code result}.
 */
package dev.braid.job.config;
