import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Glob } from 'bun';

export const ROOT = join(import.meta.dir, '../..');

export type Import = {
  /** From the root of the project for our own files, else as written (`elysia`, `node:fs`). */
  target: string;
  typeOnly: boolean;
  line: number;
};

export type Source = { path: string; text: string; lines: string[]; imports: Import[] };

const STATEMENT =
  /^[ \t]*(?:import|export)\s+(type\s)?(?:[^'"`;()]*?\sfrom\s+)?['"]([^'"\n]+)['"]/gm;
const CALL = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;

/** A template literal of several lines, such as a snippet of code that a page shows. */
const LINES_OF_TEXT = /(?<=[=(:,]\s*|return\s)`[^`]*\n[^`]*`/g;

function importsOf(path: string, source: string): Import[] {
  const text = source.replace(LINES_OF_TEXT, (found) => found.replace(/[^\n]/g, ' '));
  const made = (specifier: string, typeOnly: boolean, index: number): Import => ({
    target: specifier.startsWith('.')
      ? relative(ROOT, join(ROOT, path, '..', specifier))
      : specifier,
    typeOnly,
    line: text.slice(0, index).split('\n').length,
  });
  return [
    ...[...text.matchAll(STATEMENT)].map((found) =>
      made(found[2] ?? '', found[1] !== undefined, found.index),
    ),
    ...[...text.matchAll(CALL)].map((found) => made(found[1] ?? '', false, found.index)),
  ];
}

export function parseSource(path: string, text: string): Source {
  return { path, text, lines: text.split('\n'), imports: importsOf(path, text) };
}

/** The project's files that fit `pattern`, with what each imports. */
export function readSources(pattern: string): Source[] {
  return [...new Glob(pattern).scanSync(ROOT)]
    .filter((path) => !path.includes('node_modules/'))
    .toSorted()
    .map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8')));
}
