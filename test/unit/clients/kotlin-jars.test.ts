import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfSources, jarOf, kotlinModules } from '../../../clients/kotlin.ts';
import { mavenRepository } from '../../../clients/maven.ts';
import { zipOf } from '../../../clients/zip.ts';

const ROOT = join(import.meta.dir, '../../..');
const modules = kotlinModules();
const text = (path: string) => new TextDecoder().decode(mavenRepository().get(path));

test('the kept jars are those of the sources (`bun clients/compile.ts`)', () => {
  expect(hashOfSources(modules)).toBe(modules.sources);
  const kept = readdirSync(join(ROOT, 'clients/kotlin/jars')).toSorted();
  expect(kept).toEqual(modules.modules.map(({ name }) => `control-plane-${name}.jar`).toSorted());
});

test('the documents name the version that the service serves', () => {
  const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  const named = [...page.matchAll(/controlplane:control-plane-[a-z]+:([^"]+)"/g)];
  expect(named.length).toBeGreaterThan(0);
  for (const [, version] of named) expect(version).toBe(modules.version);
});

test('a module names what it needs: its own version of the others, and Kotlin’s library alone', () => {
  const { version } = modules;
  const file = `controlplane/control-plane-purchases/${version}/control-plane-purchases-${version}`;
  const pom = text(`${file}.pom`);
  const needed = [...pom.matchAll(/<artifactId>(.*)<\/artifactId>\s*<version>(.*)<\/version>/g)];
  expect(needed.map(([, artifact, of]) => `${artifact} ${of}`)).toEqual([
    `control-plane-purchases ${version}`,
    `control-plane-events [${version}]`,
    'kotlin-stdlib 2.1.0',
  ]);
  const sources = Buffer.from(mavenRepository().get(`${file}-sources.jar`) ?? []);
  expect(sources.includes('controlplane/purchases/Purchases.kt')).toBe(true);
  expect(sources.includes('AskPro')).toBe(false);
  const jar = mavenRepository().get(`${file}.jar`) ?? new Uint8Array();
  expect(text(`${file}.jar.sha1`)).toBe(createHash('sha1').update(jar).digest('hex'));
  expect(Buffer.from(jar)).toEqual(readFileSync(jarOf('purchases')));
});

test.skipIf(!Bun.which('python3'))(
  'another program reads the ZIP, names and checksums',
  async () => {
    const zip = zipOf([
      ['a/é.txt', Buffer.from('é'.repeat(70_000))],
      ['empty', new Uint8Array()],
    ]);
    const read =
      'import sys,io,zipfile;z=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()));print(z.testzip(),[(i.filename,i.file_size,i.date_time[0]) for i in z.infolist()])';
    const run = Bun.spawnSync(['python3', '-X', 'utf8', '-c', read], { stdin: zip });
    expect(run.stdout.toString()).toBe("None [('a/é.txt', 140000, 1980), ('empty', 0, 1980)]\n");
  },
);
