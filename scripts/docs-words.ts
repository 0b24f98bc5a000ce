import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { ROOT } from './install.ts';

/** Bounds of the prose in docs, without tables, code and decisions. */
export const MOST_DOCS_WORDS = 35_000;
export const LONGEST_PARAGRAPH = 600;

const FENCE = /^\s*(```|~~~)/;
const TABLE_ROW = /^\s*\|/;
const NEW_BLOCK = /^\s*(#|[-*] |\d+\. |>)/;

/** Headings and list items are paragraphs of their own. */
export function readParagraphs(markdown: string): string[] {
  const paragraphs: string[][] = [[]];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || TABLE_ROW.test(line) || line.trim() === '') paragraphs.push([]);
    else if (NEW_BLOCK.test(line)) paragraphs.push([line.trim()]);
    else paragraphs.at(-1)?.push(line.trim());
  }
  return paragraphs.filter(({ length }) => length > 0).map((lines) => lines.join(' '));
}

export const countWords = (markdown: string): number =>
  readParagraphs(markdown).join(' ').split(/\s+/).filter(Boolean).length;

export const readDocs = (): { path: string; text: string }[] =>
  [...new Glob('docs/**/*.md').scanSync(ROOT)]
    .filter((path) => !path.startsWith('docs/adr/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

if (import.meta.main) {
  const pages = readDocs().map(({ path, text }) => ({
    path,
    words: countWords(text),
    long: readParagraphs(text).filter(({ length }) => length > LONGEST_PARAGRAPH).length,
  }));
  for (const { path, words, long } of pages.toSorted((a, b) => b.words - a.words)) {
    console.log(`${words}\t${long}\t${path}`);
  }
  const words = pages.reduce((sum, page) => sum + page.words, 0);
  const long = pages.reduce((sum, page) => sum + page.long, 0);
  console.log(
    `${words} words (at most ${MOST_DOCS_WORDS}), ${long} paragraphs over ${LONGEST_PARAGRAPH} characters (none)`,
  );
}
