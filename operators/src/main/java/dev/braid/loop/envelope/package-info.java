/**
 * What travels around the loop, and its form on the wire.
 *
 * <p>An {@link dev.braid.loop.envelope.Envelope} is a letter between ranks, mostly; else a
 * greeting, a probe of a path, or news of the links. All cross the same edge, so that their order
 * between two ranks is that in which they were sent.
 *
 * <pre>
 *   ┌──────────────┬──────────┬───────────────────────────────┐
 *   │ LetterHeader │ checksum │ values, as the codec has them │   one record
 *   └──────────────┴──────────┴───────────────────────────────┘
 * </pre>
 *
 * <p>{@link dev.braid.loop.envelope.EnvelopeSerializer} writes values in bulk, and reads them into
 * arrays that a pool lends. A letter takes a quarter of a network buffer at most, as Flink collects
 * one that is spread over two in an array of its own. Only where sparse values are expected, and
 * few of them are 0, it takes up to two buffers. Where it is asked for, a {@code LetterChecksum}
 * (CRC-32C) tells a letter that was damaged, which is lost then, and sent again as others are.
 * {@link dev.braid.loop.envelope.LoopKey} is the other end of a worker's own feedback edge.
 */
package dev.braid.loop.envelope;
