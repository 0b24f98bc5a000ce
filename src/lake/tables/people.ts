import { type Static, Type } from '@sinclair/typebox';
import { parser } from '../../shared/schema.ts';
import type { TableDefinition } from '../format/types.ts';
import { type OwnTable, wholeTable } from './own-table.ts';
import * as rows from './rows-queries.ts';

const ERASURES: TableDefinition = {
  name: 'erasures',
  doc: 'Ids of erased people whose rows event files may still hold',
  fields: [
    { id: 1, name: 'app_id', type: 'string' },
    { id: 2, name: 'id', type: 'string' },
  ],
  specs: [{ id: 0, fields: [] }],
  sortedBy: [1, 2],
};

const DELETED_APPS: TableDefinition = {
  name: 'deleted_apps',
  doc: 'Deleted apps, of which files of many apps may still hold rows',
  fields: [
    { id: 1, name: 'app_id', type: 'string' },
    { id: 2, name: 'deleted_at', type: 'timestamptz' },
  ],
  specs: [{ id: 0, fields: [] }],
  sortedBy: [1],
};

export const erasures = wholeTable(ERASURES, rows.stateOfErasures, rows.pendingErasures);
export const deletedAppsTable = wholeTable(DELETED_APPS, rows.stateOfDeletedApps, rows.deletedApps);

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
    const now: Source = await rows.peopleState(tx);
    const last = published && source.parse(JSON.parse(published.source));
    const text = JSON.stringify(now);
    if (last && last.erasures === now.erasures && published.files < MOST_FILES) {
      if (last.aliases === now.aliases) return null;
      return { source: text, rows: rows.newAliases(tx, last.seq), replaces: false };
    }
    return { source: text, rows: rows.newAliases(tx, -1), replaces: true };
  },
};
