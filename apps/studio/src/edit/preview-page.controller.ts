import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ForEverybody } from '../access/route-access.js';
import { addressOf, type Asset, ASSETS } from '../assets/asset.js';

/**
 * Pictures in texts are anywhere, and the studio may frame it; otherwise it is as other pages are.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src https: data:',
  'media-src https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * The page in a frame of the editor that draws blocks as users see them (N10). It knows only what
 * the editor sends.
 */
@Controller('frames')
@ForEverybody()
export class PreviewPageController {
  private readonly html: string;

  constructor(@Inject(ASSETS) assets: ReadonlyMap<string, Asset>) {
    const [script, style] = [
      addressOf(assets, 'preview', '.js'),
      addressOf(assets, 'preview', '.css'),
    ];
    this.html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>As users see it</title>
<link rel="stylesheet" href="${style}">
<body>
<main aria-hidden="true"></main>
<script type="module" src="${script}"></script>
</body>
</html>
`;
  }

  @Get('preview')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', POLICY)
  @Header('x-frame-options', 'SAMEORIGIN')
  page(): string {
    return this.html;
  }
}
