import { FILTER_FIELDS, type FilterField } from '../../shared/event-fields.ts';
import { valueLabel } from './sent-values.ts';

type Context = Readonly<Partial<Record<FilterField, string | null>>>;

export const contextWords = (event: Context, fields: readonly FilterField[] = FILTER_FIELDS) =>
  fields.flatMap((field) => {
    const value = event[field];
    if (!value) return [];
    return field === 'country' ? value : valueLabel(field, value);
  });
