import { when } from '../../format.ts';
import { Page } from '../../parts/page.tsx';
import { Answered } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuestion } from '../../state/question.ts';
import { texts } from '../../texts/index.ts';

const t = texts.status;
const POLL_SECONDS = 15;

export function Status() {
  const status = useQuestion(
    'status',
    (signal) => api.getStatus(undefined, { signal }),
    POLL_SECONDS,
  );
  return (
    <Page title={t.title} question={t.question} help="runbook">
      <Answered asked={status.value} again={status.again}>
        {({ ok, checkedAt, dependencies }) => (
          <>
            <p class={ok ? 'good' : 'warning'}>
              <strong>{ok ? t.ok : t.notOk}</strong>
            </p>
            <Table
              caption={t.title}
              rows={dependencies}
              keyOf={({ name }) => name}
              columns={[
                { label: t.dependency, show: ({ name }) => name },
                {
                  label: t.state,
                  show: ({ status: state }) => (
                    <strong class={state === 'up' ? 'good' : 'bad'}>{t[state]}</strong>
                  ),
                },
                { label: t.detail, show: ({ detail }) => detail },
              ]}
            />
            <p class="quiet">
              {t.checked} {when(checkedAt)}
            </p>
          </>
        )}
      </Answered>
    </Page>
  );
}
