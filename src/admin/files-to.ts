import { Type } from '@sinclair/typebox';

/** Where the event files of a bucket go, of backups made by hand. */
export const FilesTo = Type.Optional(
  Type.String({
    description:
      'With events in a bucket: copy their files here (s3://… or file:///…), not into DIR',
  }),
);
