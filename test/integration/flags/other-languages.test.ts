import { expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Asked, randomCases, wrongOnes } from '../../support/flags/random-cases.ts';
import { findJar, findPython } from '../../support/lake/tools.ts';
import { describeWhere } from '../../support/left-out.ts';
import { startListening } from '../../support/listening.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestOrg } from '../../support/service.ts';

const FLAGS = isFullRun ? 2_000 : 100;
const PEOPLE_PER_FLAG = 2;
const SEED = Number(process.env.TEST_SEED ?? 34);

const PYTHON = ['openfeature-provider-ofrep==0.3.0', 'openfeature-sdk==0.10.0', 'requests==2.34.2'];
const JARS = [
  'dev/openfeature/contrib/providers/ofrep/0.0.2/ofrep-0.0.2.jar',
  'dev/openfeature/sdk/1.22.0/sdk-1.22.0.jar',
  'com/fasterxml/jackson/core/jackson-core/2.22.0/jackson-core-2.22.0.jar',
  'com/fasterxml/jackson/core/jackson-databind/2.22.0/jackson-databind-2.22.0.jar',
  'com/fasterxml/jackson/core/jackson-annotations/2.22/jackson-annotations-2.22.jar',
  'com/fasterxml/jackson/datatype/jackson-datatype-jsr310/2.22.0/jackson-datatype-jsr310-2.22.0.jar',
  'org/slf4j/slf4j-api/2.0.17/slf4j-api-2.0.17.jar',
  'commons-validator/commons-validator/1.10.1/commons-validator-1.10.1.jar',
  'commons-logging/commons-logging/1.3.5/commons-logging-1.3.5.jar',
  'com/google/guava/guava/33.4.8-jre/guava-33.4.8-jre.jar',
  'com/google/guava/failureaccess/1.0.3/failureaccess-1.0.3.jar',
];

/** Java runs a file of source where it has its compiler. */
async function hasCompiler(): Promise<boolean> {
  if (!Bun.which('java')) return false;
  return (await Bun.$`java --list-modules`.quiet().nothrow().text()).includes('jdk.compiler');
}

async function findJars(): Promise<string[] | null> {
  if (!(await hasCompiler())) return null;
  const found = await Promise.all(JARS.map(findJar));
  return found.every((jar) => jar !== null) ? found : null;
}

const [python, jars] = await Promise.all([
  findPython('openfeature-ofrep-0.3.0', PYTHON, 'openfeature.contrib.provider.ofrep'),
  findJars(),
]);
const { service, url } = await startListening();
const org = await createTestOrg(service);
const asked = await randomCases(service, org, {
  ...{ flags: FLAGS, people: PEOPLE_PER_FLAG, seed: SEED },
});

const source = (name: string) => join(import.meta.dir, '../../support/flags', name);
const folder = mkdtempSync(join(tmpdir(), 'cases-'));

async function evaluated(command: string[], { flagKey, cases }: Asked): Promise<unknown[]> {
  const file = join(folder, 'cases.json');
  await Bun.write(file, JSON.stringify({ url, flagKey, cases }));
  const child = Bun.spawn(command, {
    env: { ...process.env, CASES: file },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${err.slice(-6_000)}\n${out.slice(-2_000)}`);
  return JSON.parse(out.trim().split('\n').at(-1) ?? '');
}

const title = `evaluates ${FLAGS} random flags as a plain reckoning does (seed ${SEED})`;

describeWhere(python !== null, 'needs python3 with venv, and PyPI')('the provider of PyPI', () => {
  test(title, async () => {
    for (const one of asked) {
      const found = await evaluated([python ?? '', source('ofrep_provider.py')], one);
      expect(wrongOnes(one, found)).toEqual([]);
    }
  });
});

describeWhere(jars !== null, 'needs a JDK, curl and Maven Central')('the provider of Maven', () => {
  test(title, async () => {
    const command = ['java', '-cp', (jars ?? []).join(':'), source('OfrepProviderCases.java')];
    for (const one of asked) {
      expect(wrongOnes(one, await evaluated(command, one))).toEqual([]);
    }
  });
});
