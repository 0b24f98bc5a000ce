import type { ComponentChildren } from 'preact';
import type { SegmentClause } from '../../../../clients/api/src/index.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChip } from '../../parts/chips/index.ts';
import * as icons from '../../parts/icons.ts';
import { SelectionChips, type SentOf } from '../../parts/selection/selection.tsx';
import { type FaultOf, WithFault } from '../../parts/selection/where.tsx';
import { addDays } from '../../state/days.ts';
import { segments as t } from '../../texts/segments.ts';
import {
  type Did,
  type DidNot,
  entitledBy,
  type FirstSeen,
  type InArm,
  type InSegment,
  isOfPurchases,
  type Known,
  type OfPurchases,
} from './clauses.ts';

type PartProps<C> = {
  clause: C;
  onChange: (clause: SegmentClause) => void;
  sent: SentOf;
  known: Known;
  place: string;
  faultOf: FaultOf;
};

const optionsOf = <T extends string>(names: Readonly<Record<T, string>>, values: readonly T[]) =>
  values.map((value) => ({ value, label: names[value] }));

const NumberField = (props: {
  label: string;
  value: number;
  onChange: (value: number) => void;
}) => (
  <input
    type="number"
    class="ask-number"
    aria-label={props.label}
    min={0}
    value={props.value}
    onChange={({ currentTarget }) => props.onChange(Math.max(0, Math.trunc(+currentTarget.value)))}
  />
);

const DayField = (props: { value: string; onChange: (day: string) => void; label?: string }) => (
  <input
    type="date"
    aria-label={props.label ?? t.day}
    value={props.value}
    onChange={({ currentTarget }) => {
      if (currentTarget.value) props.onChange(currentTarget.value);
    }}
  />
);

type Period = Pick<DidNot, 'withinDays' | 'since' | 'before'>;
const PERIODS = ['ever', 'withinDays', 'since', 'before', 'between'] as const;

function periodKind({ withinDays, since, before }: Period): (typeof PERIODS)[number] {
  if (withinDays !== undefined) return 'withinDays';
  if (since !== undefined) return before === undefined ? 'since' : 'between';
  return before === undefined ? 'ever' : 'before';
}

type PeriodProps = { period: Period; today: string; onChange: (period: Period) => void };

function PeriodChips({ period, today, onChange }: PeriodProps) {
  const { withinDays, since, before } = period;
  const begin = {
    ...{ ever: {}, withinDays: { withinDays: 28 }, since: { since: since ?? today } },
    before: { before: before ?? today },
    between: { since: since ?? today, before: before ?? addDays(since ?? today, 1) },
  };
  return (
    <>
      <ChoiceChip
        name={t.period}
        options={optionsOf(t.periods, PERIODS)}
        value={periodKind(period)}
        onChange={(next) => onChange(begin[next])}
      />
      {withinDays !== undefined && (
        <NumberField
          label={t.days}
          value={withinDays}
          onChange={(days) => onChange({ withinDays: days })}
        />
      )}
      {since !== undefined && (
        <DayField value={since} onChange={(day) => onChange({ ...period, since: day })} />
      )}
      {before !== undefined && (
        <DayField
          label={t.dayBefore}
          value={before}
          onChange={(day) => onChange({ ...period, before: day })}
        />
      )}
    </>
  );
}

const TIMES = ['atLeast', 'atMost', 'exactly'] as const;

function DidPart({ clause, onChange, sent, known, place, faultOf }: PartProps<Did>) {
  const { did, atLeast: _least, atMost: _most, exactly: _exactly, ...period } = clause;
  const kind = TIMES.find((one) => clause[one] !== undefined) ?? 'atLeast';
  const count = clause[kind] ?? 1;
  const said = kind === 'atLeast' && count === 1 ? {} : { [kind]: count };
  return (
    <>
      <SelectionChips
        {...{ sent, faultOf, selection: did, place: `${place}.did` }}
        onChange={(next) => onChange({ ...clause, did: next })}
      />
      <ChoiceChip
        name={t.timesName}
        options={optionsOf(t.timesKinds, TIMES)}
        value={kind}
        onChange={(next) => onChange({ did, ...period, [next]: count })}
      />
      <NumberField
        label={t.number}
        value={count}
        onChange={(next) => onChange({ did, ...period, [kind]: next })}
      />
      <span class="ask-word">{t.timesUnit}</span>
      <PeriodChips
        {...{ period, today: known.today }}
        onChange={(next) => onChange({ did, ...said, ...next })}
      />
    </>
  );
}

function DidNotPart({ clause, onChange, sent, known, place, faultOf }: PartProps<DidNot>) {
  const { didNot, ...period } = clause;
  return (
    <>
      <SelectionChips
        {...{ sent, faultOf, selection: didNot, place: `${place}.didNot` }}
        onChange={(next) => onChange({ ...clause, didNot: next })}
      />
      <PeriodChips
        {...{ period, today: known.today }}
        onChange={(next) => onChange({ didNot, ...next })}
      />
    </>
  );
}

