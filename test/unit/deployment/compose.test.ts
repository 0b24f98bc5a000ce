import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { loadConfig } from '../../../src/config.ts';
import { NEEDS, partsOf } from '../../../src/observability/needs.ts';
import { ConfigError } from '../../../src/shared/env.ts';
import { SEARCH_ATTRIBUTE_NAMES } from '../../../src/temporal/contracts/search-attributes.ts';
import { PLACES } from '../../support/places.ts';
import { ROOT, readSources } from '../../support/sources.ts';

type Service = {
  image?: string;
  read_only?: boolean;
  mem_limit?: string;
  logging?: { driver: string; options: Record<string, string> };
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  privileged?: boolean;
  user?: string;
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
};

const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const compose = Bun.YAML.parse(text) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

const SETTINGS = {
  POSTGRES_PASSWORD: 'password',
  AUTH_SECRET: 'a'.repeat(40),
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
};

/** `${NAME:-default}`, `${NAME:+given}` and `${NAME:?message}` as Compose fills them in. */
function fillIn(value: string, given: Record<string, string> = SETTINGS): string {
  const INNERMOST = /\$\{(\w+)(?::([-?+])([^${}]*))?\}/;
  let text = value;
  for (let found = INNERMOST.exec(text); found; found = INNERMOST.exec(text)) {
    const [whole, name = '', sign, rest = ''] = found;
    const set = given[name] ?? '';
    const filled = sign === '+' ? (set === '' ? '' : rest) : set || (sign === '-' ? rest : '');
    text = text.replace(whole, () => filled);
  }
  return text;
}

function environmentOf(name: string, more: Record<string, string> = {}): Record<string, string> {
  const given = compose.services[name]?.environment ?? {};
  const settings = { ...SETTINGS, ...more };
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, fillIn(value, settings)]),
  );
}

