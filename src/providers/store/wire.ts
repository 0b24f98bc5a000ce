import { Type } from '@sinclair/typebox';
import { Nullable, parser } from '../../shared/schema.ts';

const Optional = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Optional(Nullable(schema));

const Links = Type.Object({ next: Optional(Type.String()) });

const ErrorBody = Type.Object({
  errors: Type.Array(
    Type.Object({
      code: Type.String(),
      title: Type.Optional(Type.String()),
      detail: Type.Optional(Type.String()),
      source: Optional(Type.Object({ parameter: Optional(Type.String()) })),
    }),
    { minItems: 1 },
  ),
});

const AppsPage = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String({ minLength: 1 }),
      attributes: Optional(
        Type.Object({
          name: Optional(Type.String()),
          bundleId: Optional(Type.String()),
          sku: Optional(Type.String()),
        }),
      ),
    }),
  ),
  links: Links,
});

const Version = Type.Object({
  attributes: Optional(
    Type.Object({
      platform: Optional(Type.String()),
      versionString: Optional(Type.String()),
      appStoreState: Optional(Type.String()),
      appVersionState: Optional(Type.String()),
      createdDate: Optional(Type.String()),
    }),
  ),
});
const VersionsPage = Type.Object({ data: Type.Array(Version), links: Links });

const BuildsPage = Type.Object({
  data: Type.Array(
    Type.Object({
      attributes: Optional(
        Type.Object({
          iconAssetToken: Optional(Type.Object({ templateUrl: Optional(Type.String()) })),
        }),
      ),
    }),
  ),
});

const Review = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  attributes: Type.Object({
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    title: Optional(Type.String()),
    body: Optional(Type.String()),
    reviewerNickname: Optional(Type.String()),
    createdDate: Type.String(),
    territory: Optional(Type.String()),
  }),
});
const ReviewsPage = Type.Object({ data: Type.Array(Review), links: Links });

const WebhookAnswer = Type.Object({
  data: Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) }),
});

const Id = Type.String({ minLength: 1, maxLength: 200 });
const ReportRequest = Type.Object({
  id: Id,
  attributes: Type.Object({
    accessType: Type.String(),
    stoppedDueToInactivity: Optional(Type.Boolean()),
  }),
});
const ReportRequestsPage = Type.Object({ data: Type.Array(ReportRequest), links: Links });
const MadeReportRequest = Type.Object({ data: Type.Object({ id: Id }) });
const ReportsPage = Type.Object({
  data: Type.Array(Type.Object({ id: Id, attributes: Type.Object({ name: Type.String() }) })),
  links: Links,
});
const InstancesPage = Type.Object({
  data: Type.Array(
    Type.Object({ id: Id, attributes: Type.Object({ processingDate: Type.String() }) }),
  ),
  links: Links,
});
const SegmentsPage = Type.Object({
  data: Type.Array(
    Type.Object({
      attributes: Type.Object({
        url: Type.String({ maxLength: 8000 }),
        checksum: Optional(Type.String()),
      }),
    }),
  ),
  links: Links,
});

export type ReviewWire = (typeof Review)['static'];
const InAppPurchase = Type.Object({
  id: Type.String({ minLength: 1 }),
  attributes: Optional(
    Type.Object({
      name: Optional(Type.String()),
      productId: Optional(Type.String()),
      inAppPurchaseType: Optional(Type.String()),
      state: Optional(Type.String()),
      familySharable: Optional(Type.Boolean()),
    }),
  ),
});
const InAppPurchasesPage = Type.Object({ data: Type.Array(InAppPurchase), links: Links });

const GroupsPage = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String({ minLength: 1 }),
      attributes: Optional(Type.Object({ referenceName: Optional(Type.String()) })),
    }),
  ),
  links: Links,
});

const Subscription = Type.Object({
  id: Type.String({ minLength: 1 }),
  attributes: Optional(
    Type.Object({
      name: Optional(Type.String()),
      productId: Optional(Type.String()),
      state: Optional(Type.String()),
      subscriptionPeriod: Optional(Type.String()),
      groupLevel: Optional(Type.Integer()),
      familySharable: Optional(Type.Boolean()),
    }),
  ),
});
const SubscriptionsPage = Type.Object({ data: Type.Array(Subscription), links: Links });

export type InAppPurchaseWire = (typeof InAppPurchase)['static'];
export type SubscriptionWire = (typeof Subscription)['static'];
export type VersionWire = (typeof Version)['static'];

export const errorBody = parser(ErrorBody, 'store error');
export const appsPage = parser(AppsPage, 'store apps');
export const versionsPage = parser(VersionsPage, 'store versions');
export const inAppPurchasesPage = parser(InAppPurchasesPage, 'store in-app purchases');
export const groupsPage = parser(GroupsPage, 'store subscription groups');
export const subscriptionsPage = parser(SubscriptionsPage, 'store subscriptions');
export const buildsPage = parser(BuildsPage, 'store builds');
export const reviewsPage = parser(ReviewsPage, 'store reviews');
export const webhookAnswer = parser(WebhookAnswer, 'store webhook');
export const reportRequestsPage = parser(ReportRequestsPage, 'store report requests');
export const madeReportRequest = parser(MadeReportRequest, 'store report request');
export const reportsPage = parser(ReportsPage, 'store reports');
export const instancesPage = parser(InstancesPage, 'store report instances');
export const segmentsPage = parser(SegmentsPage, 'store report segments');
