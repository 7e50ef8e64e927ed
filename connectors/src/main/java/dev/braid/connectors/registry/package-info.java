/** Published versions of models: what a version is, and the folders and topics that keep them. */
package dev.braid.connectors.registry;
