import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';

export const lakeDocument = () => readFileSync(join(ROOT, 'docs/lake.md'), 'utf8');

/** The nth code of that language under a heading of docs/lake.md: what readers copy is what is tested. */
export function documented(heading: string, language: string, nth = 0): string {
  const section = lakeDocument()
    .split(/^##+ /m)
    .find((part) => part.startsWith(`${heading}\n`));
  const fence = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``, 'g');
  const code = [...(section ?? '').matchAll(fence)][nth]?.[1];
  if (code === undefined) throw new Error(`docs/lake.md has no ${language} under "${heading}".`);
  return code;
}
