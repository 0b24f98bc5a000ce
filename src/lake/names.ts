/** Outside of the sweep of event files. */
export const LAKE_OBJECTS = 'lake/';
export const CATALOG = 'lake';
export const NAMESPACE = 'main';

const folder = (table: string) => `${LAKE_OBJECTS}${table}`;
const unique = () => Bun.randomUUIDv7();

export const metadataName = (table: string, version: number) =>
  `${folder(table)}/metadata/${String(version).padStart(5, '0')}-${unique()}.metadata.json`;
export const manifestListName = (table: string, snapshotId: number) =>
  `${folder(table)}/metadata/snap-${snapshotId}-${unique()}.avro`;
export const manifestName = (table: string) => `${folder(table)}/metadata/${unique()}.avro`;
export const dataName = (table: string) => `${folder(table)}/data/${unique()}.parquet`;

export function baseUri(eventsUrl: string): string {
  return eventsUrl.replace(/\/+$/, '');
}

export const objectUri = (base: string, key: string) => `${base}/${key}`;
