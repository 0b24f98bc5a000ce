import type { Flag } from '../../../../clients/api/src/index.ts';
import { selectionWords } from '../../state/ask-words.ts';
import { experimentName } from '../../state/experiments.ts';
import { flags as t } from '../../texts/flags.ts';

type Rule = Flag['rules'][number];

const percentOf = (weight: number, total: number): number =>
  Math.round((weight / total) * 1_000) / 10;

function gotText({ variant, split = [], variations, experiment = '' }: Rule): string {
  if (variant !== undefined) return t.quoted(variant);
  if (variations) {
    const variants = [...new Set(Object.values(variations))].map(t.quoted).join(t.or);
    return t.byArm(variants, experimentName(experiment));
  }
  const total = split.reduce((sum, { weight }) => sum + weight, 0);
  return split.map((part) => t.part(percentOf(part.weight, total), part.variant)).join(t.and);
}

export function ruleText(rule: Rule): string {
  const { where, percent } = rule;
  const all = where ? t.people : t.everybody;
  const sentence = t.gets(percent === undefined ? all : t.some(percent), gotText(rule));
  return where ? t.where(selectionWords({ where }), sentence) : sentence;
}

type Said = Pick<Flag, 'rules' | 'isOn' | 'offVariant' | 'defaultVariant'>;

export function restText({ rules, defaultVariant }: Said): string | null {
  const isForAll = ({ where, percent, experiment }: Rule) =>
    !where && percent === undefined && experiment === undefined;
  if (rules.some(isForAll)) return null;
  return t.gets(rules.length === 0 ? t.everybody : t.everybodyElse, t.quoted(defaultVariant));
}

export const offText = ({ offVariant }: Said): string => t.gets(t.whileOff, t.quoted(offVariant));

export function sentencesOf(flag: Said): string[] {
  if (!flag.isOn) return [offText(flag)];
  const rest = restText(flag);
  return [...flag.rules.map(ruleText), ...(rest ? [rest] : [])];
}
