/** Published versions of models: their descriptions, and the folders and topics that store them. */
package dev.braid.connectors.registry;
