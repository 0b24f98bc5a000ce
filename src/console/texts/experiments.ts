import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { exactNumber, signedRate } from '../format.ts';
import { counted } from './counted.ts';

export const experiments = {
  title: 'Experiments',
  all: 'All experiments',
  none: 'No experiment yet',
  draft: 'Draft',
  result: 'Difference to the first arm',
  noResult: 'no figures yet',
  shareOfControl: (share: number) => signedRate(share),
  resultMeaning:
    'Bars are 95% intervals in percent of the first arm’s figure; the grey band is the margin',
  oneAtATime: 'One experiment of onboardings runs at a time, and any number of flags',
  question: 'Which arm is better, and may I stop?',
  name: 'Name',
  status: 'State',
  statuses: { draft: 'Draft', running: 'Running', stopped: 'Stopped' },
  arms: 'Arms',
  started: 'Started',
  stopped: 'Stopped',
  empty:
    'Make two versions of your onboarding, give each to a part of the people, and see which one more of them finish.',
  add: 'New experiment',
  create: 'Create the draft',
  draftWhy: 'Nobody is shown a draft. You see how long it will take before you start it.',
  arm: (letter: string) => `Arm ${letter}`,
  control: 'what the others are compared with',
  armName: 'Name of the arm',
  anArm: 'Arm',
  weight: 'Weight',
  weightHint: 'Share of people, in proportion to all weights.',
  onboarding: 'Onboarding',
  newContent: 'New content …',
  content: 'Content (JSON)',
  contentHint: 'Your app knows what it means; at most 16 KB.',
  notJson: 'This is not JSON yet:',
  addArm: 'Add an arm',
  removeArm: 'Remove the arm',
  fixed: 'Weights, contents and what is measured are fixed once it has run.',
  measured: 'What decides',
  measuredBy: 'The conversion in the default funnel, as it is at the start:',
  noFunnel: 'This app has no default funnel yet, so nothing would decide.',
  toFunnels: 'Funnels',
  margin: 'Margin (%)',
  marginHint: 'A difference smaller than this share of the first arm’s figure does not matter.',
  window: 'Hours after the exposure',
  windowHint: 'What a person does later does not count.',
  cap: 'Cap revenue per person at percentile',
  capped: (people: number, most: string, percentile: number) =>
    `${counted(people, 'person', 'people')} paid more than ${most}, the ${percentile}th percentile of those who paid, and ${people === 1 ? 'counts' : 'count'} with that.`,
  metric: (number: number) => `Metric ${number}`,
  kind: 'Counts',
  kinds: {
    event: 'who did an event',
    trial: 'who started a free trial',
    revenue: 'what a person paid',
    funnel: 'who went through the funnel',
  },
  event: 'Event',
  eventHint: 'Left out unless it counts who did an event.',
  role: 'Role',
  roles: { deciding: 'decides', guardrail: 'only warns when it gets worse' },
  better: 'Better is',
  betters: { higher: 'more', lower: 'less' },
  addMetric: 'Add a metric',
  removeMetric: 'Remove the metric',
  save: 'Save the draft',
  saved: 'Saved.',
  start: 'Start',
  startAsks: (name: string) => `Start “${name}”?`,
  startsAll: 'Everybody takes part.',
  startsPart: (layer: string, from: number, to: number) =>
    `${from} to ${to} % of layer “${layer}” take part.`,
  startsArm: (share: string, name: string) => `${share} see ${name}`,
  differ: 'Arms differ in',
  differs: { onboarding: 'the onboarding', flags: 'values of flags' },
  takesPart: 'Who takes part',
  everybody: 'Everybody',
  forSegment: (name: string) => `For “${name}”: choose it under Flags once the draft is made.`,
  exclusive: 'Exclusive to other experiments',
  layer: 'Layer',
  layerHint:
    'A name such as “prices”. Nobody is in two running experiments of one layer: each takes a part of its people. Left empty, people may be in others too.',
  fromPercent: 'From (%)',
  toPercent: 'To (%)',
  layers: 'Parts in use',
  part: (layer: string, from: number, to: number, name: string) =>
    `${layer}: ${from} to ${to}\u00A0% by “${name}”`,
  inLayer: (layer: string, from: number, to: number) =>
    `${from} to ${to}\u00A0% of layer “${layer}”.`,
  flags: 'Flags in this experiment',
  noFlags: 'No flag has a rule by this experiment yet, so its arms change nothing.',
  flag: 'Flag',
  flagIsOff: 'off: everybody gets its off variant',

  armGets: (arm: string, variant: string) => `${arm}: ${variant}`,
  give: 'Set values',
  variantOf: (arm: string) => `Variant of “${arm}”`,
  place: 'Where',
  places: { after: 'after its other rules', before: 'before its other rules' },
  whyFlag: 'Why, for the history of the flag',
  ruleWhy: (name: string) => `Experiment “${name}”`,
  withoutFlags: 'This app has no further flag.',
  takeRule: (flag: string) => `Remove the rule of “${flag}”`,
  takeRuleButton: 'Remove',
  stop: 'Stop',
  stopLossOfFlags:
    'No one else is counted, and its flag rules stop applying. A stopped experiment does not start again.',
  shipLossOfFlags:
    'The experiment ends, and within 5 seconds everybody gets the variants of this arm. Another arm of this experiment cannot be shipped later.',
  stopLoss:
    'Nobody more is counted, and everybody sees the default onboarding again. A stopped experiment does not start again.',
  ship: (arm: string) => `Ship “${arm}”`,
  shipLoss:
    'The experiment ends, and within 5 seconds everybody sees the onboarding of this arm. Another arm of this experiment cannot be shipped later.',
  shipLeader: 'Ship the leader',
  shipAgainst: (verdict: string, arm: string) =>
    `${verdict} Nothing says that “${arm}” is better; shipping it is your decision.`,
  moreActs: 'More',
  startedOn: (time: string) => `since ${time}`,
  stoppedOn: (time: string) => `stopped ${time}`,
  through: (time: string) => `Data through ${time}`,
  to: ' to ',
  shipped: (arm: string, when: string) => `“${arm}” was shipped on ${when}: everybody sees it.`,
  remove: 'Delete',
  removeLoss: 'The experiment and its report are gone. The onboardings of its arms stay.',
  sizes: 'How long it will take',
  sizesMeaning:
    'People of all arms together until a difference of this size, if it is there, is found in four of five experiments, at today’s rate and traffic. “Five months” is an answer: then a bolder change is a better use of them.',
  sizesFrom: (people: number, days: number, rate: string, perDay: number) =>
    `Of ${counted(people, 'person', 'people')} in ${counted(days, 'day', 'days')} ${rate} went through the funnel; ${counted(perDay, 'person comes', 'people come')} a day.`,
  sizesFew: (people: number, days: number | null) =>
    `${people} of ${MINIMUM_PEOPLE} people: too few for a rate.${
      days === null ? '' : ` At today’s pace there are enough in ${counted(days, 'day', 'days')}.`
    }`,
  difference: 'Minimum detectable difference',
  people: 'People',
  time: 'Time',
  days: (days: number) =>
    days < 60
      ? counted(days, 'day', 'days')
      : days < 730
        ? counted(Math.round(days / 30), 'month', 'months')
        : counted(Math.round(days / 365), 'year', 'years'),
  running: (days: number) => `It has run for ${counted(days, 'full day', 'full days')}.`,
  ranFor: (days: number) => `It ran for ${counted(days, 'full day', 'full days')}.`,
  did: 'Did it',
  paid: 'Paid in all',
  share: 'Share',
  perPerson: 'A person',
  interval: '95% interval',
  toControl: (arm: string) => `Difference to “${arm}”`,
  few: (people: number) => `${people} of ${MINIMUM_PEOPLE} people`,
  verdicts: {
    better: 'better',
    worse: 'worse',
    no_difference: 'no difference that matters',
    not_decided: 'not decided',
  },
  meaning:
    'Counted are people who saw one arm only, were not shown it by hand, and whose time after the exposure is over. The interval of a difference holds however often you look; it says nothing before seven full days. The grey band is the margin.',
  counted: (people: number, exposed: number, hours: number) =>
    `${exactNumber(people)} of ${counted(exposed, 'exposed person', 'exposed people')} ${people === 1 ? 'is' : 'are'} counted: those whose ${counted(hours, 'hour is', 'hours are')} over.`,
  nobodyEntered:
    'Nobody who was exposed did the first step of the funnel. Check that the app sends it, and which funnel is the default.',
  splits: {
    as_expected: (counts: string, p: string) =>
      `Split as planned: ${counts} people, which chance alone explains (${p}; the alarm is below 0.001)`,
    do_not_trust: (counts: string, p: string) =>
      `People did not fall into the arms as the weights say: ${counts}, which chance does not explain (${p}). Something is wrong with the split itself, so no figure here means anything.`,
    too_few_people: 'Too few people to check the split',
  },
  mixed: (people: number) =>
    people === 0
      ? 'Nobody saw two arms.'
      : `${counted(people, 'person saw two arms and counts', 'people saw two arms and count')} in none.`,
  overridden: (people: number) =>
    `${counted(people, 'person saw an arm by hand and counts', 'people saw an arm by hand and count')} in none.`,
  joined: (joined: number, purchases: number) =>
    `${exactNumber(joined)} of ${counted(purchases, 'purchase', 'purchases')} could be joined to a person.`,
  overrides: 'See an arm on your own device',
  overridesWhy:
    'The device shows this arm whatever it is assigned, and its person counts in no report from then on. Live events shows the id of a device as it opens the app.',
  device: 'Id of the device (anonymous id)',
  show: 'Show it',
  takeBack: 'Revoke',
  since: 'Since',
  onboardings: 'Onboardings',
  isDefault: 'this one',
  shownTo: 'Everybody else sees',
  makeDefault: 'Make it the default',
  defaultLoss: 'Everybody outside a running experiment sees this one instead, within 5 seconds.',
  wasShipped: (arm: string) => `“${arm}” shipped`,
  edit: 'Edit the content',
  saveContent: 'Save the content',
  contentNow: 'People of a running experiment see a change at once.',
} as const;
