import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { CONTEXT_FIELDS, EVENT_FIELDS } from '../../../shared/event-fields.ts';
import { exactNumber } from '../../format.ts';
import { api } from '../../state/api.ts';
import { fieldWord, operatorWord, valueWord } from '../../state/condition-words.ts';
import {
  FIRST_FIELDS,
  isPropertyField,
  ofEvents,
  type Operator,
  operatorsOf,
  SEGMENT,
  type Said,
  takes,
} from '../../state/conditions.ts';
import { type Dimension, isProperty } from '../../state/filter-rules.ts';
import { useSegments } from '../../state/segments.ts';
import { useSentData } from '../../state/sent-data.ts';
import type { Sent } from '../../state/sent.ts';
import { into, turn } from '../../state/signals.ts';
import { useApi } from '../../state/use-api.ts';
import { asking as t } from '../../texts/asking.ts';
import { controls } from '../../texts/controls.ts';
import { live } from '../../texts/live.ts';
import * as icons from '../icons.ts';
import { PickerList } from '../picker-list.tsx';
import { dimensionGroups, whyTaken } from './dimension-groups.ts';

/** Fields of which the summary of an app knows no values. */
const BY_SERIES: readonly string[] = CONTEXT_FIELDS.filter(
  (field) => !EVENT_FIELDS[field].isFilter,
);

function useValues(sent: Sent, field: string) {
  const data = useSentData(sent);
  const by = BY_SERIES.find((one) => one === field);
  const { appId, days, environment } = sent;
  const body = { kind: 'series' as const, series: [{}], breakdown: by ?? 'platform' };
  const how = { interval: 'month' as const, compare: false, days, environment };
  const input = { id: appId, body: { ...body, ...how } };
  const answer = useApi(api.answerQuestion, input, { enabled: by !== undefined }).value;
  const series = answer.data?.kind === 'series' ? answer.data.series : [];
  const ofSeries = series.flatMap(({ key, rest, totals }) =>
    rest ? [] : [{ value: key, ...totals }],
  );
  const found = data.dimensions.find(({ dimension }) => dimension === ofEvents(field));
  const { isFetching } = answer;
  const segments = useSegments(appId).value;
  if (field === SEGMENT) {
    const values = (segments.data ?? []).map(({ id }) => ({
      value: id,
      people: undefined,
      events: undefined,
    }));
    return { values, isFetching: segments.isFetching };
  }
  return {
    values: by ? ofSeries : (found?.values ?? []),
    isFetching: by ? isFetching : data.isFetching,
  };
}

const BackHead = (props: { onBack: () => void; children: ComponentChildren }) => (
  <div class="picker-head">
    <button
      type="button"
      class="ghost icon-only"
      aria-label={controls.picker.back}
      onClick={props.onBack}
    >
      <icons.back aria-hidden class="small" />
    </button>
    {props.children}
  </div>
);

const optionOf = (field: string) => ({ value: field, label: fieldWord(field) });

type FieldListProps = { sent: Sent; own: string | undefined; onPick: (field: string) => void };

function FieldList({ sent, own, onPick }: FieldListProps) {
  const data = useSentData(sent);
  const whyNot = (dimension: Dimension) => {
    const why = whyTaken(dimension, sent.taken, own);
    return why && live.whyTaken[why];
  };
  const known = dimensionGroups(data.dimensions, whyNot);
  const segments = useSegments(sent.appId).value.data ?? [];
  const member = { value: SEGMENT, label: t.members.is };
  const firsts = sent.takesFirst === false ? [] : FIRST_FIELDS.map(optionOf);
  const others = BY_SERIES.map(optionOf);
  return (
    <PickerList
      label={t.addCondition}
      isFetching={data.isFetching}
      onPick={onPick}
      groups={
        sent.isPlain
          ? known
          : [
              ...known,
              { label: t.moreFields, options: others },
              { label: t.people, options: [...(segments.length > 0 ? [member] : []), ...firsts] },
            ]
      }
    />
  );
}

function OperatorList(props: {
  field: string;
  chosen: Operator | undefined;
  onBack: () => void;
  onPick: (operator: Operator) => void;
}) {
  const { field, chosen, onPick } = props;
  const operators = operatorsOf(field);
  return (
    <PickerList
      key={field}
      label={fieldWord(field)}
      head={<BackHead onBack={props.onBack}>{fieldWord(field)}</BackHead>}
      groups={[
        {
          options: operators.map((one) => ({
            value: one,
            label: operatorWord(field, one),
            isChosen: one === chosen,
          })),
        },
      ]}
      onPick={(picked) => {
        const next = operators.find((one) => one === picked);
        if (next) onPick(next);
      }}
    />
  );
}

