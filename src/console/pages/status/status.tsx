import { gigabytes, when } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import * as icons from '../../parts/icons.ts';
import { type Look, Looks } from '../../parts/looks.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import type { api } from '../../state/api.ts';
import { useServiceStatus } from '../../state/service-status.ts';
import { texts } from '../../texts/index.ts';
import { status as t } from '../../texts/status.ts';
import { Backup, isBackupMissing } from './backup.tsx';

type ServiceStatus = Awaited<ReturnType<typeof api.getStatus>>;
type Dependency = ServiceStatus['dependencies'][number];

const NAMES: Readonly<Record<string, string>> = t.names;

const lookOf = ({ name, status, detail }: Dependency): Look => ({
  key: name,
  icon: status === 'up' ? icons.check : icons.problem,
  tone: status === 'up' ? 'good' : 'bad',
  title: (
    <>
      {NAMES[name] ?? name.replaceAll('_', ' ')} <span class="quiet">{t[status]}</span>
    </>
  ),
  text: detail,
});

const noBackup: Look = {
  key: 'backup',
  icon: icons.backup,
  tone: 'warn',
  title: t.backups.none,
  text: t.backups.noneWhy,
  link: { href: '/help/runbook#backups-by-themselves', text: t.backups.guide, isDocument: true },
};

const byState = (one: Dependency, other: Dependency): number =>
  Number(one.status === 'up') - Number(other.status === 'up');

const More = ({ temporalUiUrl }: Pick<ServiceStatus, 'temporalUiUrl'>) => (
  <>
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
  </>
);

function Whole({ status }: { status: ServiceStatus }) {
  const { ok, dependencies, release, diskFreeBytes, temporalUiUrl, backups } = status;
  return (
    <>
      <p class="say">{ok ? t.ok : t.notOk}</p>
      {isBackupMissing(backups) && (
        <Card title={t.backup} flush>
          <Looks looks={[noBackup]} />
        </Card>
      )}
      <div class="grid two stretch">
        <Card title={t.parts} flush>
          <Looks looks={dependencies.toSorted(byState).map(lookOf)} />
        </Card>
        <Card title={t.service}>
          <Facts
            rows={[
              [t.release, release],
              [t.disk, diskFreeBytes === null ? null : gigabytes(diskFreeBytes)],
              [t.backup, <Backup key="backup" backups={backups} />],
              [t.more, <More key="more" temporalUiUrl={temporalUiUrl} />],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

export function Status() {
  const status = useServiceStatus();
  const { data } = status.value;
  return (
    <Page question={t.question} help="runbook" foot={data ? [t.checked(when(data.checkedAt))] : []}>
      <Loaded query={status} skeleton={<Skeleton shape="rows" count={6} />}>
        {(known) => <Whole status={known} />}
      </Loaded>
    </Page>
  );
}
