/** How results become files, whole or not at all, and how they are found again. */
package dev.braid.files;
