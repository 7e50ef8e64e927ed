/** Speed, elapsed time and remaining time of a run. */
package dev.braid.run.pace;
