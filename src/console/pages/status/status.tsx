import { gigabytes, when } from '../../format.ts';
import { Facts } from '../../parts/facts.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useServiceStatus } from '../../state/service-status.ts';
import { texts } from '../../texts/index.ts';
import { status as t } from '../../texts/status.ts';
import { Backup } from './backup.tsx';

export function Status() {
  const status = useServiceStatus();
  return (
    <Page title={t.title} question={t.question} help="runbook">
      <Loaded query={status}>
        {({ ok, checkedAt, dependencies, release, diskFreeBytes, temporalUiUrl, backups }) => (
          <>
            <p class={ok ? 'good' : 'warning'}>
              <strong>{ok ? t.ok : t.notOk}</strong>
            </p>
            <Table
              caption={t.title}
              rows={dependencies}
              keyOf={({ name }) => name}
              csvName="status"
              columns={[
                { label: t.dependency, show: ({ name }) => name },
                {
                  label: t.state,
                  show: ({ status: state }) => (
                    <strong class={state === 'up' ? 'good' : 'bad'}>{t[state]}</strong>
                  ),
                  plain: ({ status: state }) => state,
                },
                { label: t.detail, show: ({ detail }) => detail },
              ]}
            />
            <Facts
              rows={[
                [t.release, release],
                [t.disk, diskFreeBytes === null ? null : gigabytes(diskFreeBytes)],
                [t.backup, <Backup key="backup" backups={backups} />],
                [
                  t.more,
                  <span key="more">
                    <a href="/docs" target="_blank" rel="noreferrer">
                      {texts.nav.api}
                    </a>
                    {temporalUiUrl && (
                      <>
                        {', '}
                        <a href={temporalUiUrl} target="_blank" rel="noreferrer">
                          {t.workflows}
                        </a>
                      </>
                    )}
                  </span>,
                ],
              ]}
            />
            <p class="quiet">
              {t.checked} {when(checkedAt)}
            </p>
          </>
        )}
      </Loaded>
    </Page>
  );
}
