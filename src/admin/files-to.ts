import { Type } from '@sinclair/typebox';

export const FilesTo = Type.Optional(
  Type.String({
    description:
      'With events in a bucket: copy their files here (s3://… or file:///…), not into DIR',
  }),
);
