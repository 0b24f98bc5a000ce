import { LAKE_TOKEN } from './serve.ts';

/** Properties of a catalogue of Trino that finds the tables over HTTP. */
export const overHttp = (uri: string): Record<string, string> => ({
  'iceberg.catalog.type': 'rest',
  'iceberg.rest-catalog.uri': uri,
  'iceberg.rest-catalog.security': 'OAUTH2',
  'iceberg.rest-catalog.oauth2.token': LAKE_TOKEN,
});

/** And of one that finds them in PostgreSQL. */
export function overPostgres(databaseUrl: string, warehouse: string): Record<string, string> {
  const url = new URL(databaseUrl);
  return {
    'iceberg.catalog.type': 'jdbc',
    'iceberg.jdbc-catalog.driver-class': 'org.postgresql.Driver',
    'iceberg.jdbc-catalog.connection-url': `jdbc:postgresql://${url.host}${url.pathname}`,
    'iceberg.jdbc-catalog.connection-user': decodeURIComponent(url.username),
    ...(url.password !== '' && {
      'iceberg.jdbc-catalog.connection-password': decodeURIComponent(url.password),
    }),
    'iceberg.jdbc-catalog.catalog-name': 'lake',
    'iceberg.jdbc-catalog.default-warehouse-dir': warehouse,
  };
}

/** The files where the service keeps them without a bucket. */
export const LOCAL_FILES = { 'fs.hadoop.enabled': 'true' };

/** A bucket at an address of its own, its name in the path. */
export const inBucket = (s3: {
  endpoint: string;
  region: string;
  accessKey: string;
  secretKey: string;
}): Record<string, string> => ({
  'fs.native-s3.enabled': 'true',
  's3.endpoint': s3.endpoint,
  's3.region': s3.region,
  's3.path-style-access': 'true',
  's3.aws-access-key': s3.accessKey,
  's3.aws-secret-key': s3.secretKey,
});
