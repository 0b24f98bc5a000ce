import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jarOf, KOTLIN_VERSION, type KotlinModule, kotlinModules, sourcesOf } from './kotlin.ts';
import { zipOf } from './zip.ts';

export const MAVEN_GROUP = 'controlplane';
const CHECKSUMS = ['md5', 'sha1', 'sha256', 'sha512'] as const;
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

type Coordinates = { group: string; artifact: string; version: string };
type File = readonly [path: string, bytes: Uint8Array<ArrayBuffer>];

const bytesOf = (text: string) => new TextEncoder().encode(text);

const xmlText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const dependency = ({ group, artifact, version }: Coordinates) => `    <dependency>
      <groupId>${group}</groupId>
      <artifactId>${artifact}</artifactId>
      <version>${version}</version>
      <scope>compile</scope>
    </dependency>
`;

function licence(): string {
  const owner: { license?: string } = JSON.parse(
    readFileSync(join(import.meta.dir, '../package.json'), 'utf8'),
  );
  if (owner.license === undefined) return '';
  return `  <licenses>\n    <license>\n      <name>${xmlText(owner.license)}</name>\n    </license>\n  </licenses>\n`;
}

const coordinatesOf = (module: string, version: string): Coordinates => ({
  group: MAVEN_GROUP,
  artifact: `control-plane-${module}`,
  version,
});

function pom({ name, description, needs }: KotlinModule, version: string): string {
  const own = coordinatesOf(name, version);
  // Modules see each other's `internal`, so only those of one version fit.
  const modules = needs.map((need) => coordinatesOf(need, `[${version}]`));
  const library = {
    group: 'org.jetbrains.kotlin',
    artifact: 'kotlin-stdlib',
    version: KOTLIN_VERSION,
  };
  return `${HEAD}<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${own.group}</groupId>
  <artifactId>${own.artifact}</artifactId>
  <version>${version}</version>
  <packaging>jar</packaging>
  <name>${own.artifact}</name>
  <description>${xmlText(description)}</description>
${licence()}  <dependencies>
${[...modules, library].map(dependency).join('')}  </dependencies>
</project>
`;
}

const metadata = ({ group, artifact, version }: Coordinates) => `${HEAD}<metadata>
  <groupId>${group}</groupId>
  <artifactId>${artifact}</artifactId>
  <versioning>
    <latest>${version}</latest>
    <release>${version}</release>
    <versions>
      <version>${version}</version>
    </versions>
  </versioning>
</metadata>
`;

function filesOf(module: KotlinModule, version: string): File[] {
  const { group, artifact } = coordinatesOf(module.name, version);
  const folder = `${group}/${artifact}`;
  const file = `${folder}/${version}/${artifact}-${version}`;
  const sources = sourcesOf(module.name).map(([name, path]) => [name, readFileSync(path)] as const);
  return [
    [`${folder}/maven-metadata.xml`, bytesOf(metadata({ group, artifact, version }))],
    [`${file}.pom`, bytesOf(pom(module, version))],
    [`${file}.jar`, new Uint8Array(readFileSync(jarOf(module.name)))],
    [`${file}-sources.jar`, zipOf(sources)],
  ];
}

/** The files of the clients' Maven repository by their paths, each with its checksums. */
export function mavenRepository(): Map<string, Uint8Array<ArrayBuffer>> {
  const { version, modules } = kotlinModules();
  const files = modules.flatMap((module) => filesOf(module, version));
  const checksums = files.flatMap(([path, bytes]) =>
    CHECKSUMS.map((kind): File => {
      const hash = createHash(kind).update(bytes).digest('hex');
      return [`${path}.${kind}`, bytesOf(hash)];
    }),
  );
  return new Map([...files, ...checksums]);
}
