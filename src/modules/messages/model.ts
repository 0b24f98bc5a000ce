import { type Static, Type } from '@sinclair/typebox';
import { Named, Nullable, OneOf } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';

export const MAX_APPS = 20;

/** Each has its switch. */
export const MESSAGE_KINDS = ['alert', 'subscriber', 'refund', 'billing_problem', 'watch'] as const;
const Kind = OneOf(MESSAGE_KINDS);
export type MessageKind = Static<typeof Kind>;

export const QuietHours = Named(
  'QuietHours',
  {
    timezone: Text(1, 64, { description: 'IANA name, such as Europe/Berlin.' }),
    fromHour: Type.Integer({ minimum: 0, maximum: 23 }),
    toHour: Type.Integer({ minimum: 0, maximum: 23 }),
  },
  {
    description:
      'From one full hour of the zone to another, over midnight too. What happens meanwhile is told at their end.',
  },
);
export type QuietHours = Static<typeof QuietHours>;

const Fields = {
  alerts: Type.Boolean({ description: 'Insights that ask to act, when they begin.' }),
  subscribers: Type.Boolean({ description: 'One line for each new subscription.' }),
  refunds: Type.Boolean({ description: 'One line for each refund.' }),
  billingProblems: Type.Boolean({
    description: 'One line for each renewal that the store could not charge.',
  }),
  quietHours: Nullable(QuietHours),
};
const WATCHES = Type.Boolean({ description: 'Watches of saved questions, when they go beyond.' });
export const MessageSettings = Named('MessageSettings', { ...Fields, watches: WATCHES });
export type MessageSettings = Static<typeof MessageSettings>;

/** Watches stay as they are when left out: callers of before do not know them. */
export const ChangeMessageSettings = Named(
  'ChangeMessageSettings',
  { ...Fields, watches: Type.Optional(WATCHES) },
  {
    examples: [
      {
        alerts: true,
        subscribers: true,
        refunds: true,
        billingProblems: true,
        watches: true,
        quietHours: { timezone: 'Europe/Berlin', fromHour: 22, toHour: 7 },
      },
    ],
  },
);
export type ChangeMessageSettings = Static<typeof ChangeMessageSettings>;

export const ALL_OFF = {
  alerts: false,
  subscribers: false,
  refunds: false,
  billingProblems: false,
  watches: false,
} satisfies Partial<MessageSettings>;

/** Without a row. A watch is made to be told. */
export const NO_SETTINGS: MessageSettings = { ...ALL_OFF, watches: true, quietHours: null };

export type NewMessage = {
  messageId: string;
  appId: string;
  kind: MessageKind;
  text: string;
};

export const Message = Type.Object({
  id: Type.String(),
  kind: Kind,
  appId: Type.String(),
  appName: Type.String(),
  text: Type.String(),
  at: Type.String(),
});
export type Message = Static<typeof Message>;

export const SWITCHES = {
  alert: 'alerts',
  subscriber: 'subscribers',
  refund: 'refunds',
  billing_problem: 'billingProblems',
  watch: 'watches',
} as const satisfies Record<MessageKind, keyof MessageSettings>;

export const wants = (settings: MessageSettings, kind: MessageKind): boolean =>
  settings[SWITCHES[kind]];

const What = OneOf(['digest', 'messages']);

export const OffQuery = Type.Object({
  org: Text(1, 64),
  token: Text(1, 100),
  what: Type.Optional(What),
  destination: Type.Optional(Text(1, 64)),
});
export type OffQuery = Static<typeof OffQuery>;

/** Everything for one destination, else one kind for the organization. */
export type Ends = { org: string; what: Static<typeof What>; destination?: string };
