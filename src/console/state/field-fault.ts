import { FIELD_RULES, type FieldName, type FieldRule } from '../../shared/field-rules.ts';
import { form as t } from '../texts/form.ts';

export type Bounds = {
  label: string;
  type?: string | undefined;
  rule?: FieldName | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
  step?: number | 'any' | undefined;
};

const MAX_CHARACTERS = 254;
const ADDRESS = /^[^@\s]+@[^@\s]+$/;
const QUOTED = /^["'“”„«‹‘’](.+)["'“”»›‘’]$/;

function numberFault(text: string, { label, min, max, step = 1 }: Bounds): string {
  const value = Number(text);
  if (Number.isNaN(value)) return t.number(label);
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    return t.range(label, min, max);
  }
  return step === 1 && !Number.isInteger(value) ? t.whole(label) : '';
}

export function fieldFault(text: string, bounds: Bounds): string {
  const { label, type } = bounds;
  const rule: FieldRule | undefined = bounds.rule && FIELD_RULES[bounds.rule];
  const value = type === 'password' ? text : text.trim();
  if (value === '') return '';
  if (type === 'number') return numberFault(value, bounds);
  const { minLength = rule?.minLength ?? 0 } = bounds;
  const { maxLength = rule?.maxLength ?? MAX_CHARACTERS } = bounds;
  const { length } = [...value];
  if (length > maxLength) return t.long(label, length, maxLength);
  if (type === 'email' && !ADDRESS.test(value)) return t.address(label);
  const fits = (one: string) => !rule || new RegExp(rule.pattern).test(one);
  if (length >= minLength && fits(value)) return '';
  const [, inside] = QUOTED.exec(value) ?? [];
  if (inside !== undefined && rule && fits(inside)) return t.quoted(label);
  return rule ? t.rule(label, rule.rule) : t.short(label, minLength);
}

export function faultIn(
  { value, validity }: Pick<HTMLInputElement, 'validity' | 'value'>,
  { check, ...bounds }: Bounds & { check?: ((value: string) => string | null) | undefined },
): string {
  if (validity.badInput) return t.number(bounds.label);
  return check?.(value) ?? fieldFault(value, bounds);
}
