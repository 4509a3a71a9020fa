import { IncomingMessage } from 'node:http';

/** A request may offer another protocol; whether it is one that this service speaks. */
export type TakesUpgrade = (request: IncomingMessage) => boolean;

/**
 * The class of a server's requests, for its option `IncomingMessage`. Once anything of a server
 * listens for upgrades, Node hands over every request that offers one; Java's HTTP client offers
 * HTTP/2 with each. An offer that is not taken is to be ignored and the request answered (RFC 9110,
 * 7.8).
 */
export function requestsWithUpgrades(takes: TakesUpgrade): typeof IncomingMessage {
  return class extends IncomingMessage {
    declare private offersUpgrade: boolean;

    /** Node sets it when the head was read, and asks it once the headers are known. */
    set upgrade(offers: boolean) {
      this.offersUpgrade = offers;
    }

    get upgrade(): boolean {
      return this.offersUpgrade && takes(this);
    }
  };
}
