import { BatchContext, EventInput } from '../model.ts';
import {
  type Fields,
  toFields,
  type ImportedEvent,
  idOfContent,
  toRecord,
  toText,
} from './event.ts';

const CONTEXT_FIELDS = Object.keys(BatchContext.properties);
const EVENT_FIELDS = Object.keys(EventInput.properties);
export const OWN_COLUMNS = new Set([...EVENT_FIELDS, ...CONTEXT_FIELDS]);

function pick(sent: Fields, names: readonly string[]): Fields {
  const entries = names.map((name) => [name, sent[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

/** Unchanged, for the same rejections as the route's. */
function toImported(sent: Fields, outer: Fields): ImportedEvent {
  const fields = pick(sent, EVENT_FIELDS);
  const context = { ...outer, ...pick(sent, CONTEXT_FIELDS), ...toRecord(sent.context) };
  return {
    event: { id: idOfContent([fields, context]), ...fields },
    context: pick(context, CONTEXT_FIELDS),
    sentName: toText(sent.name) ?? '',
  };
}

/** A batch as of the route, or an event with its context beside or within. */
export function own(line: Fields): ImportedEvent[] {
  if (!Array.isArray(line.events)) return [toImported(line, {})];
  const context = toRecord(line.context);
  return line.events.map((event: unknown) => toImported(toFields(event), context));
}
