/** How records of a program become samples. */
package dev.braid.api.sample;
