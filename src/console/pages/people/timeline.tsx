import { useSignal } from '@preact/signals';
import { dayIn, dayWithWeekday, duration, locale, momentIn, when } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { downloadCsv } from '../../parts/download.ts';
import * as icons from '../../parts/icons.ts';
import { Segmented } from '../../parts/segmented.tsx';
import { useChoice } from '../../state/address.ts';
import { contextWords } from '../../state/context-words.ts';
import { moment } from '../../texts/moment.ts';
import { people as t } from '../../texts/people.ts';
import {
  type Experiment,
  type Happening,
  happeningsOf,
  isExposure,
  type Kind,
  othersOf,
} from './happenings.ts';
import { MoreRows } from './more-rows.tsx';
import type { Customer, Event, Person } from './queries.ts';
import { pathOf, type Session, sessionsOf } from './sessions.ts';

const PAGE = 60;
const PATH_NAMES = 4;
const KINDS = ['all', 'event', 'purchase', 'arm', 'grant'] as const;
const ICONS = {
  event: icons.activity,
  purchase: icons.purchases,
  arm: icons.experiments,
  grant: icons.added,
} satisfies Record<Kind, unknown>;

type Line = { key: string; at: string } & ({ session: Session } | { happening: Happening });

function linesOf(all: readonly Session[], others: readonly Happening[]): Line[] {
  return [
    ...all.map((session) => ({ key: `session ${session.id}`, at: session.from, session })),
    ...others.map((happening, index) => ({
      key: `${happening.kind} ${happening.at} ${index}`,
      at: happening.at,
      happening,
    })),
  ].toSorted((a, b) => b.at.localeCompare(a.at));
}

const Clock = ({ at, zone }: { at: string; zone: string }) => (
  <time dateTime={at} title={moment.yours(when(at))} class="line-time">
    {new Intl.DateTimeFormat(locale, {
      hour: 'numeric',
      minute: '2-digit',
      timeZone: zone,
    }).format(new Date(at))}
  </time>
);

function EventRow({ event, zone }: { event: Event; zone: string }) {
  const { name, occurredAt, props } = event;
  return (
    <li class="session-event">
      <Clock at={occurredAt} zone={zone} />
      <span>{name}</span>
      {props && Object.keys(props).length > 0 && <code>{JSON.stringify(props)}</code>}
    </li>
  );
}

function SessionLine({ session, zone }: { session: Session; zone: string }) {
  const { events, from, to } = session;
  const { names, more } = pathOf(session, PATH_NAMES);
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000;
  const facts = [
    t.eventCount(events.length),
    seconds > 0 && duration(seconds),
    ...contextWords(events[0]),
  ].filter(Boolean);
  return (
    <details class="session">
      <summary class="line">
        <Clock at={from} zone={zone} />
        <icons.activity class="small" />
        <span class="line-what">
          {names.join(' → ')}
          {more > 0 && <span class="quiet"> {t.moreNames(more)}</span>}
        </span>
        <span class="line-facts quiet">{facts.join(' · ')}</span>
      </summary>
      <ol>
        {events.map((event, index) => (
          <EventRow key={`${event.occurredAt} ${index}`} event={event} zone={zone} />
        ))}
      </ol>
    </details>
  );
}

function HappeningLine({ happening, zone }: { happening: Happening; zone: string }) {
  const { at, kind, what, details, href } = happening;
  const Glyph = ICONS[kind];
  return (
    <div class={`line ${kind}`}>
      <Clock at={at} zone={zone} />
      <Glyph class="small" />
      <span class="line-what">
        <span class="skip">{t.kind[kind]}: </span>
        {href ? <a href={href}>{what}</a> : <strong>{what}</strong>}
      </span>
      <span class="line-facts quiet">{details}</span>
    </div>
  );
}

function Lines({ lines, zone }: { lines: readonly Line[]; zone: string }) {
  const shown = useSignal(PAGE);
  if (lines.length === 0) return <p class="line-none quiet">{t.nothing}</p>;
  const days = Map.groupBy(lines.slice(0, shown.value), ({ at }) => dayIn(at, zone));
  return (
    <>
      <ol class="timeline">
        {[...days].map(([day, all]) => (
          <li key={day}>
            <h3>{dayWithWeekday(day)}</h3>
            <ol>
              {all.map((line) => (
                <li key={line.key}>
                  {'session' in line ? (
                    <SessionLine session={line.session} zone={zone} />
                  ) : (
                    <HappeningLine happening={line.happening} zone={zone} />
                  )}
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
      <MoreRows shown={shown} of={lines.length} page={PAGE} />
    </>
  );
}

export function Timeline(props: {
  person: Person;
  customer: Customer | null;
  experiments: readonly Experiment[];
  zone: string;
}) {
  const { person, customer, experiments, zone } = props;
  const [kind, choose] = useChoice('show', KINDS);
  const isOf = (one: Kind) => kind === 'all' || kind === one;
  const own = person.events.filter((event) => !isExposure(event));
  const lines = linesOf(
    isOf('event') ? sessionsOf(own) : [],
    othersOf(person.events, customer, experiments).filter((one) => isOf(one.kind)),
  );
  const saveCsv = () =>
    downloadCsv('person.csv', [
      [t.time, t.aKind, t.what, t.details],
      ...happeningsOf(person.events, customer, experiments)
        .filter((one) => isOf(one.kind))
        .map((one) => [one.at, t.kind[one.kind], one.what, one.details]),
    ]);
  return (
    <Card
      title={t.timeline}
      flush
      csv={saveCsv}
      actions={
        <Segmented
          label={t.show}
          compact
          options={KINDS.map((one) => [one, t.kinds[one]] as const)}
          value={kind}
          onChange={choose}
        />
      }
      class="person-timeline"
    >
      {!person.isWhole && (
        <p class="notice warn">
          {t.truncated(person.events.length, momentIn(own.at(-1)?.occurredAt ?? '', zone))}
        </p>
      )}
      <Lines key={kind} lines={lines} zone={zone} />
    </Card>
  );
}
