import type { StoreReview } from '../providers/store/port.ts';
import { seeded } from '../shared/random.ts';
import { DAY_MS, HOUR_MS } from '../shared/time.ts';
import { STORY } from './market.ts';

type Text = readonly [rating: number, title: string, body: string];

const CONTENT: readonly Text[] = [
  [5, 'Exactly enough', 'One button, one number. It does what a timer should do and stays quiet.'],
  [5, 'My mornings are back', 'Two blocks before the first mail. I have not missed a day since.'],
  [5, 'Worth the year', 'Paid after the trial without a second thought.'],
  [5, 'Great on the watch', 'Starts in a second, and the ring is readable at a glance.'],
  [4, 'Very good', 'I would love a longer break after the fourth round.'],
  [4, 'Nearly perfect', 'The statistics could show a whole year.'],
  [4, 'Good, wants a widget', 'Please bring the weekly chart to the home screen.'],
  [3, 'Fine', 'Does its job. The sounds are a matter of taste.'],
  [5, 'Calm', 'No streaks that shout at me. Thank you.'],
  [2, 'Too dear for a timer', 'A monthly plan is a lot for this.'],
];
const BROKEN: readonly Text[] = [
  [1, 'Cannot buy it', 'The plans do not load, the button stays grey. I want to pay!'],
  [1, 'Paywall is broken', 'Since the update I only see a spinner where the prices were.'],
  [2, 'Was better', 'I wanted to renew and gave up after three tries.'],
  [1, 'Update broke it', 'It asks me to subscribe and then shows nothing.'],
  [4, 'Still good', 'Timer works, the shop does not at the moment.'],
];
const REPAIRED: readonly Text[] = [
  [5, 'Fixed within days', 'The last update repaired the plans. Quick team.'],
  [5, 'Back to five stars', 'Subscribing works again.'],
];

const NICKNAMES = [
  'earlybird_77',
  'Marlene K',
  'dev.null',
  'threetomatoes',
  'J. Okafor',
  'nightshift',
  'Ludo',
  'paperback',
  'Ingrid S',
  'wanderer_22',
] as const;
const TERRITORIES = [
  ['US', 55],
  ['DE', 16],
  ['GB', 13],
  ['FR', 9],
  ['CA', 7],
] as const;
const ON_A_DAY = 1.4;
const ON_A_BROKEN_DAY = 4.2;

const { badRelease } = STORY;

/** Reviews of the day of a release come after it. */
const isBroken = (daysAgo: number) =>
  daysAgo <= badRelease.fromDaysAgo && daysAgo > badRelease.toDaysAgo;

function textsOf(daysAgo: number): readonly Text[] {
  if (isBroken(daysAgo)) return BROKEN;
  return daysAgo <= badRelease.toDaysAgo ? [...CONTENT, ...REPAIRED] : CONTENT;
}

/** More and worse ones while the bad release is on sale. */
export function drawReviews(seed: number, nowMs: number): StoreReview[] {
  const random = seeded(seed);
  const reviews: StoreReview[] = [];
  for (let daysAgo = STORY.launchedDaysAgo; daysAgo > 0; daysAgo -= 1) {
    const count = Math.floor((isBroken(daysAgo) ? ON_A_BROKEN_DAY : ON_A_DAY) + random.next());
    for (let index = 0; index < count; index += 1) {
      const texts = textsOf(daysAgo);
      const [rating, title, body] = random.pick(texts.map((text) => [text, 1] as const));
      reviews.push({
        reviewId: `demo-${daysAgo}-${index}`,
        rating,
        title,
        body,
        nickname: random.pick(NICKNAMES.map((name) => [name, 1] as const)),
        territory: random.pick(TERRITORIES),
        createdAt: new Date(nowMs - daysAgo * DAY_MS + random.between(0, 23) * HOUR_MS),
      });
    }
  }
  return reviews;
}
