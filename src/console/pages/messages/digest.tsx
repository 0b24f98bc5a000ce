import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { messages as t } from '../../texts/messages.ts';

/** No zone puts its clocks forward over these. */
const HOURS = [4, 5, 6, 7, 8, 9, 10, 11, 12].map(
  (hour) => [String(hour), `${String(hour).padStart(2, '0')}:00`] as const,
);

/** Whether and when the morning digest comes. */
export function Digest() {
  const settings = useQuery('digest settings', (signal) =>
    api.getDigestSettings(undefined, { signal }),
  );
  const save = async (fields: Fields) => {
    await api.setDigestSettings({
      body: {
        isOn: fields.get('isOn') === 'on',
        timezone: fields.get('timezone').trim(),
        hour: Number(fields.get('hour')),
      },
    });
    settings.refetch();
  };
  return (
    <section>
      <h2>{t.digest}</h2>
      <p>{t.digestWhy}</p>
      <Loaded query={settings}>
        {({ isOn, hour, timezone }) => (
          <Form button={t.save} done={t.saved} onSubmit={save}>
            <div class="row">
              <Choice
                label={t.isOn}
                name="isOn"
                options={[
                  ['on', t.on],
                  ['off', t.off],
                ]}
                value={isOn ? 'on' : 'off'}
              />
              <Choice label={t.hour} name="hour" options={HOURS} value={String(hour)} />
              <Field label={t.timezone} name="timezone" value={timezone} maxLength={64} />
            </div>
          </Form>
        )}
      </Loaded>
    </section>
  );
}
