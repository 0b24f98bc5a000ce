import { calendarDay, dayIn } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import type { Mark } from '../../state/marks.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { trends as trendsTexts } from '../../texts/trends.ts';

const t = trendsTexts.notes;

/** The marks of the chart in words, and a form for a note of one's own. */
export function Notes(props: { appId: string; marks: readonly Mark[]; refetch: () => void }) {
  const { appId, marks, refetch } = props;
  const remove = async (markId: string) => {
    await api.deleteMark({ id: appId, markId });
    refetch();
    return undefined;
  };
  return (
    <details>
      <summary>{t.title(marks.length)}</summary>
      <ul>
        {marks.map(({ day, text, id }) => (
          <li key={`${day} ${text}`}>
            <span class="quiet">{calendarDay(day)}</span> {text}{' '}
            {id && mayManage.value && <ActionButton button={t.remove} act={() => remove(id)} />}
          </li>
        ))}
      </ul>
      <Form
        button={t.add}
        notAllowed={!mayManage.value && texts.errors.managersOnly}
        onSubmit={async (fields) => {
          await api.createMark({
            id: appId,
            body: { day: fields.get('day'), text: fields.get('text') },
          });
          refetch();
        }}
      >
        <Field
          label={t.day}
          name="day"
          value={dayIn(new Date().toISOString())}
          pattern="\d{4}-\d{2}-\d{2}"
          autocomplete="off"
        />
        <Field label={t.text} name="text" autocomplete="off" />
      </Form>
    </details>
  );
}
