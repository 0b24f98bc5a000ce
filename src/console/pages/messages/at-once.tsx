import { Checks, Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { messages as t } from '../../texts/messages.ts';

const KINDS = ['alerts', 'subscribers', 'refunds', 'billingProblems'] as const;
const KIND_OPTIONS = KINDS.map((kind) => [kind, t.told[kind]] as const);
const HOURS = Array.from(
  { length: 24 },
  (_, hour) => [String(hour), `${String(hour).padStart(2, '0')}:00`] as const,
);
/** What is proposed to whoever has no quiet hours yet. */
const NIGHT = { fromHour: 22, toHour: 7 };

/** What is told at once, and the hours in which it waits. */
export function AtOnce() {
  const settings = useQuery('message settings', (signal) =>
    api.getMessageSettings(undefined, { signal }),
  );
  const save = async (fields: Fields) => {
    const told = fields.all('told');
    const isTold = (kind: (typeof KINDS)[number]) => told.includes(kind);
    await api.setMessageSettings({
      body: {
        alerts: isTold('alerts'),
        subscribers: isTold('subscribers'),
        refunds: isTold('refunds'),
        billingProblems: isTold('billingProblems'),
        quietHours:
          fields.get('quiet') === 'on'
            ? {
                timezone: fields.get('timezone').trim(),
                fromHour: Number(fields.get('fromHour')),
                toHour: Number(fields.get('toHour')),
              }
            : null,
      },
    });
    settings.refetch();
  };
  return (
    <section>
      <h2>{t.atOnce}</h2>
      <p>{t.atOnceWhy}</p>
      <Loaded query={settings}>
        {({ quietHours, ...told }) => {
          const hours = quietHours ?? {
            ...NIGHT,
            timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          };
          return (
            <Form button={t.save} done={t.saved} onSubmit={save}>
              <Checks
                label={t.what}
                name="told"
                options={KIND_OPTIONS}
                value={KINDS.filter((kind) => told[kind])}
              />
              <div class="row">
                <Choice
                  label={t.quiet}
                  name="quiet"
                  options={[
                    ['off', t.quietOff],
                    ['on', t.quietOn],
                  ]}
                  value={quietHours ? 'on' : 'off'}
                />
                <Choice
                  label={t.from}
                  name="fromHour"
                  options={HOURS}
                  value={String(hours.fromHour)}
                />
                <Choice label={t.to} name="toHour" options={HOURS} value={String(hours.toHour)} />
                <Field label={t.timezone} name="timezone" value={hours.timezone} maxLength={64} />
              </div>
            </Form>
          );
        }}
      </Loaded>
    </section>
  );
}
