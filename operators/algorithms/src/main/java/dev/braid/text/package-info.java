/** Making text from elsewhere safe to show. */
package dev.braid.text;
