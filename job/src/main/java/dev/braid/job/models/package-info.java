/**
 * The commands for registries of model versions: they list versions, choose the one in service, and
 * verify that versions are as published.
 */
package dev.braid.job.models;
