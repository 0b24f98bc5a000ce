import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Glob } from 'bun';
import { at } from '../src/shared/assert.ts';
import { ROOT } from './install.ts';

const FOLDERS = [
  'src',
  'workflows',
  'activities',
  'test',
  'scripts',
  'bench',
  'clients',
  'docs',
  '.ci',
];
/** `path` in backticks that starts with one of our folders, or a relative link. */
const QUOTED = new RegExp(`\`((?:${FOLDERS.join('|').replace('.', '\\.')})/[^\`\\s]*)\``, 'g');
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g;

/** A heading of another document of ours, or of this one. */
const ANCHOR = /\]\(([^)#\s:]*\.md)?#([^)\s]+)\)/g;

/** A decision named by its number. */
const DECISION = /\bADR (\d{4})\b/g;
const DECISIONS = new Set(
  [...new Glob('*.md').scanSync(join(ROOT, 'docs/adr'))].map((name) => name.slice(0, 4)),
);

/** A path with `…`, `<name>`, `NNNN` or `*` describes many files. */
const describesMany = (path: string) => /[…<>*{}]|NNNN/.test(path);

export const slugsOf = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^#+ (.*)$/gm)].map((found) =>
      at(found, 1)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

function brokenAnchors(document: string, text: string, line: string): string[] {
  return [...line.matchAll(ANCHOR)].flatMap(([, page, anchor = '']) => {
    const path = page === undefined ? document : join(dirname(document), page);
    if (page !== undefined && !existsSync(join(ROOT, path))) return [];
    const target = page === undefined ? text : readFileSync(join(ROOT, path), 'utf8');
    return slugsOf(target).has(anchor) ? [] : [`${path}#${anchor}`];
  });
}

/** Every reference to a file, a heading or a decision of ours in a document that leads nowhere, as `document:line path`. */
export function brokenReferences(document: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const quoted = [...line.matchAll(QUOTED)].map((found) => at(found, 1));
    const links = [...line.matchAll(LINK)].map((found) => join(dirname(document), at(found, 1)));
    const paths = [...quoted, ...links].filter(
      (path) => !describesMany(path) && !existsSync(join(ROOT, path)),
    );
    const decisions = [...line.matchAll(DECISION)].filter((found) => !DECISIONS.has(at(found, 1)));
    const anchors = brokenAnchors(document, text, line);
    return [...paths, ...anchors, ...decisions.map(([name]) => name)].map(
      (gone) => `${document}:${index + 1} ${gone}`,
    );
  });
}

function documents(): string[] {
  return [
    ...new Glob('{*.md,{docs,clients,test,bench,src,workflows,activities}/**/*.md}').scanSync(ROOT),
  ]
    .filter((path) => !path.includes('node_modules'))
    .toSorted();
}

if (import.meta.main) {
  const broken = documents().flatMap((path) =>
    brokenReferences(path, readFileSync(join(ROOT, path), 'utf8')),
  );
  for (const line of broken) console.error(`No such file: ${line}`);
  process.exit(broken.length > 0 ? 1 : 0);
}
