/** How fast a run goes, how long it has gone on, and how long it still will. */
package dev.braid.run.pace;
