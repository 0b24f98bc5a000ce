import { createHash } from 'node:crypto';
import { Elysia } from 'elysia';
import { mavenRepository } from '../../clients/maven.ts';
import { bundle, CLIENT_NAMES, type ClientName, type Packed, pack } from '../../clients/pack.ts';
import { AppError } from '../shared/errors.ts';
import { access } from './route.ts';

type Served = { body: string | Uint8Array<ArrayBuffer>; etag: string };

const served = (body: Served['body']): Served => ({
  body,
  etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
});

/** For pages of any origin; updates arrive within the hour. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

const PACKAGE_HEADERS = {
  'content-type': 'application/gzip',
  'x-content-type-options': 'nosniff',
};

const MAVEN_TYPES: Record<string, string> = {
  jar: 'application/java-archive',
  pom: 'text/xml; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
};

/** The extension of a checksum says nothing about its file. */
const mavenHeaders = (path: string) => ({
  'content-type': MAVEN_TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8',
  'cache-control': path.includes('/maven-metadata.xml')
    ? 'no-cache'
    : 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
});

/** Caches and proxies may weaken the ETag. */
const isKnown = (etag: string, sent: string | undefined): boolean =>
  sent?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false;

function answerWith({ body, etag }: Served, sent: string | undefined, headers: object): Response {
  const answer = { headers: { ...headers, etag } };
  return isKnown(etag, sent)
    ? new Response(null, { ...answer, status: 304 })
    : new Response(body, answer);
}

/** Memoizes, except failures. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((thrown: unknown) => {
      made = null;
      throw thrown;
    });
    return made;
  };
}

type Package = Packed & { served: Served };

async function packed(client: ClientName): Promise<Package> {
  const made = await pack(client);
  return { ...made, served: served(made.bytes) };
}

/** The Maven repository of the clients in Kotlin; a version never has other bytes. */
function mavenRoutes() {
  const files = once(
    async () => new Map([...mavenRepository()].map(([path, bytes]) => [path, served(bytes)])),
  );
  return new Elysia({ detail: { hide: true } }).use(access).get(
    '/clients/maven/*',
    async ({ params, headers }) => {
      const path = params['*'];
      const file = (await files()).get(path);
      if (file) return answerWith(file, headers['if-none-match'], mavenHeaders(path));
      throw new AppError('not_found', 'There is no such file in this Maven repository.', {
        hint: 'It has the version of this release only, named in /clients/maven/controlplane/control-plane-events/maven-metadata.xml; take that version, or keep the jars of an earlier one in a repository of your own.',
      });
    },
    { open: { errors: ['not_found'] } },
  );
}

/** `/client.js` for script tags, npm packages also under content-addressed names. */
export function clientRoutes() {
  const script = once(async () => served(await bundle('web', 'script.ts', 'iife')));
  const packages = CLIENT_NAMES.map((name) => ({ name, made: once(() => packed(name)) }));
  return new Elysia({ detail: { hide: true } })
    .use(access)
    .use(mavenRoutes())
    .get(
      '/client.js',
      async ({ headers }) => answerWith(await script(), headers['if-none-match'], SCRIPT_HEADERS),
      { open: true },
    )
    .get(
      '/clients/:file',
      async ({ params, headers }) => {
        for (const { name, made } of packages) {
          const { fileName, served } = await made();
          const isNewest = params.file === `${name}.tgz`;
          if (!isNewest && params.file !== fileName) continue;
          return answerWith(served, headers['if-none-match'], {
            ...PACKAGE_HEADERS,
            'content-location': `/clients/${fileName}`,
            'cache-control': isNewest ? 'no-cache' : 'public, max-age=31536000, immutable',
          });
        }
        throw new AppError('not_found', 'There is no such package.', {
          hint: 'The clients of this release are at /clients/web.tgz and /clients/api.tgz; packages of earlier releases are not kept.',
        });
      },
      { open: { errors: ['not_found'] } },
    );
}
