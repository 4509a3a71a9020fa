import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '@waymark/service-kit/config';
import { Refusal } from '@waymark/service-kit/http';
import * as client from 'openid-client';
import type { StudioSettings } from '../config/settings.js';
import type { Person } from './person.js';
import { personOf } from './person-of.js';
import { isListed } from './role-of.js';

/** What a sign-in remembers until the person is back. */
export interface AuthRequest {
  verifier: string;
  nonce: string;
  state: string;
}

/** Signing in with OpenID Connect: authorization code flow with PKCE, state and nonce (T3). */
@Injectable()
export class Oidc {
  private discovered: Promise<client.Configuration> | undefined;

  constructor(@Inject(SETTINGS) private readonly settings: StudioSettings) {}

  /** Where to send the person, and what to remember until they are back. */
  async begin(): Promise<{ to: string; authRequest: AuthRequest }> {
    const configuration = await this.discover();
    const authRequest = {
      verifier: client.randomPKCECodeVerifier(),
      nonce: client.randomNonce(),
      state: client.randomState(),
    };
    const to = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: this.settings.scopes,
      code_challenge: await client.calculatePKCECodeChallenge(authRequest.verifier),
      code_challenge_method: 'S256',
      nonce: authRequest.nonce,
      state: authRequest.state,
    });
    return { to: to.href, authRequest };
  }

  /**
   * Who has come back with that query. Throws a `Refusal` for an answer that is not one to this
   * request.
   */
  async callback(query: string, { verifier, nonce, state }: AuthRequest): Promise<Person> {
    const configuration = await this.discover();
    try {
      const tokens = await client.authorizationCodeGrant(
        configuration,
        new URL(`${this.redirectUri}${query}`),
        {
          pkceCodeVerifier: verifier,
          expectedNonce: nonce,
          expectedState: state,
          idTokenExpected: true,
        },
      );
      const claims = tokens.claims()!;
      const userinfo = configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {};
      return personOf(claims, userinfo, {
        matters: (group) => isListed(group, this.settings),
        requireVerifiedEmail: this.settings.requireVerifiedEmail,
      });
    } catch (error) {
      throw new Refusal(401, `signing in did not work: ${(error as Error).message}; try again`);
    }
  }

  private get redirectUri(): string {
    return `${this.settings.publicUrl}/login/callback`;
  }

  /** At the first sign-in, so that the studio starts while the provider is away. */
  private async discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const options =
      new URL(issuer!).protocol === 'http:'
        ? { execute: [client.allowInsecureRequests] }
        : undefined;
    const authentication = clientSecret === undefined ? client.None() : undefined;
    this.discovered ??= client.discovery(
      new URL(issuer!),
      clientId!,
      clientSecret,
      authentication,
      options,
    );
    try {
      return await this.discovered;
    } catch (cause) {
      this.discovered = undefined;
      throw Object.assign(
        new Refusal(
          503,
          'the provider of STUDIO_OIDC_ISSUER cannot be reached just now, please try again',
        ),
        {
          cause,
        },
      );
    }
  }
}
