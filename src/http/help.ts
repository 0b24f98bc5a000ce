import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { Glob } from 'bun';
import { notFound } from '../shared/errors.ts';

const DOCS = join(import.meta.dir, '../../docs');

let names: ReadonlySet<string> | undefined;

/** Allow-list, such as `adr/0049-console`. */
function pageNames(): ReadonlySet<string> {
  names ??= new Set(
    [...new Glob('**/*.md').scanSync({ cwd: DOCS })].map((path) => path.replace(/\.md$/, '')),
  );
  return names;
}

/** Only links to pages stay. */
function linkTarget(href: string, from: string): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const name = posix.normalize(posix.join(posix.dirname(from), path)).replace(/\.md$/, '');
  if (!pageNames().has(name)) return null;
  return `/help/${name}${anchor === undefined ? '' : `#${anchor}`}`;
}

function withLinks(html: string, from: string): string {
  return html.replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, href: string, text: string) => {
    const target = linkTarget(href, from);
    return target === null ? text : `<a href="${target}">${text}</a>`;
  });
}

/** Screenshots of pages a click away. */
const withoutPictures = (html: string) => html.replace(/<img [^>]*alt="([^"]*)"[^>]*>/g, '$1');

/** Wide tables scroll, by keyboard too. */
const withScrolling = (html: string) =>
  html
    .replaceAll(
      '<table>',
      '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>',
    )
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');

/** Throws `not_found`. */
export async function helpPage(name: string, stylesheet: string): Promise<string> {
  if (!pageNames().has(name)) throw notFound();
  const markdown = await readFile(join(DOCS, `${name}.md`), 'utf8');
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? name;
  const html = Bun.markdown.html(markdown, { tables: true, headings: { ids: true } });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${Bun.escapeHTML(title)} · Documentation</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${stylesheet}">
  </head>
  <body class="help">
    <nav aria-label="Documentation"><a href="/">Console</a> <a href="/help">All pages</a> <a href="/docs">API</a></nav>
    <main>
${withScrolling(withLinks(withoutPictures(html), name))}    </main>
  </body>
</html>
`;
}
