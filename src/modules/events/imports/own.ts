import { BatchContext, EventInput } from '../model.ts';
import * as imported from './event.ts';

const CONTEXT_FIELDS = Object.keys(BatchContext.properties);
const EVENT_FIELDS = Object.keys(EventInput.properties);
export const OWN_COLUMNS = new Set([...EVENT_FIELDS, ...CONTEXT_FIELDS]);

function pick(sent: imported.Fields, names: readonly string[]): imported.Fields {
  const entries = names.map((name) => [name, sent[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

/** Unchanged, for the same rejections as the route's. */
function toImported(sent: imported.Fields, outer: imported.Fields): imported.ImportedEvent {
  const fields = pick(sent, EVENT_FIELDS);
  const context = { ...outer, ...pick(sent, CONTEXT_FIELDS), ...imported.toRecord(sent.context) };
  return {
    event: { id: imported.idOfContent([fields, context]), ...fields },
    context: pick(context, CONTEXT_FIELDS),
    sentName: imported.toText(sent.name) ?? '',
  };
}

/** A batch as of the route, or an event with its context beside or within. */
export function own(line: imported.Fields): imported.ImportedEvent[] {
  if (!Array.isArray(line.events)) return [toImported(line, {})];
  const context = imported.toRecord(line.context);
  return line.events.map((event: unknown) => toImported(imported.toFields(event), context));
}
