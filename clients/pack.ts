import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';

const HERE = import.meta.dir;

/** What is bundled of each client: a file of its `src`, the file of the package, the form. */
const BUNDLES = {
  web: [
    ['index.ts', 'index.js', 'esm'],
    ['script.ts', 'control-plane.js', 'iife'],
    ['react-native.ts', 'react-native.js', 'esm'],
    ['experiments.ts', 'experiments.js', 'esm'],
    ['purchases.ts', 'purchases.js', 'esm'],
    ['flags.ts', 'flags.js', 'esm'],
  ],
  api: [['index.ts', 'index.js', 'esm']],
} as const satisfies Record<string, readonly (readonly [string, string, 'esm' | 'iife'])[]>;

/** Sources that hold types only, and so are their own declarations. */
const TYPES_ONLY = {
  web: ['types.ts', 'native-types.ts', 'ask-types.ts', 'flags-types.ts'],
  api: ['operations.ts'],
} as const;

export type ClientName = keyof typeof BUNDLES;
export const CLIENT_NAMES: readonly ClientName[] = ['web', 'api'];

/** The day that npm gives every file of a package, so that equal files are equal bytes. */
const PACKED_AT = new Date('1985-10-26T08:15:00Z');

type Manifest = { name: string; version: string; description: string } & Record<string, unknown>;

const read = (...path: string[]): string => readFileSync(join(HERE, ...path), 'utf8');

/** One file of a client's source with all that it imports; small where it is sent to browsers. */
export async function bundle(
  client: ClientName,
  entry: string,
  format: 'esm' | 'iife' = 'esm',
): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(HERE, client, 'src', entry)],
    minify: client === 'web',
    target: 'browser',
    format,
  });
  const [output] = built.outputs;
  if (!output) throw new Error(`${client}/${entry} cannot be bundled: ${built.logs.join('\n')}`);
  return output.text();
}

/** Older compilers know a declaration by the name of its module only. */
const withModuleNames = (text: string) => text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");

function declarations(client: ClientName): [string, string][] {
  const written = readdirSync(join(HERE, client, 'types'))
    .toSorted()
    .map((name): [string, string] => [name, read(client, 'types', name)]);
  const own = TYPES_ONLY[client].map((name): [string, string] => [
    name.replace(/\.ts$/, '.d.ts'),
    read(client, 'src', name),
  ]);
  return [...written, ...own].map(([name, text]) => [name, withModuleNames(text)]);
}

/** The package's manifest, under the licence that the owner of the service has given it, if any. */
function manifestOf(client: ClientName): Manifest {
  const own: Manifest = JSON.parse(read(client, 'package.json'));
  const { license }: { license?: string } = JSON.parse(read('..', 'package.json'));
  return { ...own, ...(license !== undefined && { license }) };
}

/** The files of a client's package, by name. */
export async function filesOf(client: ClientName): Promise<Record<string, string>> {
  const manifest = manifestOf(client);
  const bundled = await Promise.all(
    BUNDLES[client].map(async ([entry, name, format]) => [
      name,
      await bundle(client, entry, format),
    ]),
  );
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'README.md': `# ${manifest.name}\n\n${manifest.description}\n\nHow to use it: \`/help/clients\` of the service that this came from.\n`,
    ...Object.fromEntries([...bundled, ...declarations(client)]),
  };
}

export type Packed = { fileName: string; bytes: Uint8Array<ArrayBuffer> };

/** A client as an npm package: the same bytes for the same sources, named by what it holds. */
export async function pack(client: ClientName): Promise<Packed> {
  const files = await filesOf(client);
  const { name, version } = manifestOf(client);
  const tar = await packTar(
    Object.entries(files).map(([file, text]) => {
      const body = new TextEncoder().encode(text);
      const header = { name: `package/${file}`, size: body.length, mode: 0o644, mtime: PACKED_AT };
      return { header, body };
    }),
  );
  const hash = createHash('sha256').update(tar).digest('hex').slice(0, 12);
  return {
    fileName: `${name}-${version}-${hash}.tgz`,
    bytes: new Uint8Array(gzipSync(tar, { level: 9 })),
  };
}

/** `bun clients/pack.ts`: writes the packages into the working folder. */
async function packAll(): Promise<void> {
  for (const client of CLIENT_NAMES) {
    const { fileName, bytes } = await pack(client);
    await Bun.write(fileName, bytes);
    console.log(fileName);
  }
}

if (import.meta.main) void packAll();
