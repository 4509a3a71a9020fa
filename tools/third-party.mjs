// The licences of the packages that a bundle holds, as one text: most of them ask to be part of
// every copy.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const LICENCE = /^(licen[cs]e|copying)/i;
const NOTICE = /^notice/i;

/** The folder of the package that a file of a bundle is from; none for our own. */
const packageOf = (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

/** Folders of the packages that anything in the outputs of esbuild came from. */
export function packagesIn({ outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  );
  return [...new Set(files.flatMap((file) => packageOf(file) ?? []))].sort();
}

/** Name, version and licence of each package, and the licence's text as the package brings it. */
export async function thirdPartyText(folders) {
  const parts = await Promise.all(folders.map(describe));
  const unique = [...new Set(parts)].sort();
  return `What is bundled here comes from these packages, each under its own licence.\n\n${unique.join('\n')}`;
}

async function describe(folder) {
  const { name, version, author, ...about } = JSON.parse(
    await readFile(path.join(folder, 'package.json'), 'utf8'),
  );
  // Older packages have a list.
  const license = about.license ?? about.licenses?.map(({ type }) => type).join(' or ');
  if (!license) throw new Error(`the package ${name} names no licence, so it cannot be bundled`);
  const texts = await readTexts(folder);
  const maker = typeof author === 'string' ? author : author?.name;
  const body =
    texts.length > 0
      ? texts.join('\n\n')
      : `The package holds no text of it${maker ? `; its author is ${maker}` : ''}.`;
  return `${'='.repeat(80)}\n${name} ${version}, ${license}\n${'='.repeat(80)}\n\n${body.trim()}\n`;
}

async function readTexts(folder) {
  const files = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const wanted = [
    ...files.filter((file) => LICENCE.test(file)),
    ...files.filter((file) => NOTICE.test(file)),
  ];
  return Promise.all(wanted.map((file) => readFile(path.join(folder, file), 'utf8')));
}
