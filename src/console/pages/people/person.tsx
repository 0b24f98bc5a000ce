import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { exactNumber, when } from '../../format.ts';
import { Confirmed } from '../../parts/confirm.tsx';
import { download } from '../../parts/download.ts';
import { Page } from '../../parts/page.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { ErrorNotice, Loaded } from '../../parts/states.tsx';
import { api, type RequestError, toRequestError } from '../../state/api.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { people as t } from '../../texts/people.ts';
import { visible } from '../../visible.ts';
import { Purchases, Why } from './entitlement.tsx';
import { Grants } from './grants.tsx';
import { type Person, readPerson, useCustomer, usePerson } from './queries.ts';
import { Timeline } from './timeline.tsx';

function Export({ appId, personId }: { appId: string; personId: string }) {
  const error = useSignal<RequestError | null>(null);
  const isFetching = useSignal(false);
  const save = async () => {
    isFetching.value = true;
    error.value = null;
    try {
      const { isWhole: _, ...person } = await readPerson(appId, personId, {
        maxPages: Number.POSITIVE_INFINITY,
      });
      const text = JSON.stringify(person, null, 2);
      download('person.json', new Blob([text], { type: 'application/json' }));
    } catch (caught) {
      error.value = toRequestError(caught);
    }
    isFetching.value = false;
  };
  return (
    <>
      <button type="button" onClick={save} disabled={isFetching.value}>
        {t.export}
      </button>
      {error.value && <ErrorNotice error={error.value} />}
    </>
  );
}

/** Whose id it is, and what is known of them at a glance. */
function About({ appId, asked, person }: { appId: string; asked: string; person: Person }) {
  const { personId, anonymousIds, events } = person;
  // In order of receipt; an arm that was shown has no platform.
  const byTime = events.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt));
  const [first, last] = [byTime[0], byTime.at(-1)];
  const app = byTime.findLast(({ platform }) => platform !== null);
  const facts = [app?.platform, app?.appVersion, app?.country].filter(Boolean).join(' ');
  return (
    <>
      {personId !== asked && (
        <p class="notice">
          {t.deviceOf} <PersonLink appId={appId} personId={personId} />.
        </p>
      )}
      <p class="quiet">
        {first && `${t.first} ${when(first.occurredAt)} · `}
        {last && `${t.last} ${when(last.occurredAt)}${person.isWhole ? '' : ' …'} · `}
        {facts && `${facts} · `}
        {exactNumber(events.length)} {t.events.toLowerCase()}
        {anonymousIds.length > 0 && ` · ${t.devices}: ${anonymousIds.map(visible).join(', ')}`}
      </p>
    </>
  );
}

function Known({ appId, personId, person }: { appId: string; personId: string; person: Person }) {
  const customer = useCustomer(appId, personId);
  const isDevice =
    person.personId !== personId ||
    (person.anonymousIds.length === 0 &&
      person.events.length > 0 &&
      person.events.every(({ userId }) => userId !== personId));
  return (
    <Loaded query={customer}>
      {(found) => (
        <>
          {found === null && person.events.length + person.records.length === 0 && (
            <p class="notice">{t.unknown}</p>
          )}
          <About appId={appId} asked={personId} person={person} />
          <Why customer={found} refetch={customer.refetch} />
          {found && <Purchases appId={appId} customer={found} />}
          <Grants
            appId={appId}
            personId={personId}
            grants={found?.grants ?? []}
            isDevice={isDevice}
            onChange={customer.refetch}
          />
          <Timeline appId={appId} person={person} customer={found} />
        </>
      )}
    </Loaded>
  );
}

export function PersonPage() {
  const { params, query } = useRoute();
  // A link of an earlier release has the id in its path.
  const [appId = '', personId = ''] = [params.id, query.id ?? params.personId];
  return <OnePerson key={personId} appId={appId} personId={personId} />;
}

function OnePerson({ appId, personId }: { appId: string; personId: string }) {
  const person = usePerson(appId, personId);
  const isErased = useSignal(false);
  const { data } = person.value;
  const erase = async () => {
    await api.erasePerson({ id: appId, personId });
    isErased.value = true;
  };
  return (
    <Page
      title={visible(personId)}
      question={t.question}
      help="console#people"
      actions={
        <>
          <a href={`/apps/${appId}/people`}>{t.title}</a>
          {!isErased.value && (
            <>
              <Export appId={appId} personId={personId} />
              <Confirmed
                button={t.erase}
                title={t.eraseTitle(visible(personId))}
                loss={t.eraseLoss(data?.events.length ?? 0, data?.anonymousIds.length ?? 0)}
                name={visible(personId)}
                notAllowed={!mayManage.value && texts.errors.managersOnly}
                onConfirm={erase}
              />
            </>
          )}
        </>
      }
    >
      {isErased.value ? (
        <p class="notice" role="status">
          {t.erased}
        </p>
      ) : (
        <Loaded query={person}>
          {(found) => <Known key={personId} appId={appId} personId={personId} person={found} />}
        </Loaded>
      )}
    </Page>
  );
}
