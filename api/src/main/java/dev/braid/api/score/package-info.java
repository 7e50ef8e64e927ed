/** Scores the records of a stream with the published versions of a model. */
package dev.braid.api.score;
