import { type Db, done } from './postgres.ts';

export const deleteOldRows = (db: Db, table: string, keepDays: number, column = 'created_at') =>
  done(db`
    DELETE FROM ${db(table)} WHERE ${db(column)} < now() - make_interval(days => ${keepDays})`);
