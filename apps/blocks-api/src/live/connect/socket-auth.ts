import { Inject, Injectable } from '@nestjs/common';
import { ApiKeyGuard } from '@waymark/domain/access';
import { DomainError } from '@waymark/domain/database/errors';
import { userId } from '@waymark/domain/users';
import { SETTINGS } from '@waymark/service-kit/config';
import { AddressBudgets, Budgets } from '@waymark/service-kit/limits';
import type { BlocksSettings } from '../../config/settings.js';
import type { Viewer } from '../push/watcher.js';
import type { HandshakeData } from './handshake.js';
import { SocketsByKey } from './sockets-by-key.js';

const KEY_REFUSED =
  'auth of the handshake has to carry "x-api-key" with a valid blocks key, one that begins with "blocks-"';

/**
 * Finds the user that a socket acts for, by the key, the token behind it and the user of its
 * handshake (L1, V7).
 */
@Injectable()
export class SocketAuth {
  private readonly all: Budgets;
  private readonly byAddress: AddressBudgets;

  constructor(
    private readonly guard: ApiKeyGuard,
    private readonly socketsByKey: SocketsByKey,
    @Inject(SETTINGS)
    private readonly limits: Pick<
      BlocksSettings,
      'socketsPerKey' | 'handshakesPerSecond' | 'handshakesPerAddress'
    >,
  ) {
    this.all = new Budgets(limits.handshakesPerSecond);
    this.byAddress = new AddressBudgets(limits.handshakesPerAddress);
  }

  /**
   * Throws the reason for a client that must not try again. Answers nothing where it may, a little
   * later: then the transport is to be closed, since a client whose namespace is refused does not
   * come back.
   */
  async authenticate(
    { key, user, group, languages }: HandshakeData,
    address: string,
  ): Promise<Viewer | undefined> {
    try {
      const caller = await this.guard.authenticate(key, 'blocks');
      const { environmentId } = caller;
      // Counted after the key check, so that strangers cannot use up the places of others.
      if (!this.byAddress.take(address) || !this.all.take('all')) return undefined;
      if (this.socketsByKey.count(caller.keyId) >= this.limits.socketsPerKey) return undefined;
      const actor = this.guard.authorize(caller, { user, ...(group !== undefined && { group }) });
      return {
        actor,
        userId: userId(environmentId, user),
        caller,
        address,
        ...(languages !== undefined && { languages }),
      };
    } catch (error) {
      if (!(error instanceof DomainError)) return undefined;
      if (error.code === 'key.refused') throw new Error(KEY_REFUSED, { cause: error });
      if (error.code === 'token.refused' || error.code === 'token.forbidden')
        throw new Error(error.message, { cause: error });
      return undefined;
    }
  }
}
