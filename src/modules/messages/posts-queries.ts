import type { Static, TSchema } from '@sinclair/typebox';
import { parser } from '../../shared/schema.ts';
import { type Db, hasRows } from '../../storage/postgres.ts';
import type { ClaimTimes, PostState } from './posts.ts';

type PostTables<T extends TSchema> = {
  posts: string;
  source: string;
  id: string;
  content: string;
  schema: T;
};

type Place = { orgId: string; destinationId: string; id: string };

type Claimed<Content> = { content: Content; createdAt: Date; repeats: number };

export function postQueries<T extends TSchema>({
  posts,
  source,
  id,
  content,
  schema,
}: PostTables<T>) {
  const { parse } = parser(schema, `stored content of ${posts}`);
  return (db: Db, place: Place) => {
    const ofPost = () => db`
      p.org_id = ${place.orgId} AND p.${db(id)} = ${place.id}
      AND p.destination_id = ${place.destinationId}`;
    return {
      claim: async ({ at, staleBefore }: ClaimTimes): Promise<Claimed<Static<T>> | null> => {
        const [row] = await db<Claimed<unknown>[]>`
          UPDATE ${db(posts)} p SET state = 'posting', claimed_at = ${at},
            repeats = p.repeats + (p.state = 'posting')::int
          FROM ${db(source)} s
          WHERE ${ofPost()} AND s.org_id = p.org_id AND s.${db(id)} = p.${db(id)}
            AND (p.state = 'pending' OR p.state = 'posting' AND p.claimed_at < ${staleBefore})
          RETURNING s.${db(content)} AS content, s.created_at AS "createdAt", p.repeats`;
        return row ? { ...row, content: parse(row.content) } : null;
      },

      isBeingPosted: async (): Promise<boolean> => {
        return hasRows(db`
          SELECT 1 FROM ${db(posts)} p
          WHERE ${ofPost()} AND p.state = 'posting' AND p.claimed_at IS NOT NULL`);
      },

      settle: async ({ state, error, repeats }: PostState): Promise<void> => {
        await db`
          UPDATE ${db(posts)} p SET state = ${state}, error = ${error}, repeats = ${repeats}
          WHERE ${ofPost()}`;
      },
    };
  };
}
