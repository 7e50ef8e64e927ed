/**
 * Writing result files, complete or not at all, and finding them again; and making text from
 * elsewhere safe to show.
 */
package dev.braid.files;
