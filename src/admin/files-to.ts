import { Type } from '@sinclair/typebox';

/** Destination of bucket event files in manual backups. */
export const FilesTo = Type.Optional(
  Type.String({
    description:
      'With events in a bucket: copy their files here (s3://… or file:///…), not into DIR',
  }),
);
