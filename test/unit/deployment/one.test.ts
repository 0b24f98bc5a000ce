import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { copiedFiles } from '../../../scripts/one/app.ts';
import { readElf } from '../../../scripts/one/elf.ts';
import { loadConfig } from '../../../src/config.ts';
import { readInstructions } from '../../support/image.ts';
import { ROOT } from '../../support/sources.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const COMPOSE = {
  one: 'deploy/one/compose.yaml',
  coolify: 'deploy/coolify/control-plane.yaml',
  dokploy: 'deploy/dokploy/docker-compose.yml',
};
const composeOf = (path: string) => Bun.YAML.parse(read(path)) as any;

describe('the Dockerfile of the one container', () => {
  const instructions = readInstructions(read('deploy/one/Dockerfile'));
  const restOf = (name: string) =>
    instructions.filter((one) => one.name === name).map(({ rest }) => rest);

  test('runs the script, on the Bun of this project, and nothing of a base stays', () => {
    const version = read('.bun-version').trim();
    expect(restOf('FROM')).toEqual([`oven/bun:${version}-slim AS assembled`, 'scratch']);
    expect(restOf('RUN')[0]).toBe('bun scripts/one-root.ts /assembled');
    expect(existsSync(join(ROOT, 'scripts/one-root.ts'))).toBe(true);
  });

  test('is an ordinary account that starts the supervisor with servers of its own', () => {
    const env = Object.fromEntries(
      restOf('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('='))),
    );
    const config = loadConfig(env);
    expect(config).toMatchObject({ dataDir: '/data', port: 3_000, host: '0.0.0.0' });
    expect([config.databaseUrl, config.temporal.address]).toEqual([undefined, undefined]);
    expect(restOf('USER')).toEqual(['1000:1000']);
    expect(restOf('VOLUME')).toEqual(['/data']);
    expect(restOf('CMD')).toEqual(['["bun", "src/main.ts"]']);
  });

  test('has the files of the image for several hosts', () => {
    const copied = copiedFiles(read('Dockerfile'));
    expect(copied.length).toBeGreaterThan(10);
    for (const [from] of copied) expect([from, existsSync(join(ROOT, from))]).toEqual([from, true]);
    expect(copied).toContainEqual(['src', 'src']);
    expect(copied).toContainEqual(['package.json', 'package.json']);
  });
});

test('the reader of programs knows this one', () => {
  const program = readElf(readFileSync(process.execPath));
  expect(program?.machine).toBe(process.arch === 'arm64' ? 183 : 62);
  expect(program?.needed).toContain('libc.so.6');
  expect(readElf(Buffer.from('#!/bin/sh\n'.padEnd(100)))).toBeNull();
});

describe('compose and templates', () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(JSON.parse(read('test/fixtures/kubernetes/compose.json')));

  test.each(Object.values(COMPOSE))('%s is one confined container with one volume', (path) => {
    const compose = composeOf(path);
    expect([validate(compose), validate.errors]).toEqual([true, null]);
    expect(Object.keys(compose.services)).toEqual(['control-plane']);
    expect(compose.services['control-plane']).toMatchObject({
      image: expect.stringMatching(/^\$\{IMAGE/),
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
      shm_size: '256mb',
      stop_grace_period: '20s',
      volumes: ['data:/data'],
    });
    expect(Object.keys(compose.volumes)).toEqual(['data']);
  });

  test('the build file beside it builds the one container', () => {
    const path = 'deploy/one/compose.build.yaml';
    const compose = composeOf(path);
    expect([validate(compose), validate.errors]).toEqual([true, null]);
    const { build } = compose.services['control-plane'];
    expect(existsSync(join(ROOT, build.dockerfile))).toBe(true);
    expect(join(ROOT, 'deploy/one', build.context)).toBe(join(ROOT, '.'));
  });

  test("Coolify's names the port and takes the address from its domain", () => {
    const text = read(COMPOSE.coolify);
    for (const name of ['documentation', 'slogan', 'category', 'tags']) {
      expect(text).toMatch(new RegExp(`^# ${name}: \\S`, 'm'));
    }
    expect(text).toContain('\n# port: 3000\n');
    expect(composeOf(COMPOSE.coolify).services['control-plane'].environment).toEqual([
      'SERVICE_URL_CONTROLPLANE_3000',
      'PUBLIC_URL=$SERVICE_URL_CONTROLPLANE',
      'TRUST_PROXY=1',
    ]);
  });

  test("Dokploy's gives the service its domain, and every variable that is asked for", () => {
    const { variables, config } = Bun.TOML.parse(read('deploy/dokploy/template.toml')) as any;
    expect(config.domains).toEqual([
      { serviceName: 'control-plane', port: 3_000, host: expect.stringContaining('main_domain') },
    ]);
    const asked = [...read(COMPOSE.dokploy).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? '');
    expect(new Set(asked)).toEqual(new Set(Object.keys(config.env)));
    const used = [...JSON.stringify(config).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? '');
    expect(new Set(used)).toEqual(new Set(Object.keys(variables)));
  });
});

test('the release builds both images on both architectures, with provenance and a bill', () => {
  const { on, jobs } = Bun.YAML.parse(read('.github/workflows/release.yml')) as any;
  expect(on.push.tags).toEqual(['v*']);
  const { image, machine } = jobs.build.strategy.matrix;
  expect(image.map(({ file }: any) => file)).toEqual(['Dockerfile', 'deploy/one/Dockerfile']);
  for (const { file } of image) expect(existsSync(join(ROOT, file))).toBe(true);
  expect(machine.map(({ architecture }: any) => architecture)).toEqual(['amd64', 'arm64']);
  const build = jobs.build.steps.find(({ id }: any) => id === 'build');
  expect(build.with).toMatchObject({ provenance: 'mode=max', sbom: true });
  const names = (list: any[]) => list.map(({ name, suffix }) => ({ name, suffix }));
  expect(names(jobs.publish.strategy.matrix.image)).toEqual(names(image));
  expect(jobs.publish.permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' });
});
