import { type Static, Type } from '@sinclair/typebox';
import { parser } from '../../shared/schema.ts';
import type { TableDefinition } from '../format/types.ts';
import type { OwnTable } from './own-table.ts';
import { newAliases, peopleState } from './rows-queries.ts';

/** Files above which the table is rewritten. */
const MOST_FILES = 24;

const PEOPLE: TableDefinition = {
  name: 'people',
  doc: 'Which user an anonymous id means; the first alias of an id stays',
  fields: [
    { id: 1, name: 'app_id', type: 'string' },
    { id: 2, name: 'anonymous_id', type: 'string' },
    { id: 3, name: 'user_id', type: 'string' },
    { id: 4, name: 'mapped_at', type: 'timestamptz' },
  ],
  specs: [{ id: 0, fields: [] }],
  sortedBy: [1, 2],
};

const Source = Type.Object({
  seq: Type.Integer(),
  aliases: Type.Integer(),
  erasures: Type.String(),
});
type Source = Static<typeof Source>;
const source = parser(Source, 'what the people of the lake were made of');

/** Erasures, app deletions and undone imports rewrite everything. */
export const people: OwnTable = {
  table: PEOPLE,
  refresh: async (tx, published) => {
    const now: Source = await peopleState(tx);
    const last = published && source.parse(JSON.parse(published.source));
    const text = JSON.stringify(now);
    if (last && last.erasures === now.erasures && published.files < MOST_FILES) {
      if (last.aliases === now.aliases) return null;
      return { source: text, rows: newAliases(tx, last.seq), replaces: false };
    }
    return { source: text, rows: newAliases(tx, -1), replaces: true };
  },
};
