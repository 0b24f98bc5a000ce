import { textLiteral } from '../../storage/duckdb-literal.ts';
import { type PropertyMatch, propertyMatchSql } from '../selection/property.ts';

export type Step = { event: string; where?: PropertyMatch | undefined };

export function stepNames(steps: readonly Step[]): string[] {
  return [...new Set(steps.map((step) => step.event))];
}

export function maskSql(steps: readonly Step[]): string {
  const cases = stepNames(steps).map((name) => {
    let always = 0;
    const sometimes: string[] = [];
    for (const [index, step] of steps.entries()) {
      if (step.event !== name) continue;
      if (!step.where) always |= 1 << index;
      else
        sometimes.push(`CASE WHEN ${propertyMatchSql(step.where)} THEN ${1 << index} ELSE 0 END`);
    }
    return `WHEN ${textLiteral(name)} THEN ${[String(always), ...sometimes].join(' | ')}`;
  });
  return `(CASE name ${cases.join(' ')} ELSE 0 END)`;
}
