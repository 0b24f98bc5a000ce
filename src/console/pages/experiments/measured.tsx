import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { Choice, Field, type Fields } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { type Experiment, useDefaultFunnel } from './queries.ts';

const MAX_METRICS = 5;
const KINDS = [
  ['event', t.kinds.event],
  ['trial', t.kinds.trial],
  ['revenue', t.kinds.revenue],
] as const;
const CAPS = [
  ['99.9', '99.9'],
  ['99', '99'],
  ['95', '95'],
] as const;
const CAP_PERCENTILES = { '99.9': 99.9, '99': 99, '95': 95 } as const;
const ROLES = [
  ['deciding', t.roles.deciding],
  ['guardrail', t.roles.guardrail],
] as const;
const BETTERS = [
  ['higher', t.betters.higher],
  ['lower', t.betters.lower],
] as const;

type Measurement = Experiment['measurement'];
type Metric = Measurement['metrics'][number];

const chosen = <T extends string>(options: readonly (readonly [T, string])[], text: string) =>
  options.find(([value]) => value === text)?.[0];

function MetricFields(props: {
  row: number;
  index: number;
  metric?: Metric;
  onRemove: () => void;
}) {
  const { row, index, metric } = props;
  const named = (field: string) => `metric-${row}-${field}`;
  return (
    <fieldset>
      <legend>{t.metric(index + 1)}</legend>
      <div class="row top">
        <Field label={t.name} name={named('name')} value={metric?.name ?? ''} maxLength={80} />
        <Choice
          label={t.kind}
          name={named('kind')}
          options={KINDS}
          value={metric?.kind ?? 'event'}
        />
        <Field
          label={t.event}
          name={named('event')}
          value={metric?.event ?? ''}
          hint={t.eventHint}
          rule="eventName"
          optional
        />
        <Choice
          label={t.role}
          name={named('role')}
          options={ROLES}
          value={metric?.role ?? 'deciding'}
        />
        <Choice
          label={t.better}
          name={named('better')}
          options={BETTERS}
          value={metric?.better ?? 'higher'}
        />
      </div>
      <button type="button" class="link" onClick={props.onRemove}>
        {t.removeMetric}
      </button>
    </fieldset>
  );
}

function readMetric(fields: Fields, row: number, before: Metric | undefined) {
  const read = (field: string) => fields.get(`metric-${row}-${field}`);
  const kind = chosen(KINDS, read('kind')) ?? 'event';
  const event = read('event');
  const role = chosen(ROLES, read('role'));
  const better = chosen(BETTERS, read('better'));
  const where = kind === 'event' && before?.event === event ? before.where : null;
  return {
    name: read('name'),
    kind,
    ...(event && kind === 'event' && { event }),
    ...(where && { where }),
    ...(role && { role }),
    ...(better && { better }),
  };
}

function Decided({ appId }: { appId: string }) {
  const funnels = useDefaultFunnel(appId);
  const funnel = funnels?.find(({ isDefault }) => isDefault);
  const link = <a href={`/apps/${appId}/funnels`}>{t.toFunnels}</a>;
  if (!funnels) return null;
  if (!funnel) {
    return (
      <p class="notice warn">
        {t.noFunnel} {link}
      </p>
    );
  }
  return (
    <p>
      {t.measuredBy} <strong>{funnel.name}</strong>{' '}
      <span class="quiet">({funnel.steps.map(({ label }) => label).join(' → ')})</span> {link}
    </p>
  );
}

export function useMeasured(appId: string, measurement: Partial<Measurement>) {
  const { margin = 0.1, windowHours = 72, capPercentile = 99.9, metrics = [] } = measurement;
  const rows = useSignal([...metrics.keys()]);
  const read = (fields: Fields) => ({
    margin: Number(fields.get('margin')) / 100,
    windowHours: Number(fields.get('windowHours')),
    capPercentile: CAP_PERCENTILES[chosen(CAPS, fields.get('capPercentile')) ?? '99.9'],
    metrics: rows.value.map((row) => readMetric(fields, row, metrics[row])),
  });
  const fields = (
    <>
      <h3>{t.measured}</h3>
      <Decided appId={appId} />
      <div class="row top">
        <Field
          label={t.margin}
          name="margin"
          type="number"
          min={1}
          max={100}
          step="any"
          value={String(Math.round(margin * 1_000) / 10)}
          hint={t.marginHint}
        />
        <Field
          label={t.window}
          name="windowHours"
          type="number"
          min={1}
          max={720}
          value={String(windowHours)}
          hint={t.windowHint}
        />
        <Choice
          label={t.cap}
          name="capPercentile"
          options={CAPS}
          value={chosen(CAPS, String(capPercentile)) ?? '99.9'}
        />
      </div>
      {rows.value.map((row, index) => {
        const metric = metrics[row];
        return (
          <MetricFields
            key={row}
            row={row}
            index={index}
            {...(metric && { metric })}
            onRemove={() => {
              rows.value = rows.value.filter((other) => other !== row);
            }}
          />
        );
      })}
      {rows.value.length < MAX_METRICS && (
        <Button
          icon={icons.add}
          class="add-part"
          onClick={() => {
            rows.value = [...rows.value, Math.max(-1, ...rows.value) + 1];
          }}
        >
          {t.addMetric}
        </Button>
      )}
    </>
  );
  return { fields, read };
}
