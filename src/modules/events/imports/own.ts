import { BatchContext, EventInput } from '../model.ts';
import {
  type Fields,
  fieldsParser,
  type ImportedEvent,
  idOfContent,
  recordOf,
  textOf,
} from './event.ts';

const CONTEXT_FIELDS = Object.keys(BatchContext.properties);
const EVENT_FIELDS = Object.keys(EventInput.properties);

function pick(sent: Fields, names: readonly string[]): Fields {
  const entries = names.map((name) => [name, sent[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

/** Unchanged, for the same rejections as the route's. */
function importedOf(sent: Fields, outer: Fields): ImportedEvent {
  const fields = pick(sent, EVENT_FIELDS);
  const context = { ...outer, ...pick(sent, CONTEXT_FIELDS), ...recordOf(sent.context) };
  return {
    event: { id: idOfContent([fields, context]), ...fields },
    context: pick(context, CONTEXT_FIELDS),
    sentName: textOf(sent.name) ?? '',
  };
}

/** A batch as of the route, or an event with its context beside or within. */
export function own(line: Fields): ImportedEvent[] {
  if (!Array.isArray(line.events)) return [importedOf(line, {})];
  const context = recordOf(line.context);
  return line.events.map((event: unknown) => importedOf(fieldsParser.parse(event), context));
}
