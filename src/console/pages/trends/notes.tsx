import { calendarDay } from '../../format.ts';
import { Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import type { Mark } from '../../state/marks.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';

const t = texts.trends.notes;

/** The marks of the chart in words, and a form for a note of one's own. */
export function Notes(props: { appId: string; marks: readonly Mark[]; again: () => void }) {
  const { appId, marks, again } = props;
  const remove = async (markId: string) => {
    await api.deleteMark({ id: appId, markId });
    again();
  };
  return (
    <details>
      <summary>{t.title(marks.length)}</summary>
      <ul>
        {marks.map(({ day, text, id }) => (
          <li key={`${day} ${text}`}>
            <span class="quiet">{calendarDay(day)}</span> {text}{' '}
            {id && mayManage.value && (
              <button type="button" class="link" onClick={() => void remove(id)}>
                {t.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Form
        button={t.add}
        notAllowed={!mayManage.value && texts.faults.managersOnly}
        onSubmit={async (fields) => {
          await api.createMark({
            id: appId,
            body: { day: fields.get('day'), text: fields.get('text') },
          });
          again();
        }}
      >
        <Field
          label={t.day}
          name="day"
          value={new Date().toISOString().slice(0, 10)}
          pattern="\d{4}-\d{2}-\d{2}"
          autocomplete="off"
        />
        <Field label={t.text} name="text" autocomplete="off" />
      </Form>
    </details>
  );
}
