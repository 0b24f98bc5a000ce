import {
  type Simulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  startSimulator,
} from '../kit/server.ts';
import { Grants } from '../kit/google-grants.ts';

export type ReportsSimulator = Simulator & {
  /** A service account whose public key Google knows. */
  addAccount(email: string, publicKeyPem: string): void;
  addBucket(bucket: string): void;
  /** A file as it is from now on, with a new generation. */
  write(bucket: string, name: string, bytes: Uint8Array | string, updatedAt: Date): void;
  remove(bucket: string, name: string): void;
  setPermission(has: boolean): void;
  setPageSize(files: number): void;
  expireTokens(): void;
  /** Names in the order of their downloads. */
  downloads: string[];
};

type Kept = { name: string; bytes: Uint8Array; generation: string; updated: string };

const SCOPES = new Set(['https://www.googleapis.com/auth/devstorage.read_only']);
const LIST_PARAMETERS = new Set(['prefix', 'maxResults', 'pageToken', 'fields']);
const GET_PARAMETERS = new Set(['alt', 'generation']);

const storageError = (status: number, reason: string, message: string): SimulatorAnswer => ({
  status,
  json: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } },
});

/** The JSON API of Cloud Storage, over the buckets of Play Console. */
export async function startPlayReports(now: () => Date): Promise<ReportsSimulator> {
  const grants = new Grants(SCOPES);
  const buckets = new Map<string, Map<string, Kept>>();
  const downloads: string[] = [];
  let hasPermission = true;
  let pageSize = 1_000;
  let generations = 1_700_000_000_000_000;

  function list(files: ReadonlyMap<string, Kept>, query: URLSearchParams): SimulatorAnswer {
    const prefix = query.get('prefix') ?? '';
    const names = [...files.keys()].filter((name) => name.startsWith(prefix)).toSorted();
    const from = Number(query.get('pageToken') ?? 0);
    const most = Math.min(pageSize, Number(query.get('maxResults') ?? 1_000));
    const items = names.slice(from, from + most).flatMap((name) => {
      const { bytes, ...kept } = files.get(name) ?? { bytes: null };
      return bytes ? [kept] : [];
    });
    const next = from + most;
    return {
      status: 200,
      json: {
        ...(items.length > 0 && { items }),
        ...(next < names.length && { nextPageToken: String(next) }),
      },
    };
  }

  function download(file: Kept | undefined, query: URLSearchParams): SimulatorAnswer {
    const asked = query.get('generation');
    if (!file || (asked !== null && asked !== file.generation)) {
      return storageError(404, 'notFound', 'No such object');
    }
    downloads.push(file.name);
    return {
      status: 200,
      bytes: file.bytes,
      headers: { 'content-type': 'application/octet-stream' },
    };
  }

  function unknownParameter(query: URLSearchParams, known: ReadonlySet<string>): string | null {
    return [...query.keys()].find((name) => !known.has(name)) ?? null;
  }

  function answer(
    { method, path, query }: SimulatorRequest,
    violate: (what: string) => SimulatorAnswer,
  ): SimulatorAnswer {
    const [, bucket = '', encoded] =
      /^\/storage\/v1\/b\/([^/]+)\/o(?:\/([^/]+))?$/.exec(path) ?? [];
    if (method !== 'GET' || bucket === '') return violate('no such method');
    const known = encoded === undefined ? LIST_PARAMETERS : GET_PARAMETERS;
    const unknown = unknownParameter(query, known);
    if (unknown !== null) return violate(`no parameter ${unknown}`);
    if (encoded !== undefined && query.get('alt') !== 'media')
      return violate('metadata is asked for');
    const files = buckets.get(decodeURIComponent(bucket));
    if (!files) return storageError(404, 'notFound', 'The specified bucket does not exist.');
    if (!hasPermission) {
      const right = encoded === undefined ? 'storage.objects.list' : 'storage.objects.get';
      return storageError(403, 'forbidden', `The account does not have ${right} access.`);
    }
    return encoded === undefined
      ? list(files, query)
      : download(files.get(decodeURIComponent(encoded)), query);
  }

  const simulator = await startSimulator((request, violate) => {
    if (request.method === 'POST' && request.path === '/token')
      return grants.grant(request.body, now().getTime() / 1_000);
    if (!grants.isGranted(request.headers.authorization, now().getTime() / 1_000)) {
      return storageError(401, 'required', 'Anonymous caller does not have access.');
    }
    return answer(request, violate);
  });

  return {
    ...simulator,
    downloads,
    addAccount: (email, pem) => grants.accounts.set(email, pem),
    addBucket: (bucket) => {
      if (!buckets.has(bucket)) buckets.set(bucket, new Map());
    },
    write: (bucket, name, content, updatedAt) => {
      const files = buckets.get(bucket) ?? new Map<string, Kept>();
      buckets.set(bucket, files);
      generations += 1;
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      const written = { generation: String(generations), updated: updatedAt.toISOString() };
      files.set(name, { name, bytes, ...written });
    },
    remove: (bucket, name) => buckets.get(bucket)?.delete(name),
    setPermission: (has) => {
      hasPermission = has;
    },
    setPageSize: (files) => {
      pageSize = files;
    },
    expireTokens: () => grants.expire(),
  };
}
