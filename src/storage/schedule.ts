import { type Db, hasRows } from './postgres.ts';

/** One caller over all hosts per interval. */
export const takeTurn = (db: Db, name: string, everyMinutes: number) =>
  hasRows(db`
    INSERT INTO schedule_turns (name, taken_at) VALUES (${name}, now())
    ON CONFLICT (name) DO UPDATE SET taken_at = now()
    WHERE schedule_turns.taken_at <= now() - make_interval(mins => ${everyMinutes})
    RETURNING name`);
