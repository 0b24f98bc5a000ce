import type { EventSelection } from '../../../clients/api/src/index.ts';
import { asking } from '../texts/asking.ts';
import { questions as t } from '../texts/questions.ts';
import { type Ask, bysOf, fieldOf, type Measure } from './ask.ts';
import { fieldWord, saidWords } from './condition-words.ts';
import { isGroup, type Said, SEGMENT, whereOf } from './conditions.ts';

const oneWords = (said: Said): string =>
  said.field === SEGMENT ? saidWords(said) : `${fieldWord(said.field)} ${saidWords(said)}`;

export function selectionWords({ events = [], where }: EventSelection): string {
  const names = events.join(` ${asking.or} `);
  const { word, parts } = whereOf(where);
  if (parts.length === 0) return names || asking.anything;
  const said = parts.map((part) =>
    isGroup(part)
      ? `(${part.said.map(oneWords).join(` ${asking.joined[part.word]} `)})`
      : oneWords(part),
  );
  const conditions = said.join(` ${asking.joined[word]} `);
  if (!names) return conditions;
  return `${names} ${asking.where} ${parts.length > 1 ? `(${conditions})` : conditions}`;
}

export function measureWords(measure: Measure): string {
  if (measure.of !== 'property') return t.measures[measure.of];
  const { statistic, property, per } = measure;
  return `${t.statistics[statistic]} ${t.of} ${property}${per === 'person' ? ` ${t.pers.person}` : ''}`;
}

export function askWords(ask: Ask): string {
  const list = (selections: readonly EventSelection[], between: string) =>
    selections.map(selectionWords).join(between);
  const by = (what: string, fields: readonly string[]) =>
    fields.length > 0 ? t.by(what, fields.map(fieldWord).join(` ${asking.and} `)) : what;
  switch (ask.kind) {
    case 'trend':
      return by(
        t.that(measureWords(ask.measure), list(ask.series, ', ')),
        bysOf(ask.breakdown).map(fieldOf),
      );
    case 'funnel':
      return by(
        t.that(t.kinds.funnel, list(ask.steps, t.onward)),
        ask.breakdown ? [fieldOf(ask.breakdown)] : [],
      );
    case 'retention':
      return by(
        t.that(t.kinds.retention, list([...ask.starts, ask.return], t.onward)),
        ask.breakdown ? [fieldOf(ask.breakdown)] : [],
      );
    case 'lifecycle':
      return by(
        t.that(t.kinds.lifecycle, selectionWords(ask.selection)),
        ask.breakdown ? [fieldOf(ask.breakdown)] : [],
      );
    case 'paths':
      return t.that(`${t.whatComes} ${t.directions[ask.direction]}`, selectionWords(ask.selection));
  }
}
