import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A benchmark is a folder with a `run.ts` that prints its figure, the limit beside it, the ratio. */
const names = readdirSync(import.meta.dir, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'support')
  .map((entry) => entry.name)
  .toSorted();

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const unknown = wanted.filter((name) => !names.includes(name));
if (wanted.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no benchmark "${unknown.join('", "')}".`);
  console.error(`Use: bun run bench NAME …    NAME is one of: ${names.join(', ')}`);
  process.exit(wanted.length === 0 ? 0 : 1);
}

for (const name of wanted) {
  console.log(`\n${name}`);
  const { default: run } = await import(join(import.meta.dir, name, 'run.ts'));
  await run();
}
process.exit(0);
