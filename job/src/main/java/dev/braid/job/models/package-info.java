/**
 * The commands for registries of model versions: which versions there are, which one is in service,
 * and whether they are what was published.
 */
package dev.braid.job.models;
