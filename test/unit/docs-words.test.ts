import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugsOf } from '../../scripts/check-doc-references.ts';
import {
  countWords,
  LONGEST_PARAGRAPH,
  MOST_DOCS_WORDS,
  readDocs,
  readParagraphs,
} from '../../scripts/docs-words.ts';
import { ROOT, readSources } from '../support/sources.ts';

describe('the prose of docs', () => {
  const docs = readDocs();

  test('has few words', () => {
    const words = docs.reduce((sum, { text }) => sum + countWords(text), 0);
    expect(words).toBeGreaterThan(20_000);
    expect(words).toBeLessThanOrEqual(MOST_DOCS_WORDS);
  });

  test('has short paragraphs', () => {
    const long = docs.flatMap(({ path, text }) =>
      readParagraphs(text)
        .filter(({ length }) => length > LONGEST_PARAGRAPH)
        .map((paragraph) => `${path}: ${paragraph.length} characters: ${paragraph.slice(0, 60)}`),
    );
    expect(long).toEqual([]);
  });

  test('is listed in docs/README.md and, but for generated pages, in docs/llms.txt', () => {
    const pages = docs
      .map(({ path }) => path.replace('docs/', ''))
      .filter((path) => !path.includes('/') && path !== 'README.md');
    const missingIn = (index: string) => {
      const text = readFileSync(join(ROOT, 'docs', index), 'utf8');
      return pages.filter((page) => !text.includes(`](${page})`));
    };
    expect(missingIn('README.md')).toEqual([]);
    expect(missingIn('llms.txt')).toEqual([]);
  });
});

test('links from the source lead to headings that exist', () => {
  const links = readSources('src/**/*.{ts,tsx}').flatMap(({ path, text }) =>
    [...text.matchAll(/(?:docs\/|\/help\/|help=")([a-z-]+)(?:\.md)?#([a-z0-9-]+)/g)].map(
      ([link, page = '', anchor = '']) => ({ from: `${path}: ${link}`, page, anchor }),
    ),
  );
  expect(links.length).toBeGreaterThan(3);
  const broken = links.filter(
    ({ page, anchor }) => !slugsOf(readFileSync(join(ROOT, `docs/${page}.md`), 'utf8')).has(anchor),
  );
  expect(broken.map(({ from }) => from)).toEqual([]);
});

test('tables, code and headings count as documented', () => {
  const text = 'One two\nthree.\n\n| a | b |\n\n```sh\nfour five\n```\n- six\n- seven\n';
  expect(readParagraphs(text)).toEqual(['One two three.', '- six', '- seven']);
  expect(countWords(text)).toBe(7);
});
