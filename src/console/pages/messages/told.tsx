import { type Signal, useSignal } from '@preact/signals';
import { Choice, type Fields, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';
import { api } from '../../state/api.ts';
import { messages as t } from '../../texts/messages.ts';

type AtOnce = Awaited<ReturnType<typeof api.getMessageSettings>>;
type Digest = Awaited<ReturnType<typeof api.getDigestSettings>>;
type Place = Awaited<ReturnType<typeof api.listDigestDestinations>>[number];

const KINDS = ['alerts', 'watches', 'subscribers', 'refunds', 'billingProblems', 'digest'] as const;
type Kind = (typeof KINDS)[number];

const hourOf = (hour: number) => [String(hour), `${String(hour).padStart(2, '0')}:00`] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hourOf(hour));
const DIGEST_HOURS = [4, 5, 6, 7, 8, 9, 10, 11, 12].map(hourOf);
const NIGHT = { fromHour: 22, toHour: 7 };

type Told = Signal<ReadonlySet<Kind>>;

function Tick({ kind, told }: { kind: Kind; told: Told }) {
  const change = () => {
    const next = new Set(told.value);
    if (!next.delete(kind)) next.add(kind);
    told.value = next;
  };
  return (
    <input
      type="checkbox"
      aria-label={t.tell(t.told[kind])}
      checked={told.value.has(kind)}
      onChange={change}
    />
  );
}

function WhatAndWhere({ told, places }: { told: Told; places: readonly Place[] }) {
  const columns: Column<Kind>[] = [
    {
      label: t.kind,
      show: (kind) => <strong>{t.told[kind]}</strong>,
      second: (kind) => t.why[kind],
    },
    { label: t.isOn, show: (kind) => <Tick kind={kind} told={told} /> },
    ...places.map(
      ({ id, name, shownTarget, goneReason }): Column<Kind> => ({
        label: places.some((one) => one.name === name && one.id !== id)
          ? `${name} (${shownTarget})`
          : name,
        show: (kind) =>
          told.value.has(kind) &&
          !goneReason && (
            <>
              <icons.check class="good" />
              <span class="skip">{t.goesTo}</span>
            </>
          ),
      }),
    ),
  ];
  return (
    <Table caption={t.what} rows={KINDS} keyOf={(kind) => kind} csvName={null} columns={columns} />
  );
}

const readerZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

function When({ atOnce: { quietHours }, digest }: { atOnce: AtOnce; digest: Digest }) {
  const hours = quietHours ?? NIGHT;
  const zone = quietHours?.timezone ?? (digest.isOn ? digest.timezone : readerZone());
  return (
    <div class="row when">
      <Choice
        label={t.quiet}
        name="quiet"
        options={[
          ['off', t.quietOff],
          ['on', t.quietOn],
        ]}
        value={quietHours ? 'on' : 'off'}
      />
      <Choice label={t.from} name="fromHour" options={HOURS} value={String(hours.fromHour)} />
      <Choice label={t.to} name="toHour" options={HOURS} value={String(hours.toHour)} />
      <Choice label={t.hour} name="hour" options={DIGEST_HOURS} value={String(digest.hour)} />
      <ZoneField label={t.timezone} name="timezone" value={zone} />
    </div>
  );
}

function atOnceOf(fields: Fields, told: ReadonlySet<Kind>): AtOnce {
  return {
    alerts: told.has('alerts'),
    subscribers: told.has('subscribers'),
    refunds: told.has('refunds'),
    billingProblems: told.has('billingProblems'),
    watches: told.has('watches'),
    quietHours:
      fields.get('quiet') === 'on'
        ? {
            timezone: fields.get('timezone'),
            fromHour: Number(fields.get('fromHour')),
            toHour: Number(fields.get('toHour')),
          }
        : null,
  };
}

export function ToldForm(props: { atOnce: AtOnce; digest: Digest; places: readonly Place[] }) {
  const { atOnce, digest, places } = props;
  const isTold = (kind: Kind) => (kind === 'digest' ? digest.isOn : atOnce[kind]);
  const told: Told = useSignal<ReadonlySet<Kind>>(new Set(KINDS.filter(isTold)));
  const save = async (fields: Fields) => {
    await api.setMessageSettings({ body: atOnceOf(fields, told.value) });
    await api.setDigestSettings({
      body: {
        isOn: told.value.has('digest'),
        timezone: fields.get('timezone'),
        hour: Number(fields.get('hour')),
      },
    });
  };
  return (
    <Form button={t.save} done={t.saved} onSubmit={save}>
      <WhatAndWhere told={told} places={places} />
      <h3>{t.when}</h3>
      <When atOnce={atOnce} digest={digest} />
    </Form>
  );
}
