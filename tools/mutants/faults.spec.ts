import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { FAULTS } from './faults.mjs';
import { mutate } from './plant.mjs';

const specs = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /spec\.ts$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => `${folder}/${file}`),
);

test.each(FAULTS)('$name can be planted, and there are specs to catch it (R12)', (fault) => {
  expect(mutate(fault, readFileSync(fault.file, 'utf8'))).not.toBe(
    readFileSync(fault.file, 'utf8'),
  );
  for (const part of fault.tests)
    expect(specs.filter((spec) => spec.includes(part))).not.toEqual([]);
});
