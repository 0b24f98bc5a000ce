import { useSignal } from '@preact/signals';
import { ChoiceChip } from '../../parts/chips/index.ts';
import { WhereChips } from '../../parts/selection/where.tsx';
import { brokenDownBy, type Exclusion, type FunnelAsk, MAX_STEPS } from '../../state/ask.ts';
import { conditionsOf, whereOf } from '../../state/conditions.ts';
import { sentBy } from '../../state/sent.ts';
import { turn } from '../../state/signals.ts';
import { questionBuilder as t } from '../../texts/question-builder.ts';
import { AddButton, BreakdownRow, type BuilderProps, Row, SelectionRow } from './rows.tsx';

const ORDERS = ['in_order', 'strict'] as const;
const WHOS = ['all', 'new'] as const;
const MAX_EXCLUSIONS = 4;

type FunnelProps = BuilderProps<FunnelAsk>;

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    value: String(from + index),
    label: String(from + index),
  }));

function withExclusions(ask: FunnelAsk, exclusions: readonly Exclusion[]): FunnelAsk {
  const { exclusions: _, ...others } = ask;
  const kept = exclusions.filter(({ before }) => before <= ask.steps.length);
  return { ...others, ...(kept.length > 0 && { exclusions: kept }) };
}

function Exclusions(props: FunnelProps) {
  const { ask, onChange, sent, faultOf } = props;
  const { exclusions = [], steps } = ask;
  const set = (index: number, next: Exclusion) =>
    onChange(withExclusions(ask, exclusions.with(index, next)));
  return exclusions.map((exclusion, index) => {
    const { selection, after, before } = exclusion;
    return (
      <SelectionRow
        key={index}
        lead={<span class="ask-lead">{t.without}</span>}
        {...{ sent, selection }}
        place={`exclusions[${index}].selection`}
        faultOf={faultOf(0)}
        onChange={(next) => set(index, { ...exclusion, selection: next })}
        onRemove={() => onChange(withExclusions(ask, exclusions.toSpliced(index, 1)))}
        removeName={t.removeExclusion}
      >
        <span class="ask-word">{t.between}</span>
        <ChoiceChip
          name={t.after}
          options={numbers(1, steps.length - 1)}
          value={String(after)}
          onChange={(value) =>
            set(index, { ...exclusion, after: +value, before: Math.max(before, +value + 1) })
          }
        />
        <span class="ask-word">{t.andStep}</span>
        <ChoiceChip
          name={t.before}
          options={numbers(after + 1, steps.length)}
          value={String(before)}
          onChange={(value) => set(index, { ...exclusion, before: +value })}
        />
      </SelectionRow>
    );
  });
}

const sentOf = ({ ask, sent }: FunnelProps) =>
  sentBy(sent.appId, { ...sent, names: ask.steps[0]?.events ?? [] });

function Entry(props: FunnelProps) {
  const { ask, onChange, faultOf } = props;
  return (
    <WhereChips
      sent={sentOf(props)}
      where={whereOf(ask.where)}
      place="where"
      faultOf={faultOf(0)}
      onChange={(next) => {
        const { where: _, ...others } = ask;
        const conditions = conditionsOf(next);
        onChange({ ...others, ...(conditions && { where: conditions }) });
      }}
    />
  );
}

function People(props: FunnelProps) {
  const { ask, onChange, faultOf } = props;
  const { people = 'all', ...others } = ask;
  return (
    <>
      <ChoiceChip
        name={t.who}
        options={WHOS.map((value) => ({ value, label: t.whos[value] }))}
        value={people}
        onChange={(next) => onChange({ ...others, ...(next === 'new' && { people: next }) })}
      />
      <BreakdownRow
        {...{ sent: props.sent, selection: ask.steps[0] ?? {}, breakdown: ask.breakdown }}
        fault={faultOf(0)('breakdown')}
        onChange={(by) => onChange(brokenDownBy(ask, by))}
      />
    </>
  );
}

function Rules(props: FunnelProps) {
  const { ask, onChange } = props;
  const { steps, exclusions = [], order = 'in_order' } = ask;
  const isFull = steps.length >= MAX_STEPS ? '' : undefined;
  return (
    <>
      <Row media={<span class="ask-lead">{t.entryOnly}</span>}>
        <Entry {...props} />
      </Row>
      <Row media={<span class="ask-lead" />}>
        <AddButton
          text={t.addStep}
          name={t.addStepLong}
          disabledWhy={isFull}
          onClick={() => onChange({ ...ask, steps: [...steps, {}] })}
        />
        <AddButton
          text={t.addExclusion}
          name={t.addExclusionLong}
          disabledWhy={exclusions.length >= MAX_EXCLUSIONS ? '' : undefined}
          onClick={() =>
            onChange({
              ...ask,
              exclusions: [...exclusions, { selection: {}, after: 1, before: steps.length }],
            })
          }
        />
        <ChoiceChip
          name={t.order}
          options={ORDERS.map((value) => ({ value, label: t.orders[value] }))}
          value={order}
          onChange={(next) => onChange({ ...ask, order: next })}
        />
        <People {...props} />
      </Row>
    </>
  );
}

export function FunnelBuilder(props: FunnelProps) {
  const { ask, onChange, sent, faultOf, isNamed } = props;
  const { steps, exclusions = [] } = ask;
  const isUnfolded = useSignal(false);
  if (isNamed && !isUnfolded.value) {
    return (
      <Row>
        <Entry {...props} />
        <People {...props} />
        <AddButton
          text={t.moreConditions}
          name={t.moreConditions}
          onClick={turn(isUnfolded, true)}
        />
      </Row>
    );
  }
  return (
    <>
      {steps.map((selection, index) => (
        <SelectionRow
          key={index}
          lead={<span class="ask-lead">{t.step(index + 1)}</span>}
          {...{ sent, selection }}
          place={`steps[${index}]`}
          faultOf={faultOf(0)}
          onChange={(next) => onChange({ ...ask, steps: steps.with(index, next) })}
          onRemove={
            steps.length > 2
              ? () =>
                  onChange(withExclusions({ ...ask, steps: steps.toSpliced(index, 1) }, exclusions))
              : undefined
          }
          removeName={t.removeStep(index + 1)}
        />
      ))}
      <Exclusions {...props} />
      <Rules {...props} />
    </>
  );
}
