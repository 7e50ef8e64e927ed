/**
 * How results become files, whole or not at all, and how they are found again; and how text of
 * others is shown.
 */
package dev.braid.files;
