import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { BuildMetafile } from 'bun';
import { must } from '../shared/assert.ts';
import { atAddress, CONSOLE_PAGES, pageAt } from '../shared/console-pages.ts';
import { type Font, fontsBeside } from './console-fonts.ts';
import { iconsAsShapes } from './console-icons.ts';
import { onlyCalled } from './console-operations.ts';

const CONSOLE = join(import.meta.dir, '../console');
const ENTRY = join(CONSOLE, 'main.tsx');

const SMALLEST = { library: 'libdeflate', level: 12 } as const;

export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export type Asset = {
  name: string;
  type: string;
  plain: Uint8Array<ArrayBuffer>;
  encoded?: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>;
};

export type Bundle = {
  assets: ReadonlyMap<string, Asset>;
  scriptsAt: (path: string) => readonly string[];
  htmlAt: (path: string, isWhole: boolean) => string;
  stylesheet: string;
};

type Outputs = BuildMetafile['outputs'];

const toAddress = (path: string): string => `/console/${path.slice(path.lastIndexOf('/') + 1)}`;

function importClosure(outputs: Outputs, path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement') importClosure(outputs, next, seen);
  }
  return seen;
}

function scriptsByPage(outputs: Outputs): Map<string | undefined, string[]> {
  const pathOf = (source: string) =>
    must(
      Object.keys(outputs).find((path) =>
        outputs[path]?.entryPoint?.replace(/\.tsx?$/, '').endsWith(source),
      ),
      `${source} is part of the console`,
    );
  const entry = importClosure(outputs, pathOf('src/console/main'));
  const scripts = new Map<string | undefined, string[]>([[undefined, [...entry].map(toAddress)]]);
  for (const { name, source } of CONSOLE_PAGES) {
    const all = importClosure(outputs, pathOf(`src/console/pages/${source}`), new Set(entry));
    scripts.set(name, [...all].map(toAddress));
  }
  return scripts;
}

/** Not where a header is needed. */
const PRELOADED_SESSION =
  '    <link rel="preload" as="fetch" href="/v1/auth/get-session" crossorigin="use-credentials">\n';

const toHtml = (
  [entry = '', ...chunks]: readonly string[],
  stylesheet: string,
  icon: string,
  { isWhole, hasOrganization }: { isWhole: boolean; hasOrganization: boolean },
): string => `<!doctype html>
<html lang="en"${isWhole ? '' : ' data-console="arrivals"'}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Control plane</title>
    <link rel="icon" href="${icon}">
${hasOrganization ? '' : PRELOADED_SESSION}    <link rel="stylesheet" href="${stylesheet}">
    <script type="module" src="${entry}"></script>
${chunks.map((chunk) => `    <link rel="modulepreload" href="${chunk}">\n`).join('')}  </head>
  <body>
    <div id="console"></div>
    <noscript>The console needs JavaScript. The API is described under /docs.</noscript>
  </body>
</html>
`;

async function toAsset(path: string, type: string, content: Blob): Promise<Asset> {
  const plain = new Uint8Array(await content.arrayBuffer());
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isText = type.startsWith('text/');
  if (!isText) return { name, type, plain };
  const br = new Uint8Array(brotliCompressSync(plain));
  return { name, type, plain, encoded: { br, gzip: Bun.gzipSync(plain, SMALLEST) } };
}

async function buildBundle(): Promise<Bundle> {
  const fonts: Font[] = [];
  const { outputs, metafile } = await Bun.build({
    entrypoints: [ENTRY],
    minify: true,
    splitting: true,
    metafile: true,
    target: 'browser',
    jsx: { development: false },
    plugins: [onlyCalled(CONSOLE), iconsAsShapes, fontsBeside((font) => fonts.push(font))],
    naming: '[name]-[hash].[ext]',
  });
  const assets = await Promise.all([
    ...outputs.map((one) => toAsset(one.path, one.type, one)),
    ...fonts.map(({ name, content }) => toAsset(name, 'font/woff2', content)),
  ]);
  const built = must(metafile, 'the build was asked for its metafile').outputs;
  const scripts = scriptsByPage(built);
  const styles = Object.values(built).find(({ entryPoint }) => entryPoint?.endsWith('main.tsx'));
  const stylesheet = toAddress(must(styles?.cssBundle, 'the console imports its styles'));
  const mark = await Bun.file(join(CONSOLE, 'mark.svg')).text();
  const icon = `data:image/svg+xml,${encodeURIComponent(mark.trim())}`;
  const scriptsAt = (path: string) => scripts.get(pageAt(atAddress(path).path)?.name) ?? [];
  return {
    stylesheet,
    scriptsAt,
    htmlAt: (path, isWhole) => {
      const hasOrganization = atAddress(path).organization !== null;
      return toHtml(scriptsAt(path), stylesheet, icon, { isWhole, hasOrganization });
    },
    assets: new Map(assets.map((asset) => [asset.name, asset])),
  };
}

let bundle: Promise<Bundle> | undefined;

export function consoleBundle(): Promise<Bundle> {
  bundle ??= buildBundle().catch((error: unknown) => {
    bundle = undefined;
    throw error;
  });
  return bundle;
}
