/** How results become files: whole, on the disk, or not at all. */
package dev.braid.files;
