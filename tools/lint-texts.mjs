// Lints texts as if they were the named files, without type information. Standard input: [{ file,
// text }, …]; standard output: for each the ids of the rules that complain.
import { ESLint } from 'eslint';
import { json } from 'node:stream/consumers';
import tseslint from 'typescript-eslint';

const eslint = new ESLint({
  overrideConfig: [{ ...tseslint.configs.disableTypeChecked, files: ['**/*.ts'] }],
});
const rules = [];
for (const { file, text } of await json(process.stdin)) {
  const [result] = await eslint.lintText(text, { filePath: file });
  rules.push(result.messages.map(({ ruleId }) => ruleId));
}
console.log(JSON.stringify(rules));
