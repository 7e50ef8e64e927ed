/** Encodes the records of a program as samples. */
package dev.braid.api.sample;
