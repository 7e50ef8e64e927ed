/**
 * The exchanges, what they consist of, and the decisions about a loop. They are state machines
 * without threads, clocks and input or output, so that the same classes run in Flink, in the
 * simulator and in unit tests. They need no module but {@code java.base}.
 */
module dev.braid.algorithms {
  exports dev.braid.codec;
  exports dev.braid.coding;
  exports dev.braid.cost;
  exports dev.braid.exchange;
  exports dev.braid.exchange.allreduce;
  exports dev.braid.exchange.allreduce.mesh;
  exports dev.braid.exchange.allreduce.shards;
  exports dev.braid.exchange.async;
  exports dev.braid.exchange.coded;
  exports dev.braid.exchange.collective;
  exports dev.braid.exchange.compression;
  exports dev.braid.exchange.fttree;
  exports dev.braid.exchange.membership;
  exports dev.braid.exchange.message;
  exports dev.braid.exchange.option;
  exports dev.braid.exchange.participation;
  exports dev.braid.exchange.registry;
  exports dev.braid.exchange.runner;
  exports dev.braid.exchange.server;
  exports dev.braid.exchange.sharing;
  exports dev.braid.exchange.state;
  exports dev.braid.exchange.transport;
  exports dev.braid.loop.coordinator;
  exports dev.braid.loop.envelope;
  exports dev.braid.loop.member;
  exports dev.braid.text;
  exports dev.braid.topology;
  exports dev.braid.vector;
}
