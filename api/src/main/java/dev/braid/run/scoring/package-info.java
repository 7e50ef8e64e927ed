/**
 * Scoring of records with the published versions of a model. {@link
 * dev.braid.run.scoring.RegistryFollower} loads versions on a thread of its own and hands them
 * over; {@link dev.braid.run.scoring.RecordScorer} scores records with the versions that are in
 * service.
 */
package dev.braid.run.scoring;