const countText = (count: number | undefined): string =>
  count === undefined ? '' : exactNumber(count);

function ValueList(props: {
  sent: Sent;
  field: string;
  operator: Operator;
  /** Those chosen before, of an operator that takes several. */
  values: readonly string[];
  onBack: () => void;
  onPick: (values: readonly string[]) => void;
}) {
  const { sent, field, operator, onPick } = props;
  const kind = takes(operator);
  const { values, isFetching } = useValues(sent, field);
  const chosen = useSignal<readonly string[]>(kind === 'several' ? props.values : []);
  const pick = (value: string) => {
    if (kind === 'one') onPick([value]);
    else if (kind === 'two' && chosen.value.length === 1) onPick([...chosen.value, value]);
    else if (chosen.value.includes(value)) {
      chosen.value = chosen.value.filter((one) => one !== value);
    } else chosen.value = [...chosen.value, value];
  };
  const known = [...new Set([...values.map(({ value }) => value), ...chosen.value])];
  const begun = chosen.value.map((one) => valueWord(field, one)).join(', ');
  return (
    <PickerList
      key={`${operator} ${kind === 'two' ? begun : ''}`}
      label={fieldWord(field)}
      takesOther={field !== SEGMENT}
      placeholder={t.noValues}
      isFetching={isFetching}
      head={
        <BackHead onBack={props.onBack}>
          {fieldWord(field)} {t.operators[operator]}{' '}
          {kind === 'two' && begun && `${begun} ${t.and}`}
          {kind === 'several' && chosen.value.length > 0 && (
            <button type="button" class="plain compact" onClick={() => onPick(chosen.value)}>
              {t.done}
            </button>
          )}
        </BackHead>
      }
      groups={[
        {
          options: known.map((value) => {
            const count = values.find((one) => one.value === value);
            return {
              value,
              label: valueWord(field, value),
              isChosen: chosen.value.includes(value),
              ...(count && { detail: countText(count.people ?? count.events) }),
            };
          }),
        },
      ]}
      onPick={pick}
    />
  );
}

export function ConditionPicker(props: {
  sent: Sent;
  of?: Said;
  onPick: (condition: Said) => void;
}) {
  const { sent, of, onPick } = props;
  const field = useSignal(of?.field);
  const operator = useSignal<Operator | undefined>(undefined);
  const [named, said] = [field.value, operator.value];
  if (named === undefined) {
    return <FieldList {...{ sent, own: of?.field }} onPick={into(field)} />;
  }
  const choose = (next: Operator) => {
    if (takes(next) === 'none') onPick({ field: named, operator: next, values: [] });
    else operator.value = next;
  };
  if (!said && !sent.isPlain) {
    return (
      <OperatorList
        field={named}
        chosen={of?.field === named ? of.operator : undefined}
        onBack={turn(field, undefined)}
        onPick={choose}
      />
    );
  }
  return (
    <ValueList
      {...{ sent, field: named, operator: said ?? 'is' }}
      values={of?.field === named ? of.values : []}
      onBack={() => (sent.isPlain ? into(field) : into(operator))(undefined)}
      onPick={(values) => onPick({ field: named, operator: said ?? 'is', values })}
    />
  );
}

export function PropertyPicker({ sent, onPick }: { sent: Sent; onPick: (name: string) => void }) {
  const data = useSentData(sent);
  const properties = data.dimensions.filter(({ dimension }) => isProperty(dimension));
  return (
    <PickerList
      label={t.condition}
      takesOther
      isFetching={data.isFetching}
      groups={dimensionGroups(properties).filter(({ options }) => options.length > 0)}
      onPick={(picked) => onPick(isPropertyField(picked) ? fieldWord(picked) : picked)}
    />
  );
}

export function PropertyValuePicker(props: {
  sent: Sent;
  onPick: (prop: string, equals: string) => void;
}) {
  const { sent, onPick } = props;
  const name = useSignal<string | undefined>(undefined);
  const chosen = name.value;
  if (chosen === undefined) return <PropertyPicker sent={sent} onPick={into(name)} />;
  return (
    <ValueList
      {...{ sent, field: `prop:${chosen}`, operator: 'is', values: [] }}
      onBack={turn(name, undefined)}
      onPick={([value = '']) => onPick(chosen, value)}
    />
  );
}
