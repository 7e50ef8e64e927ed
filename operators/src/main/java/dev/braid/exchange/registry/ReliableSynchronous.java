package dev.braid.exchange.registry;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Wrapping;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.transport.Window;
import java.util.function.BiFunction;

/**
 * A synchronous exchange on {@link ReliableLinks}. If a link that rounds need is cut and no other
 * route exists, rounds wait, and complete with the right sum when the link is back.
 */
final class ReliableSynchronous implements Synchronous, Wrapping {

  private final ReliableLinks links;
  private final Synchronous exchange;

  /**
   * Creates an exchange on links of its own.
   *
   * @param waysAround ranks over which messages may go around a link; empty if they must wait for
   *     it
   */
  ReliableSynchronous(
      ExchangeConfig config,
      Port port,
      int[] waysAround,
      BiFunction<ExchangeConfig, Port, ? extends Synchronous> algorithm) {
    this.links =
        new ReliableLinks(
            config, port, this::exchangeIsDue, Window.ofStream(config), waysAround, this::deliver);
    this.exchange = algorithm.apply(config, links.exchangePort());
  }

  private void exchangeIsDue() {
    exchange.deadline();
  }

  private void deliver(Message message) {
    exchange.receive(message);
  }

  @Override
  public Synchronous wrapped() {
    return exchange;
  }

  @Override
  public boolean mayCompute() {
    return exchange.mayCompute();
  }

  @Override
  public void contribute(Contribution local) {
    links.transport().resume();
    exchange.contribute(local);
    links.transport().arm();
  }

  @Override
  public void receive(Message message) {
    links.transport().receive(message);
  }

  @Override
  public void deadline() {
    links.deadline();
    links.transport().arm();
  }

  @Override
  public long completedRounds() {
    return exchange.completedRounds();
  }

  @Override
  public long jointRounds() {
    return exchange.jointRounds();
  }

  @Override
  public boolean isThrough(long rounds) {
    return exchange.isThrough(rounds);
  }

  @Override
  public void rollBack() {
    links.rollBack(exchange::rollBack);
  }

  @Override
  public boolean servesWhileHeld() {
    return true;
  }

  @Override
  public boolean waitsForAll() {
    return exchange.waitsForAll();
  }

  @Override
  public void enter(long round, boolean isLastOfEpoch) {
    exchange.enter(round, isLastOfEpoch);
    links.transport().arm();
  }

  @Override
  public boolean usesAllSamples() {
    return exchange.usesAllSamples();
  }

  @Override
  public boolean countsOwnGradient(long round) {
    return exchange.countsOwnGradient(round);
  }

  @Override
  public boolean replicasAgree() {
    return exchange.replicasAgree();
  }

  @Override
  public Participation participation() {
    return exchange.participation();
  }

  @Override
  public void end() {
    exchange.end();
    links.transport().arm();
  }

  @Override
  public boolean isQuiet() {
    return exchange.isQuiet();
  }

  @Override
  public void resume() {
    links.transport().resume();
    exchange.resume();
    links.transport().arm();
  }
}
