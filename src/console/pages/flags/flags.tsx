import { useLocation, useRoute } from 'preact-iso';
import type { Flag } from '../../../../clients/api/src/index.ts';
import { ago } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import type { Column } from '../../parts/table.tsx';
import { useAddress } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useExperiments } from '../../state/experiments.ts';
import { useSegments } from '../../state/segments.ts';
import { whyNotEdit } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { flags as t } from '../../texts/flags.ts';
import { isDead } from './dead.ts';
import { Experiments } from './experiments.tsx';
import { History } from './history.tsx';
import { NewFlag } from './new-flag.tsx';
import { Rules } from './rules.tsx';
import { sentencesOf } from './sentence-texts.ts';
import { Sentences } from './sentences.tsx';
import { Switch } from './switch.tsx';

const EVERY_SECONDS = 30;

const State = ({ flag }: { flag: Flag }) => (
  <>
    <span class={flag.isOn ? 'chip good' : 'chip'}>{flag.isOn ? t.on : t.off}</span>
    {isDead(flag, Date.now()) && <span class="chip warn">{t.dead}</span>}
  </>
);

type KeyName = (id: string | null) => string;

function askedText({ asks }: Flag, keyName: KeyName): string {
  if (asks.lastAt !== null) return t.asked(ago(asks.lastAt), asks.times, keyName(asks.lastKeyId));
  return asks.inBulkAt === null ? t.never : t.bulk(ago(asks.inBulkAt));
}

function columnsOf(keyName: KeyName): Column<Flag>[] {
  return [
    {
      label: t.key,
      show: ({ key }) => key,
      second: ({ description }) => description,
      sort: true,
      narrow: true,
    },
    {
      label: t.state,
      show: (flag) => <State flag={flag} />,
      plain: ({ isOn }) => (isOn ? t.on : t.off),
      narrow: true,
    },
    {
      label: t.rules,
      show: (flag) => <Sentences flag={flag} />,
      plain: (flag) => sentencesOf(flag).join(' '),
    },
    {
      label: t.lastAsked,
      show: (flag) => askedText(flag, keyName),
      plain: ({ asks }) => asks.lastAt,
      sort: true,
    },
    {
      label: t.switch,
      isAct: true,
      show: (flag) => <Switch flag={flag} />,
      narrow: true,
    },
  ];
}

function One({ flag, keyName }: { flag: Flag; keyName: KeyName }) {
  const { route } = useLocation();
  return (
    <>
      <p class="row">
        <a href={`/apps/${flag.appId}/flags`}>{t.back}</a>
        <strong>{flag.key}</strong>
        <Switch flag={flag} />
        <Confirmed
          button={t.delete}
          title={t.named(t.delete, flag.key)}
          loss={t.loss}
          name={flag.key}
          notAllowed={whyNotEdit.value}
          onConfirm={async () => {
            await api.deleteFlag({ id: flag.appId, flagId: flag.id });
            route(`/apps/${flag.appId}/flags`, true);
          }}
          inRow
        />
      </p>
      {flag.description && <p>{flag.description}</p>}
      <p>
        <State flag={flag} />
      </p>
      <p>
        {t.lastAsked}: {askedText(flag, keyName)}
      </p>
      <Rules key={flag.version} flag={flag} />
      <Experiments flag={flag} />
      <Card title={t.variants}>
        <ul class="sentences">
          {flag.variants.map(({ name, value }) => (
            <li key={name}>
              {name}: <code>{JSON.stringify(value)}</code>
            </li>
          ))}
        </ul>
      </Card>
      <History key={`history ${flag.version}`} flag={flag} />
    </>
  );
}

export function Flags() {
  const appId = useRoute().params.id ?? '';
  const { query } = useAddress();
  const flags = useApi(api.listFlags, { id: appId }, { everySeconds: EVERY_SECONDS });
  const keys = useApi(api.listPublishableKeys, { id: appId });
  useSegments(appId);
  useExperiments(appId);
  const dead = (flags.value.data ?? []).filter((flag) => isDead(flag, Date.now())).length;
  const flag = flags.value.data?.find(({ id }) => id === query.flag);
  const keyName: KeyName = (id) => keys.value.data?.find((key) => key.id === id)?.name ?? '';
  return (
    <Page
      question={t.question}
      help="flags"
      actions={<NewFlag appId={appId} />}
      foot={flags.value.data?.length ? [t.deadCount(dead)] : []}
    >
      {flag ? (
        <Loaded query={flags}>{() => <One flag={flag} keyName={keyName} />}</Loaded>
      ) : (
        <ListCard
          title={t.title}
          query={flags}
          empty={{ icon: icons.flags, title: t.empty, text: t.emptyText }}
          keyOf={({ id }) => id}
          rowHref={({ id }) => `/apps/${appId}/flags?flag=${id}`}
          csvName="flags"
          columns={columnsOf(keyName)}
        />
      )}
    </Page>
  );
}