const SEENS = ['withinDays', 'after', 'before'] as const;

function FirstSeenPart({ clause, onChange, known: { today } }: PartProps<FirstSeen>) {
  const { firstSeen } = clause;
  const kind = SEENS.find((one) => firstSeen[one] !== undefined) ?? 'withinDays';
  const { withinDays = 28 } = firstSeen;
  return (
    <>
      <ChoiceChip
        name={t.seen}
        options={optionsOf(t.seens, SEENS)}
        value={kind}
        onChange={(next) =>
          onChange({ firstSeen: next === 'withinDays' ? { withinDays } : { [next]: today } })
        }
      />
      {kind === 'withinDays' ? (
        <NumberField
          label={t.days}
          value={withinDays}
          onChange={(days) => onChange({ firstSeen: { withinDays: days } })}
        />
      ) : (
        <DayField
          value={firstSeen[kind] ?? today}
          onChange={(day) => onChange({ firstSeen: { [kind]: day } })}
        />
      )}
    </>
  );
}

const YES_NO = ['yes', 'no'] as const;

const Is = (props: { is: boolean; onChange: (is: boolean) => void }) => (
  <ChoiceChip
    name={t.isName}
    options={optionsOf(t.is, YES_NO)}
    value={props.is ? 'yes' : 'no'}
    onChange={(next) => props.onChange(next === 'yes')}
  />
);

function ArmPart({ clause, onChange, known }: PartProps<InArm>) {
  const { experiment, arm, is = true } = clause;
  const keyOf = (one: { experiment: string; arm: string }) => `${one.experiment} ${one.arm}`;
  return (
    <>
      <Is is={is} onChange={(next) => onChange({ ...clause, is: next })} />
      <span class="ask-word">{t.kinds.arm}</span>
      <ChoiceChip
        name={t.arm}
        options={known.arms.map((one) => ({ value: keyOf(one), label: one.label }))}
        value={keyOf({ experiment, arm })}
        onChange={(key) => {
          const next = known.arms.find((one) => keyOf(one) === key);
          if (next) onChange({ experiment: next.experiment, arm: next.arm, is });
        }}
      />
    </>
  );
}

function PurchasesPart({ clause, onChange, known }: PartProps<OfPurchases>) {
  const { productId, entitlement, ...first } = clause;
  const by = {
    ...(productId !== undefined && { productId }),
    ...(entitlement !== undefined && { entitlement }),
  };
  const all = new Map([{}, ...known.entitled, by].map((one) => [entitledBy(one), one]));
  const [is, kind, turned] =
    'paying' in clause
      ? [clause.paying, t.kinds.paying, { paying: !clause.paying }]
      : [clause.entitled, t.kinds.entitled, { entitled: !clause.entitled }];
  return (
    <>
      <Is is={is} onChange={(next) => next !== is && onChange({ ...turned, ...by })} />
      <span class="ask-word">{kind}</span>
      <ChoiceChip
        name={t.product}
        options={[...all.keys()].map((label) => ({ value: label, label }))}
        value={entitledBy(by)}
        onChange={(next) => onChange({ ...first, ...all.get(next) })}
      />
    </>
  );
}

function SegmentPart({ clause, onChange, known }: PartProps<InSegment>) {
  const { segment, is = true } = clause;
  return (
    <>
      <Is is={is} onChange={(next) => onChange({ segment, is: next })} />
      <span class="ask-word">{t.kinds.segment}</span>
      <ChoiceChip
        name={t.otherSegment}
        options={known.segments.map(({ id, name }) => ({ value: id, label: name }))}
        value={segment}
        onChange={(next) => onChange({ segment: next, is })}
      />
    </>
  );
}

function partOf({ clause, ...rest }: PartProps<SegmentClause>): {
  lead: string;
  part: ComponentChildren;
} {
  if ('did' in clause) return { lead: t.kinds.did, part: <DidPart {...{ ...rest, clause }} /> };
  if ('didNot' in clause) {
    return { lead: t.kinds.didNot, part: <DidNotPart {...{ ...rest, clause }} /> };
  }
  if ('firstSeen' in clause) {
    return { lead: t.kinds.firstSeen, part: <FirstSeenPart {...{ ...rest, clause }} /> };
  }
  if (isOfPurchases(clause)) return { lead: '', part: <PurchasesPart {...{ ...rest, clause }} /> };
  if ('segment' in clause) return { lead: '', part: <SegmentPart {...{ ...rest, clause }} /> };
  return { lead: '', part: <ArmPart {...{ ...rest, clause }} /> };
}

export function ClauseRow(props: PartProps<SegmentClause> & { onRemove: () => void }) {
  const { lead, part } = partOf(props);
  const fault = props.faultOf(props.place);
  return (
    <WithFault fault={fault}>
      <div class="ask-row">
        {lead && <span class="ask-lead">{lead}</span>}
        <div class="ask-chips">
          {part}
          <Button
            kind="ghost"
            compact
            icon={icons.close}
            label={t.remove}
            onClick={props.onRemove}
          />
        </div>
      </div>
    </WithFault>
  );
}
