// A run of many spec files is a run of batches. Jest loads all modules anew for each test file,
// which takes longer than most of our files take: a service with its framework a second and a half.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { planBatches } from './plan-batches.mjs';

/** Writes a test file for each batch, numbered in the order in which they are to run. */
export async function writeBatches(folder, root, files) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const loader = path.join(import.meta.dirname, 'load-specs.mjs');
  for (const [index, batch] of planBatches(files).entries()) {
    const file = path.join(folder, `${String(index + 1).padStart(3, '0')}.batch.mjs`);
    const call = `await loadSpecs(${JSON.stringify(root)}, ${JSON.stringify(batch, undefined, 2)});`;
    await writeFile(file, `import { loadSpecs } from ${JSON.stringify(loader)};\n${call}\n`);
  }
}
