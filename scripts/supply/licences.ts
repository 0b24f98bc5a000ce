import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tableOf } from '../print/table.ts';

export type Package = { name: string; licence: string };

/** Nothing of ours has to be published because of them. */
const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0'],
  ...['Unlicense', 'Zlib'],
]);

/** Allowed for these alone: data, a face that is served as it is, and a tool of our tests that is not passed on. */
const ALLOWED_FOR: Readonly<Record<string, string>> = {
  '@fontsource-variable/inter': 'OFL-1.1',
  'axe-core': 'MPL-2.0',
  'caniuse-lite': 'CC-BY-4.0',
};

/** Packages whose licence stands in a file only. */
const IN_A_FILE: Readonly<Record<string, string>> = {
  '@openfeature/ofrep-core': 'Apache-2.0',
  '@openfeature/ofrep-provider': 'Apache-2.0',
  unionfs: 'Unlicense',
};

/** A part of an SPDX expression: all of AND, one of OR; brackets are for reading. */
export function isAllowed(licence: string): boolean {
  const plain = licence.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isAllowed);
  if (plain.includes(' AND ')) return plain.split(' AND ').every(isAllowed);
  return ALLOWED.has(plain);
}

/** Older packages say `{ type }` or a list of those. */
function licenceOf(manifest: any): string {
  const said = manifest.license ?? manifest.licenses ?? IN_A_FILE[manifest.name] ?? 'unknown';
  if (Array.isArray(said)) return said.map((one) => one.type ?? one).join(' OR ');
  return typeof said === 'string' ? said : String(said.type ?? 'unknown');
}

function foldersIn(modules: string): string[] {
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
  return names.flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(modules, name)).map((inner) => join(modules, name, inner))
      : [join(modules, name)],
  );
}

/**
 * What is installed of the lock file, also below another package. What is for one system only is
 * left out: it belongs to a package that is listed, and the list is the same everywhere.
 */
export async function installedPackages(modules: string, lock: string): Promise<Package[]> {
  const found = await Promise.all(
    foldersIn(modules).map(async (folder) => {
      const file = Bun.file(join(folder, 'package.json'));
      const inner = await installedPackages(join(folder, 'node_modules'), lock);
      if (!(await file.exists())) return inner;
      const manifest = await file.json();
      if (manifest.os ?? manifest.cpu ?? manifest.libc) return inner;
      if (!lock.includes(`["${manifest.name}@`)) return inner;
      return [{ name: manifest.name, licence: licenceOf(manifest) }, ...inner];
    }),
  );
  const byText = new Map(found.flat().map((one) => [`${one.name} ${one.licence}`, one]));
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

export const forbiddenLicences = (packages: readonly Package[]): Package[] =>
  packages.filter(({ name, licence }) => ALLOWED_FOR[name] !== licence && !isAllowed(licence));

/** By licence; versions stand in bun.lock and in the bill of materials. */
export function licencePage(packages: readonly Package[]): string {
  const groups = [...Map.groupBy(packages, ({ licence }) => licence)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const rows = groups.map(([licence, members]) => [
    licence,
    members.map(({ name }) => name).join(', '),
  ]);
  return `# Licences of dependencies

Written by \`bun run supply licences\`, which also refuses what is not allowed (\`scripts/supply/licences.ts\`); the versions are those of \`bun.lock\`.

${tableOf([['licence', 'packages'], ...rows])}
`;
}
