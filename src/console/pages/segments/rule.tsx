import * as icons from '../../parts/icons.ts';
import { Menu } from '../../parts/menu.tsx';
import type { SentOf } from '../../parts/selection/selection.tsx';
import type { FaultOf } from '../../parts/selection/where.tsx';
import { MAX_CLAUSES } from '../../state/conditions.ts';
import { segments as t } from '../../texts/segments.ts';
import { ClauseRow } from './clause-row.tsx';
import { begun, type Clauses, KINDS, type Known } from './clauses.ts';

export function Rule(props: {
  clauses: Clauses;
  onChange: (clauses: Clauses) => void;
  sent: SentOf;
  known: Known;
  faultOf: FaultOf;
}) {
  const { clauses: rule, onChange, sent, known, faultOf } = props;
  const { word, clauses } = rule;
  return (
    <>
      {clauses.map((clause, index) => (
        <div class="clause" key={index}>
          {index > 0 && (
            <button
              type="button"
              class="joint"
              title={t.toOther[word]}
              onClick={() => onChange({ word: word === 'all' ? 'any' : 'all', clauses })}
            >
              {t.joined[word]}
              <span class="skip">: {t.toOther[word]}</span>
            </button>
          )}
          <ClauseRow
            {...{ clause, sent, known, faultOf, place: `rule.${word}[${index}]` }}
            onChange={(next) => onChange({ word, clauses: clauses.with(index, next) })}
            onRemove={() => onChange({ word, clauses: clauses.toSpliced(index, 1) })}
          />
        </div>
      ))}
      <Menu
        label={t.add}
        button={{
          class: 'dashed',
          isOff: clauses.length >= MAX_CLAUSES,
          icon: icons.add,
          text: t.add,
        }}
        items={KINDS.map((kind) => {
          const added = begun(kind, known);
          return {
            key: kind,
            label: t.kinds[kind],
            disabledWhy: added ? undefined : t.noOthers,
            onSelect: () => added && onChange({ word, clauses: [...clauses, added] }),
          };
        })}
      />
    </>
  );
}
