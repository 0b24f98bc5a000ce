import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';

/** The code of that language under a heading of docs/lake.md: what readers copy is what is tested. */
export function documented(heading: string, language: string): string {
  const text = readFileSync(join(ROOT, 'docs/lake.md'), 'utf8');
  const section = text.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`));
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(section ?? '') ?? [];
  if (code === undefined) throw new Error(`docs/lake.md has no ${language} under "${heading}".`);
  return code;
}
