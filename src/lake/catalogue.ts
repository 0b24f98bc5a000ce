import { type Static, Type } from '@sinclair/typebox';
import type { Deps } from '../context.ts';
import { notFound } from '../shared/errors.ts';
import { parser } from '../shared/schema.ts';
import { MINUTE_MS, toIso } from '../shared/time.ts';
import { NAMESPACE, objectUri } from './names.ts';
import { publishedAt, selectTables } from './queries.ts';

/** First runs and months of sales take minutes. */
const LATE_AFTER_MS = 10 * MINUTE_MS;

export async function lakeStand({
  clock,
  config,
  sql,
}: Pick<Deps, 'clock' | 'config' | 'sql'>): Promise<{ good: boolean; detail: string } | null> {
  if (!config.lake.isOn) return null;
  const at = await publishedAt(sql);
  if (at === null) return { good: true, detail: 'The first publication is under way.' };
  const good = clock().getTime() - at.getTime() < LATE_AFTER_MS;
  const last = `The lake was last published at ${toIso(at)}`;
  return { good, detail: good ? `${last}.` : `${last}: the log of the worker says why.` };
}

const namespace = [NAMESPACE];

export function checkNamespace(name: string): void {
  if (name !== NAMESPACE) throw notFound();
}

export function lakeConfig({ config }: Pick<Deps, 'config'>) {
  const { url, s3 } = config.events;
  const place = {
    's3.region': s3.region,
    'client.region': s3.region,
    ...(s3.endpoint && { 's3.endpoint': s3.endpoint }),
  };
  const tables = '/v1/{prefix}/namespaces/{namespace}';
  return {
    defaults: url.startsWith('s3:') ? place : {},
    overrides: {},
    endpoints: [
      'GET /v1/{prefix}/namespaces',
      ...['GET', 'HEAD'].flatMap((method) => [
        `${method} ${tables}`,
        `${method} ${tables}/tables/{table}`,
      ]),
      `GET ${tables}/tables`,
    ],
  };
}

export const lakeNamespaces = () => ({ namespaces: [namespace] });
export const lakeNamespace = () => ({ namespace, properties: {} });

export async function lakeTables({ sql }: Pick<Deps, 'sql'>) {
  const tables = await selectTables(sql);
  return { identifiers: tables.map(({ name }) => ({ namespace, name })) };
}

const Metadata = Type.Record(Type.String(), Type.Unknown());
const metadata = parser(Metadata, 'metadata of a lake table');

export type LoadedTable = {
  'metadata-location': string;
  metadata: Static<typeof Metadata>;
  config: Record<string, string>;
};

export async function lakeTable(
  { sql, objects }: Pick<Deps, 'sql' | 'objects'>,
  name: string,
): Promise<LoadedTable> {
  const table = (await selectTables(sql)).find((each) => each.name === name);
  const bytes = table && (await objects.getBytes(table.metadata));
  if (!table || !bytes) throw notFound();
  return {
    'metadata-location': objectUri(table.baseUri, table.metadata),
    metadata: metadata.parse(JSON.parse(new TextDecoder().decode(bytes))),
    config: {},
  };
}
