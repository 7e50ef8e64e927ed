/** Writing result files, complete or not at all, and finding them again. */
package dev.braid.files;
