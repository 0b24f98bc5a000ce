import type { ComponentChildren } from 'preact';
import type { SegmentClause } from '../../../../clients/api/src/index.ts';
import { ChoiceChip } from '../../parts/chips/index.ts';
import * as icons from '../../parts/icons.ts';
import { SelectionChips, type SentOf } from '../../parts/selection/selection.tsx';
import { type FaultOf, WithFault } from '../../parts/selection/where.tsx';
import { segments as t } from '../../texts/segments.ts';
import {
  type Did,
  type DidNot,
  type Entitled,
  entitledBy,
  type FirstSeen,
  type InArm,
  type InSegment,
  type Known,
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

const DayField = (props: { value: string; onChange: (day: string) => void }) => (
  <input
    type="date"
    aria-label={t.day}
    value={props.value}
    onChange={({ currentTarget }) => {
      if (currentTarget.value) props.onChange(currentTarget.value);
    }}
  />
);

const today = (): string => new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);

type Period = Pick<DidNot, 'withinDays' | 'since'>;
const PERIODS = ['ever', 'withinDays', 'since'] as const;

function PeriodChips(props: { period: Period; onChange: (period: Period) => void }) {
  const { withinDays, since } = props.period;
  const kind = withinDays !== undefined ? 'withinDays' : since !== undefined ? 'since' : 'ever';
  const begin = { ever: {}, withinDays: { withinDays: 28 }, since: { since: today() } };
  return (
    <>
      <ChoiceChip
        name={t.period}
        options={optionsOf(t.periods, PERIODS)}
        value={kind}
        onChange={(next) => props.onChange(begin[next])}
      />
      {withinDays !== undefined && (
        <NumberField
          label={t.days}
          value={withinDays}
          onChange={(days) => props.onChange({ withinDays: days })}
        />
      )}
      {since !== undefined && (
        <DayField value={since} onChange={(day) => props.onChange({ since: day })} />
      )}
    </>
  );
}

const TIMES = ['atLeast', 'atMost', 'exactly'] as const;

function DidPart({ clause, onChange, sent, place, faultOf }: PartProps<Did>) {
  const { did, withinDays, since } = clause;
  const kind = TIMES.find((one) => clause[one] !== undefined) ?? 'atLeast';
  const count = clause[kind] ?? 1;
  const period = { ...(withinDays !== undefined && { withinDays }), ...(since && { since }) };
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
      <PeriodChips period={period} onChange={(next) => onChange({ did, ...said, ...next })} />
    </>
  );
}

function DidNotPart({ clause, onChange, sent, place, faultOf }: PartProps<DidNot>) {
  const { didNot, ...period } = clause;
  return (
    <>
      <SelectionChips
        {...{ sent, faultOf, selection: didNot, place: `${place}.didNot` }}
        onChange={(next) => onChange({ ...clause, didNot: next })}
      />
      <PeriodChips period={period} onChange={(next) => onChange({ didNot, ...next })} />
    </>
  );
}

const SEENS = ['withinDays', 'after', 'before'] as const;

function FirstSeenPart({ clause, onChange }: PartProps<FirstSeen>) {
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
          onChange({ firstSeen: next === 'withinDays' ? { withinDays } : { [next]: today() } })
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
          value={firstSeen[kind] ?? today()}
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

function EntitledPart({ clause, onChange, known }: PartProps<Entitled>) {
  const { entitled, ...by } = clause;
  const all = new Map([{}, ...known.entitled, by].map((one) => [entitledBy(one), one]));
  return (
    <>
      <Is is={entitled} onChange={(next) => onChange({ ...clause, entitled: next })} />
      <span class="ask-word">{t.kinds.entitled}</span>
      <ChoiceChip
        name={t.product}
        options={[...all.keys()].map((label) => ({ value: label, label }))}
        value={entitledBy(by)}
        onChange={(next) => onChange({ entitled, ...all.get(next) })}
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
  if ('entitled' in clause) return { lead: '', part: <EntitledPart {...{ ...rest, clause }} /> };
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
          <button
            type="button"
            class="ghost compact icon-only"
            aria-label={t.remove}
            onClick={props.onRemove}
          >
            <icons.close aria-hidden class="small" />
          </button>
        </div>
      </div>
    </WithFault>
  );
}
