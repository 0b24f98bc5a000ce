import { Type } from '@sinclair/typebox';
import { parser } from '../../shared/schema.ts';

/** Google leaves out an empty `items`, and adds fields at any time. */
export const listAnswer = parser(
  Type.Object({
    items: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String({ minLength: 1, maxLength: 1_024 }),
          generation: Type.String({ pattern: '^[0-9]{1,20}$' }),
          updated: Type.String({ format: 'date-time' }),
        }),
        { maxItems: 1_000 },
      ),
    ),
    nextPageToken: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
  }),
  'list of a bucket',
);
export type ListAnswer = ReturnType<typeof listAnswer.parse>;
