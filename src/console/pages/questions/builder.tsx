import { ChoiceChip } from '../../parts/chips/index.ts';
import {
  type Ask,
  brokenDownBy,
  type LifecycleAsk,
  type PathsAsk,
  type RetentionAsk,
} from '../../state/ask.ts';
import { questionBuilder as t } from '../../texts/question-builder.ts';
import { questions } from '../../texts/questions.ts';
import { retention } from '../../texts/retention.ts';
import { FunnelBuilder } from './funnel-builder.tsx';
import { AddButton, BreakdownRow, type BuilderProps, Row, SelectionRow } from './rows.tsx';
import { TrendBuilder } from './trend-builder.tsx';

const COHORTS = ['first', 'recurring'] as const;
const CRITERIA = ['on', 'on_or_after'] as const;
const CLOCKS = ['calendar', 'hours'] as const;
const DIRECTIONS = ['before', 'after'] as const;

function RetentionBuilder(props: BuilderProps<RetentionAsk>) {
  const { ask, onChange, sent, faultOf, unit } = props;
  const { starts, breakdown, cohort = 'first', criterion = 'on', clock = 'calendar' } = ask;
  return (
    <>
      {starts.map((selection, index) => (
        <SelectionRow
          key={index}
          lead={
            <span class="ask-lead">
              {starts.length > 1 && <span class={`swatch paint-${index + 1}`} />}
              {index === 0 ? t.start : t.startOther}
            </span>
          }
          {...{ sent, selection }}
          place="start"
          faultOf={faultOf(index)}
          onChange={(next) => onChange({ ...ask, starts: starts.with(index, next) })}
          onRemove={
            index > 0 ? () => onChange({ ...ask, starts: starts.slice(0, index) }) : undefined
          }
          removeName={t.removeGroup}
        >
          {index === 0 && (
            <ChoiceChip
              name={t.cohort}
              options={COHORTS.map((value) => ({ value, label: t.cohorts[value] }))}
              value={cohort}
              onChange={(next) => onChange({ ...ask, cohort: next })}
            />
          )}
        </SelectionRow>
      ))}
      <SelectionRow
        lead={<span class="ask-lead">{t.come}</span>}
        {...{ sent, selection: ask.return }}
        place="return"
        faultOf={faultOf(0)}
        onChange={(next) => onChange({ ...ask, return: next })}
      >
        <ChoiceChip
          name={t.criterion}
          options={CRITERIA.map((value) => ({ value, label: t.criteria[value] }))}
          value={criterion}
          onChange={(next) => onChange({ ...ask, criterion: next })}
        />
        {unit !== 'month' && (
          <ChoiceChip
            name={retention.clockName}
            options={CLOCKS.map((value) => ({
              value,
              label: retention.clocks[value],
              detail: retention.clockDetails[value],
            }))}
            value={clock}
            onChange={(next) => onChange({ ...ask, clock: next })}
          />
        )}
      </SelectionRow>
      {starts.length < 2 && (
        <Row media={<span class="ask-lead" />}>
          <AddButton
            text={t.addGroup}
            name={t.addGroupLong}
            onClick={() => onChange({ ...ask, starts: [...starts, {}] })}
          />
          <BreakdownRow
            {...{ sent, selection: starts[0] ?? {}, breakdown }}
            fault={faultOf(0)('breakdown')}
            onChange={(by) => onChange(brokenDownBy(ask, by))}
          />
        </Row>
      )}
    </>
  );
}

function LifecycleBuilder({ ask, onChange, sent, faultOf }: BuilderProps<LifecycleAsk>) {
  const { selection, breakdown } = ask;
  return (
    <>
      <SelectionRow
        lead={<span class="ask-lead">{t.whoDid}</span>}
        {...{ sent, selection }}
        place="selection"
        faultOf={faultOf(0)}
        onChange={(next) => onChange({ ...ask, selection: next })}
      />
      <Row media={<span class="ask-lead" />}>
        <BreakdownRow
          {...{ sent, selection, breakdown }}
          fault={faultOf(0)('breakdown')}
          onChange={(by) => onChange(brokenDownBy(ask, by))}
        />
      </Row>
    </>
  );
}

function PathsBuilder({ ask, onChange, sent, faultOf }: BuilderProps<PathsAsk>) {
  return (
    <>
      <Row media={<span class="ask-lead">{questions.whatComes}</span>}>
        <ChoiceChip
          name={t.direction}
          options={DIRECTIONS.map((value) => ({ value, label: questions.directions[value] }))}
          value={ask.direction}
          onChange={(direction) => onChange({ ...ask, direction })}
        />
      </Row>
      <SelectionRow
        lead={<span class="ask-lead" />}
        {...{ sent, selection: ask.selection }}
        place="selection"
        faultOf={faultOf(0)}
        onChange={(selection) => onChange({ ...ask, selection })}
      />
    </>
  );
}

export function Builder(props: BuilderProps<Ask>) {
  const { ask, ...rest } = props;
  switch (ask.kind) {
    case 'trend':
      return <TrendBuilder {...rest} ask={ask} />;
    case 'funnel':
      return <FunnelBuilder {...rest} ask={ask} />;
    case 'retention':
      return <RetentionBuilder {...rest} ask={ask} />;
    case 'lifecycle':
      return <LifecycleBuilder {...rest} ask={ask} />;
    case 'paths':
      return <PathsBuilder {...rest} ask={ask} />;
  }
}