describe('docker-compose.yml', () => {
  test('everything that must last has a named volume', () => {
    expect(Object.keys(compose.volumes).toSorted()).toEqual(['caddy', 'data', 'postgres']);
    expect(compose.services.postgres?.volumes).toEqual(['postgres:/var/lib/postgresql']);
    expect(compose.services.worker?.volumes).toEqual(['data:/data']);
    expect(compose.services.api?.volumes?.[0]).toBe('data:/data');
  });

  test('a table of countries is a file of the host, which the API alone may read', () => {
    const mounted = (more = {}) =>
      compose.services.api?.volumes?.slice(1).map((each) => fillIn(each, more));
    const table = (more = {}) => {
      const load = (name: string) =>
        loadConfig({ ...environmentOf(name, more), DATA_DIR: '/data' });
      return [load('api').countryTable, load('worker').countryTable];
    };
    expect(mounted()).toEqual(['/dev/null:/countries.mmdb:ro']);
    expect(table()).toEqual([undefined, undefined]);
    const settings = { COUNTRY_TABLE: './of-the-host.mmdb' };
    expect(mounted(settings)).toEqual(['./of-the-host.mmdb:/countries.mmdb:ro']);
    expect(table(settings)).toEqual(['/countries.mmdb', undefined]);
  });

  test('the log of each container is rotated, and its memory has a limit', () => {
    for (const [name, { mem_limit, logging }] of Object.entries(compose.services)) {
      expect([name, logging?.options]).toEqual([name, { 'max-size': '50m', 'max-file': '5' }]);
      expect([name, fillIn(mem_limit ?? '')]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
    }
  });

  test('every image is pinned to a version', () => {
    const images = Object.values(compose.services).flatMap(({ image }) => image ?? []);
    for (const image of images.filter((each) => each !== 'mobile-control-plane')) {
      expect(image).toMatch(/:\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/);
    }
  });

  test('no container gains a privilege, and ours keep none and write into /data and /tmp only', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      const { cap_drop, security_opt, privileged, user } = service;
      expect({ name, cap_drop, security_opt, privileged, user }).toEqual({
        name,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        privileged: undefined,
        user: undefined,
      });
      // PostgreSQL takes its data folder over and goes on as an ordinary account.
      if (name === 'postgres') continue;
      const isCaddy = ['caddy', 'temporal-ui-proxy'].includes(name);
      const added = isCaddy ? ['NET_BIND_SERVICE'] : undefined;
      expect([name, service.cap_add]).toEqual([name, added]);
    }
    for (const name of ['api', 'worker']) {
      expect(compose.services[name]).toMatchObject({ read_only: true, tmpfs: ['/tmp'] });
    }
    expect(dockerfile).toContain('\nUSER bun\n');
  });

  test('the Temporal UI is reached through a proxy that answers to loopback names', () => {
    expect(compose.services['temporal-ui']?.ports).toBeUndefined();
    const { ports = [], ...proxy } = compose.services['temporal-ui-proxy'] ?? {};
    expect(ports.map((port) => fillIn(port))).toEqual(['127.0.0.1:8233:8080']);
    const command = JSON.stringify(proxy);
    expect(command).toContain('@foreign not host localhost 127.0.0.1');
    expect(command).toContain('respond @foreign');
  });

  test('no secret stands in the file, and each one that is missing is asked for', () => {
    for (const name of Object.keys(SETTINGS)) {
      const uses = [...text.matchAll(new RegExp(`\\$\\{${name}([^}]*)\\}`, 'g'))];
      expect(uses.length).toBeGreaterThan(0);
      for (const [, rest] of uses) expect(rest).toStartWith(':?');
    }
  });

  test('a DOMAIN brings https in front: the service knows its address and the one proxy', () => {
    const { caddy } = compose.services;
    expect(caddy).toMatchObject({ profiles: ['tls'], volumes: ['caddy:/data'], read_only: true });
    expect(caddy?.ports).toContain('443:443');
    for (const name of ['api', 'worker']) {
      const load = (more = {}) => loadConfig({ ...environmentOf(name, more), DATA_DIR: '/data' });
      expect(load()).toMatchObject({ publicUrl: 'http://localhost:3000', trustProxy: 0 });
      expect(load({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
      const settings = { DOMAIN: 'app.example.com', PORT: '127.0.0.1:3000' };
      expect(load(settings)).toMatchObject({ publicUrl: 'https://app.example.com', trustProxy: 1 });
      const own = { PUBLIC_URL: 'https://own.example', TRUST_PROXY: '2' };
      expect(load(own)).toMatchObject({ publicUrl: 'https://own.example', trustProxy: 2 });
    }
    const from = String(Reflect.get(caddy ?? {}, 'command'));
    expect(fillIn(from, { DOMAIN: 'app.example.com' })).toBe(
      'caddy,reverse-proxy,--from,app.example.com,--to,api:3000',
    );
  });

  test('the configuration of each process is one that it accepts', () => {
    const api = loadConfig({ ...environmentOf('api'), DATA_DIR: '/data' });
    const worker = loadConfig({ ...environmentOf('worker'), DATA_DIR: '/data' });
    for (const config of [api, worker]) {
      expect(config.databaseUrl).toContain('@postgres:5432/');
      expect(config.temporal.address).toBe('temporal:7233');
      expect(config.secretsKeys).toHaveLength(1);
    }
    expect(() => loadConfig({ ...environmentOf('api'), SECRETS_KEY: 'short' })).toThrow(
      ConfigError,
    );
  });

  test('each kind of work is done, with what it needs on the volume that both share', () => {
    const configs = ['api', 'worker'].map((name) => {
      expect(compose.services[name]?.volumes?.[0] ?? 'data:/data').toBe('data:/data');
      return loadConfig({ ...environmentOf(name), DATA_DIR: '/data' });
    });
    const parts = configs.flatMap(partsOf);
    expect(new Set<string>(parts)).toEqual(new Set(Object.keys(NEEDS)));
    const roles = new Set(configs.flatMap((config) => config.roles));
    const needed = parts.flatMap((part) => Object.keys(NEEDS[part].beside));
    expect(needed.filter((role) => ![...roles].some((own) => own === role))).toEqual([]);
  });

  test('nothing starts before what it needs is healthy or done', () => {
    for (const [name, { depends_on = {} }] of Object.entries(compose.services)) {
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        expect([name, needed, Object.keys(compose.services).includes(needed)]).toEqual([
          name,
          needed,
          true,
        ]);
        expect(condition).toMatch(/^service_(healthy|completed_successfully)$/);
      }
    }
  });

  test('the search attributes are those that runs are started with', () => {
    const command = JSON.stringify(compose.services['temporal-namespace']);
    expect(command).toContain(`for name in ${Object.values(SEARCH_ATTRIBUTE_NAMES).join(' ')}; do`);
  });

  test('only the API, and https in front of it, is open to other machines', () => {
    const open = Object.entries(compose.services)
      .filter(([, { ports = [] }]) => ports.some((port) => !port.startsWith('127.0.0.1:')))
      .map(([name]) => name);
    expect(open).toEqual(['api', 'caddy']);
  });

  test('is what the Compose Specification takes', () => {
    const schema = JSON.parse(
      readFileSync(join(ROOT, 'test/fixtures/kubernetes/compose.json'), 'utf8'),
    );
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats(ajv);
    const validate = ajv.compile(schema);
    expect([validate(compose), validate.errors]).toEqual([true, null]);
    const wrong = { ...compose, services: { api: { image: 'x', restrat: 'always' } } };
    expect(validate(wrong)).toBe(false);
  });

  const compose2 = Bun.spawnSync(['sh', '-c', 'docker compose version'], { stderr: 'ignore' });
  const canCheck = compose2.exitCode === 0;
  if (!canCheck) console.log('not run: docker compose config (no Compose plugin on this machine)');
  test.skipIf(!canCheck)('Compose itself accepts it', () => {
    const check = Bun.spawnSync(['docker', 'compose', 'config', '--quiet'], {
      cwd: ROOT,
      env: { ...PLACES, ...SETTINGS },
    });
    expect({ code: check.exitCode, errors: check.stderr.toString() }).toEqual({
      code: 0,
      errors: '',
    });
  });
});

describe('Dockerfile', () => {
  test('is on a glibc image of the pinned Bun', () => {
    const version = readFileSync(join(ROOT, '.bun-version'), 'utf8').trim();
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map((found) => found[1]);
    expect(new Set(images)).toEqual(new Set([`oven/bun:${version}-slim`]));
  });

  test('copies what is there, runs as an ordinary user, and starts the supervisor', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((found) =>
      (found[1] ?? '').split(' '),
    );
    for (const path of copied) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
    for (const path of copied) expect(ignored).not.toContain(path.split('/')[0] ?? '');
    expect(copied).toContain('patches');
    expect(dockerfile).toContain('\nUSER bun\n');
    expect(dockerfile).toContain('CMD ["bun", "src/main.ts"]');
  });

  test('has whatever the service and the commands of an operator import', () => {
    const inImage = (path: string) =>
      /^((scripts|src|workflows|activities)\/|clients\/((pack|kotlin|maven|zip)\.ts$|api\/src\/))/.test(
        path,
      );
    const sources = new Map(
      readSources('{scripts,src,workflows,activities,test,clients}/**/*.ts').map((one) => [
        one.path,
        one,
      ]),
    );
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    const packageOf = (target: string) =>
      target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
    const seen = new Set([
      'src/main.ts',
      'scripts/demo.ts',
      'scripts/doctor.ts',
      'src/admin/main.ts',
      'src/admin/analyst/main.ts',
    ]);
    const missing: string[] = [];
    for (const path of seen) {
      const { imports = [] } = sources.get(path) ?? {};
      for (const { target } of imports.filter(({ typeOnly }) => !typeOnly)) {
        if (sources.has(target)) seen.add(target);
        if (inImage(target) || /^(node:|bun(:|$))/.test(target) || target.endsWith('.json'))
          continue;
        if (!Object.hasOwn(dependencies, packageOf(target))) missing.push(`${path}: ${target}`);
      }
    }
    expect(seen.size).toBeGreaterThan(200);
    expect(missing).toEqual([]);
  });
});
