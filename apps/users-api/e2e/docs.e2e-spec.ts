import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMissing, launchBrowser } from '@waymark/testing/browser';
import { call } from '@waymark/testing/services';
import { IdentifyFixture } from './identify-fixture.js';

const missing = findMissing();
const inBrowser = missing === '' ? test : test.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

describe('the docs of the users API', () => {
  let fixture: IdentifyFixture;

  beforeAll(async () => {
    fixture = await IdentifyFixture.open();
  });
  afterAll(() => fixture.close());

  test('are a page for people, with all it needs from the service itself, and OpenAPI 3.1 for machines', async () => {
    const page = await call(fixture.service, 'GET /docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page.text).not.toMatch(/https?:|<script(?! src="docs\/)|<style|style=/);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    for (const file of ['viewer.js', 'viewer.css', 'start.js']) {
      const { status, headers, text } = await call(fixture.service, `GET /docs/${file}`);
      expect([file, status, headers.get('x-content-type-options')]).toEqual([file, 200, 'nosniff']);
      expect(text.length).toBeGreaterThan(100);
    }
    expect((await call(fixture.service, 'GET /docs/json')).body).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'users-api' },
    });
  });

  inBrowser('show schemas and examples, and a request can be tried there', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const troubles: string[] = [];
      const asked: string[] = [];
      page.on('pageerror', ({ message }) => troubles.push(message));
      page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${fixture.service.url}/docs`);
      await page.locator('.btn.authorize').click();
      await page.locator('.modal-ux input').first().fill(fixture.key);
      await page.locator('.modal-ux .btn.authorize').first().click();
      await page.locator('.modal-ux .btn-done').first().click();
      const operation = page
        .locator('.opblock-post')
        .filter({ has: page.locator('[data-path="/identify"]') });
      await operation.locator('.opblock-summary-control').click();
      const example = JSON.parse(
        await operation.locator('textarea.body-param__text').inputValue(),
      ) as { identifier: string };
      expect(example).toMatchObject({ identifier: 'ada@example.com', properties: { plan: 'pro' } });
      await operation.locator('.btn.execute').click();
      await operation
        .locator('.live-responses-table .response-col_status')
        .filter({ hasText: '204' })
        .first()
        .waitFor();
      expect(await page.title()).toBe('users-api');
      expect(troubles).toEqual([]);
      expect(
        asked.filter((url) => !url.startsWith(fixture.service.url) && !url.startsWith('data:')),
      ).toEqual([]);
    } finally {
      await browser.close();
    }
    expect(await fixture.properties('ada@example.com')).toMatchObject({ plan: 'pro' });
  });
});
