import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import { loadFlowVersion, loadLatestIn } from '@waymark/domain/flows';
import { parseIdentifier, userId } from '@waymark/domain/users';
import { SETTINGS } from '@waymark/service-kit/config';
import { Refusal } from '@waymark/service-kit/http';
import type { DataSource } from 'typeorm';
import { addressOf, type Asset, ASSETS } from '../assets/asset.js';
import type { StudioSettings } from '../config/settings.js';
import { Reader } from '../reader/reader.js';
import type { EditionQuery } from './edition-query.dto.js';

/** Of the keys of the local stack. */
const ENVIRONMENT = 'development';

/** Everybody who looks at the sample application takes turns: a local stack has one of them. */
const TURN = { session: 'see-it', signal: new AbortController().signal };

/**
 * A small application with anchors in it, and a bar above it that says for whom and which edition.
 * What differs from start to start is in attributes, as no inline script is allowed.
 */
const drawSampleApplication = (given: {
  url: string;
  key: string;
  script: string;
  style: string;
}): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>See it: Waymark in an application</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${given.style}">
<body data-blocks="${given.url}" data-key="${given.key}">
<aside aria-label="See it">
  <p class="what"><b>See it</b> A sample application with a flow of yours.</p>
  <label>User <input id="user" autocomplete="off" spellcheck="false"></label>
  <label>Flow <input id="flow" autocomplete="off" spellcheck="false"></label>
  <label>Edition <select id="version"><option value="latest">published</option><option value="uncommitted">draft</option></select></label>
  <button id="over">Start over</button>
  <a id="edit" target="_blank">Edit the flow</a>
</aside>
<div class="frame">
  <div class="app">
    <header><b>Acme</b><nav aria-label="Acme"><a>Board</a><a>Calendar</a><a>Reports</a></nav><span class="search" data-waymark="second">Search</span><span class="person">A</span></header>
    <main>
      <h1>Launch</h1>
      <div class="board" data-waymark="first">
        <section data-waymark="columns"><h2>To do</h2><p data-waymark="cards">Write the release notes</p><p>Call Grace about the audit</p><p>Plan the offsite</p></section>
        <section data-waymark="comments"><h2>Doing</h2><p>Redesign of the board</p><p data-waymark="only">Import from spreadsheets</p></section>
        <section data-waymark="history"><h2>Done</h2><p data-waymark="toolbar">Faster search</p></section>
      </div>
    </main>
  </div>
  <aside class="state" aria-label="Where the user is"><h2 id="standing">…</h2><div id="picture"></div><ol id="blocks"></ol></aside>
</div>
<script type="module" src="${given.script}"></script>
</body>
</html>
`;

@Injectable()
export class SeeItService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: StudioSettings,
    @Inject(ASSETS) private readonly assets: ReadonlyMap<string, Asset>,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  /** Refuses with 404 in every studio but that of the local stack. */
  page(): string {
    const { url, key } = this.requireStack();
    return drawSampleApplication({
      url,
      key,
      script: addressOf(this.assets, 'see-it', '.js'),
      style: addressOf(this.assets, 'see-it', '.css'),
    });
  }

  /** The page asks blocks-api too, and nothing else is different from other pages of the studio. */
  headers(): Readonly<Record<string, string>> {
    const { url } = this.requireStack();
    return {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        `script-src 'self' ${url}`,
        "style-src 'self'",
        'img-src https: data:',
        'media-src https:',
        `connect-src 'self' ${url} ${url.replace('http', 'ws')}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ].join('; '),
    };
  }

  /**
   * Changes whenever the page would show something else: at a commit or a pin, or when the draft is
   * saved.
   */
  async edition({ flow, version }: EditionQuery): Promise<{ edition: string }> {
    this.requireStack();
    const { manager } = this.dataSource;
    const { id } = await getEnvironment(this.dataSource, ENVIRONMENT);
    const { latest } = await loadLatestIn(manager, id, flow);
    if (version === 'latest') return { edition: String(latest) };
    const { definition } = await loadFlowVersion(manager, flow, 0);
    const text = JSON.stringify(definition);
    return { edition: createHash('sha256').update(text).digest('base64url') };
  }

  /** Of that edition. Throws `picture.tangled`. */
  async picture({ flow, version }: EditionQuery): Promise<string> {
    this.requireStack();
    const { manager } = this.dataSource;
    const { id } = await getEnvironment(this.dataSource, ENVIRONMENT);
    const { latest } = await loadLatestIn(manager, id, flow);
    const number = version === 'latest' && latest !== null ? latest : 0;
    const { definition } = await loadFlowVersion(manager, flow, number);
    return (await this.reader.draw(TURN, definition)).svg!;
  }

  /** Identifies a user who is not there; leaves one who is as they are. */
  async welcome(user: string): Promise<void> {
    this.requireStack();
    const identifier = parseIdentifier(user, 'user');
    const { id } = await getEnvironment(this.dataSource, ENVIRONMENT);
    await this.dataSource.query(
      'INSERT INTO users (user_id, environment_id, identifier) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [userId(id, identifier), id, identifier],
    );
  }

  private requireStack(): { url: string; key: string } {
    const { sampleUrl: url, sampleKey: key } = this.settings;
    if (!url || !key)
      throw new Refusal(404, 'the sample application is in the studio of `npm start` only');
    return { url, key };
  }
}
