// Written by `bun clients/api/generate.ts` from the OpenAPI document; not to be edited.

/** Every code that an error of the service can have. */
export type ErrorCode =
  | 'invalid_input'
  | 'malformed_json'
  | 'no_active_organization'
  | 'confirmation_mismatch'
  | 'invalid_batch'
  | 'store_credentials_rejected'
  | 'invalid_transaction'
  | 'transaction_not_for_app'
  | 'not_signed_in'
  | 'invalid_api_key'
  | 'invalid_service_key'
  | 'invalid_signature'
  | 'permission_denied'
  | 'store_role_missing'
  | 'store_agreement_required'
  | 'origin_not_allowed'
  | 'not_found'
  | 'store_app_not_found'
  | 'store_not_connected'
  | 'not_available'
  | 'method_not_allowed'
  | 'app_already_imported'
  | 'slug_taken'
  | 'conflict'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'store_rate_limited'
  | 'internal'
  | 'provider_rejected'
  | 'store_unavailable'
  | 'store_not_configured'
  | 'provider_not_configured'
  | 'secret_storage_unavailable'
  | 'unavailable';

/** What each method takes and gives. */
export interface Operations {
  /** Is this process ready to serve? (`GET /healthz`) */
  getHealthz: { input: Record<never, never>; output: { ok: boolean; service: string } };
  /** The dependencies of the service and what works without them (`GET /v1/status`) */
  getStatus: {
    input: Record<never, never>;
    output: {
      service: string;
      ok: boolean;
      checkedAt: string;
      dependencies: { name: string; status: 'up' | 'down'; detail: string }[];
    };
  };
  /** Prometheus metrics (loopback, or with the metrics token) (`GET /metrics`) */
  getMetrics: { input: Record<never, never>; output: string };
  /** Make an account (`POST /v1/auth/sign-up/email`) */
  postAuthSignUpEmail: {
    input: { body: { name: string; email: string; password: string; invitationId?: string } };
    output: { user: { id: string; name: string; email: string; createdAt: string } };
  };
  /** Sign in; sets the session cookie (`POST /v1/auth/sign-in/email`) */
  postAuthSignInEmail: {
    input: { body: { email: string; password: string; rememberMe?: boolean } };
    output: { user: { id: string; name: string; email: string; createdAt: string } };
  };
  /** Sign out (`POST /v1/auth/sign-out`) */
  postAuthSignOut: { input: Record<never, never>; output: { success: true } };
  /** Read the current session, null when not signed in (`GET /v1/auth/get-session`) */
  getAuthGetSession: {
    input: Record<never, never>;
    output: {
      user: { id: string; name: string; email: string; createdAt: string };
      expiresAt: string;
      activeOrganizationId: string | null;
      role: 'owner' | 'admin' | 'member' | 'viewer' | null;
    } | null;
  };
  /** Have a link mailed that sets a new password (`POST /v1/auth/request-password-reset`) */
  postAuthRequestPasswordReset: { input: { body: { email: string } }; output: { status: true } };
  /** Set a new password with the secret of a mailed link (`POST /v1/auth/reset-password`) */
  postAuthResetPassword: {
    input: { body: { token: string; newPassword: string } };
    output: { status: true };
  };
  /** Change the password; ends every other session (`POST /v1/auth/change-password`) */
  postAuthChangePassword: {
    input: { body: { currentPassword: string; newPassword: string } };
    output: { status: true };
  };
  /** End every other session of this account (`POST /v1/auth/revoke-other-sessions`) */
  postAuthRevokeOtherSessions: { input: Record<never, never>; output: { status: true } };
  /** List the organizations that you belong to (`GET /v1/auth/organization/list`) */
  getAuthOrganizationList: {
    input: Record<never, never>;
    output: { id: string; name: string; slug: string; createdAt: string }[];
  };
  /** Make an organization, which becomes the active one (`POST /v1/auth/organization/create`) */
  postAuthOrganizationCreate: {
    input: { body: { name: string; slug?: string } };
    output: { id: string; name: string; slug: string; createdAt: string };
  };
  /** Change the name or slug of the active organization (`POST /v1/auth/organization/update`) */
  postAuthOrganizationUpdate: {
    input: { body: { name?: string; slug?: string } };
    output: { id: string; name: string; slug: string; createdAt: string };
  };
  /** Choose the organization that this session works in (`POST /v1/auth/organization/set-active`) */
  postAuthOrganizationSetActive: {
    input: { body: { organizationId: string | null } };
    output: {
      user: { id: string; name: string; email: string; createdAt: string };
      expiresAt: string;
      activeOrganizationId: string | null;
      role: 'owner' | 'admin' | 'member' | 'viewer' | null;
    } | null;
  };
  /** Leave an organization; its last owner cannot (`POST /v1/auth/organization/leave`) */
  postAuthOrganizationLeave: {
    input: { body: { organizationId: string } };
    output: { status: true };
  };
  /** List the members of the active organization (`GET /v1/auth/organization/list-members`) */
  getAuthOrganizationListMembers: {
    input: Record<never, never>;
    output: {
      id: string;
      userId: string;
      name: string;
      email: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      createdAt: string;
    }[];
  };
  /** Take a member out of the active organization (`POST /v1/auth/organization/remove-member`) */
  postAuthOrganizationRemoveMember: {
    input: { body: { memberId: string } };
    output: { status: true };
  };
  /** Give a member another role (`POST /v1/auth/organization/update-member-role`) */
  postAuthOrganizationUpdateMemberRole: {
    input: { body: { memberId: string; role: 'owner' | 'admin' | 'member' | 'viewer' } };
    output: {
      id: string;
      userId: string;
      name: string;
      email: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      createdAt: string;
    };
  };
  /** List the open invitations, without their secrets (`GET /v1/auth/organization/list-invitations`) */
  getAuthOrganizationListInvitations: {
    input: Record<never, never>;
    output: {
      email: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      expiresAt: string;
      createdAt: string;
    }[];
  };
  /** Invite somebody; the secret is mailed, or else shown this once (`POST /v1/auth/organization/invite-member`) */
  postAuthOrganizationInviteMember: {
    input: { body: { email: string; role: 'owner' | 'admin' | 'member' | 'viewer' } };
    output: {
      email: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      expiresAt: string;
      createdAt: string;
      id: string | null;
      link: string | null;
      mailed: boolean;
    };
  };
  /** End the open invitation to an address (`POST /v1/auth/organization/cancel-invitation`) */
  postAuthOrganizationCancelInvitation: {
    input: { body: { email: string } };
    output: { status: true };
  };
  /** Read an invitation to your address (`GET /v1/auth/organization/get-invitation`) */
  getAuthOrganizationGetInvitation: {
    input: { query: { id: string } };
    output: {
      organizationId: string;
      organizationName: string;
      inviterEmail: string;
      email: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      expiresAt: string;
    };
  };
  /** Join the organization of an invitation (`POST /v1/auth/organization/accept-invitation`) */
  postAuthOrganizationAcceptInvitation: {
    input: { body: { invitationId: string } };
    output: {
      user: { id: string; name: string; email: string; createdAt: string };
      expiresAt: string;
      activeOrganizationId: string | null;
      role: 'owner' | 'admin' | 'member' | 'viewer' | null;
    } | null;
  };
  /** Turn an invitation down (`POST /v1/auth/organization/reject-invitation`) */
  postAuthOrganizationRejectInvitation: {
    input: { body: { invitationId: string } };
    output: { status: true };
  };
  /** List the organization's keys, revoked ones included (`GET /v1/organization/keys`) */
  getOrganizationKeys: {
    input: Record<never, never>;
    output: {
      id: string;
      name: string;
      prefix: string;
      permissions: (
        | 'analytics:read'
        | 'analytics:sync'
        | 'integration:manage'
        | 'app:read'
        | 'app:update'
        | 'app:delete'
      )[];
      createdAt: string;
      revokedAt: string | null;
      createdBy: string | null;
      lastUsedAt: string | null;
    }[];
  };
  /** Make an organization key; its secret is shown this once (`POST /v1/organization/keys`) */
  postOrganizationKeys: {
    input: {
      body: {
        name: string;
        permissions: (
          | 'analytics:read'
          | 'analytics:sync'
          | 'integration:manage'
          | 'app:read'
          | 'app:update'
          | 'app:delete'
        )[];
      };
    };
    output: {
      key: {
        id: string;
        name: string;
        prefix: string;
        permissions: (
          | 'analytics:read'
          | 'analytics:sync'
          | 'integration:manage'
          | 'app:read'
          | 'app:update'
          | 'app:delete'
        )[];
        createdAt: string;
        revokedAt: string | null;
        createdBy: string | null;
        lastUsedAt: string | null;
      };
      secret: string;
    };
  };
  /** Revoke an organization key (`DELETE /v1/organization/keys/{keyId}`) */
  deleteOrganizationKeysByKeyId: { input: { keyId: string }; output: undefined };
  /** Delete the active organization and everything that it owns (`DELETE /v1/organization`) */
  deleteOrganization: {
    input: { query: { confirm: string } };
    output: { deleted: true; id: string; name: string; note: string };
  };
  /** List the organization's apps, newest first (`GET /v1/apps`) */
  getApps: {
    input: Record<never, never>;
    output: {
      id: string;
      orgId: string;
      slug: string;
      displayName: string;
      region: 'us-east-1' | 'us-west-1' | 'eu-west-1';
      status: 'provisioning' | 'active' | 'paused' | 'error';
      source: 'built_here' | 'imported' | 'website';
      bundleId: string | null;
      storeAppId: string | null;
      iconUrl: string | null;
      store: {
        state:
          | 'not_submitted'
          | 'waiting_for_review'
          | 'in_review'
          | 'rejected'
          | 'pending_release'
          | 'live'
          | 'removed'
          | 'unknown';
        version: string | null;
        checkedAt: string | null;
      } | null;
      createdAt: string;
      backend: { projectRef: string; connected: boolean } | null;
    }[];
  };
  /** Create an app; it is provisioned in the background (`POST /v1/apps`) */
  postApps: {
    input: {
      body: { slug: string; displayName: string; region?: 'us-east-1' | 'us-west-1' | 'eu-west-1' };
    };
    output: {
      id: string;
      orgId: string;
      slug: string;
      displayName: string;
      region: 'us-east-1' | 'us-west-1' | 'eu-west-1';
      status: 'provisioning' | 'active' | 'paused' | 'error';
      source: 'built_here' | 'imported' | 'website';
      bundleId: string | null;
      storeAppId: string | null;
      iconUrl: string | null;
      store: {
        state:
          | 'not_submitted'
          | 'waiting_for_review'
          | 'in_review'
          | 'rejected'
          | 'pending_release'
          | 'live'
          | 'removed'
          | 'unknown';
        version: string | null;
        checkedAt: string | null;
      } | null;
      createdAt: string;
      backend: { projectRef: string; connected: boolean } | null;
    };
  };
  /** Read an app (`GET /v1/apps/{id}`) */
  getAppsById: {
    input: { id: string };
    output: {
      id: string;
      orgId: string;
      slug: string;
      displayName: string;
      region: 'us-east-1' | 'us-west-1' | 'eu-west-1';
      status: 'provisioning' | 'active' | 'paused' | 'error';
      source: 'built_here' | 'imported' | 'website';
      bundleId: string | null;
      storeAppId: string | null;
      iconUrl: string | null;
      store: {
        state:
          | 'not_submitted'
          | 'waiting_for_review'
          | 'in_review'
          | 'rejected'
          | 'pending_release'
          | 'live'
          | 'removed'
          | 'unknown';
        version: string | null;
        checkedAt: string | null;
      } | null;
      createdAt: string;
      backend: { projectRef: string; connected: boolean } | null;
    };
  };
  /** Delete an app and everything that belongs to it (`DELETE /v1/apps/{id}`) */
  deleteAppsById: {
    input: { id: string; query?: { confirm?: string } };
    output: { deleted: true; id: string; displayName: string; note: string };
  };
  /** The settings of an app (`GET /v1/apps/{id}/settings`) */
  getAppSettings: { input: { id: string }; output: { timezone: string } };
  /** Change some of the settings of an app (`PATCH /v1/apps/{id}/settings`) */
  updateAppSettings: {
    input: { id: string; body: { timezone?: string } };
    output: { timezone: string };
  };
  /** List the publishable keys of an app, revoked ones included (`GET /v1/apps/{id}/keys`) */
  getAppsByIdKeys: {
    input: { id: string };
    output: {
      id: string;
      appId: string;
      name: string;
      prefix: string;
      environment?: 'production' | 'development';
      createdAt: string;
      revokedAt: string | null;
    }[];
  };
  /** Make a publishable key; its secret is shown this once (`POST /v1/apps/{id}/keys`) */
  postAppsByIdKeys: {
    input: { id: string; body: { name?: string; environment?: 'production' | 'development' } };
    output: {
      key: {
        id: string;
        appId: string;
        name: string;
        prefix: string;
        environment?: 'production' | 'development';
        createdAt: string;
        revokedAt: string | null;
      };
      secret: string;
    };
  };
  /** Revoke a publishable key; it stays in the list (`DELETE /v1/apps/{id}/keys/{keyId}`) */
  deleteAppsByIdKeysByKeyId: { input: { id: string; keyId: string }; output: undefined };
  /** Connect a backend project to an app, a new one unless told which (`POST /v1/apps/{id}/backend`) */
  postAppsByIdBackend: {
    input: { id: string; body: { existingProjectRef?: string } };
    output: { appId: string; projectRef: string; url: string; connected: true };
  };
  /** Read the social connections of an app as they were last seen (`GET /v1/apps/{id}/marketing/connections`) */
  getAppsByIdMarketingConnections: {
    input: { id: string };
    output: {
      appId: string;
      photo_feed: {
        status: 'not_connected' | 'connected';
        handle: string | null;
        displayName: string | null;
        profileImageUrl: string | null;
        connectedAt: string | null;
      };
      short_video: {
        status: 'not_connected' | 'connected';
        handle: string | null;
        displayName: string | null;
        profileImageUrl: string | null;
        connectedAt: string | null;
      };
      lastCheckedAt: string | null;
      publisherUsername: string | null;
    };
  };
  /** Open a hosted page on which a platform is connected (`POST /v1/apps/{id}/marketing/connections/{platform}/connect`) */
  postAppsByIdMarketingConnectionsByPlatformConnect: {
    input: { id: string; platform: string };
    output: { accessUrl: string };
  };
  /** Check the social connections against the provider (`POST /v1/apps/{id}/marketing/connections/refresh`) */
  postAppsByIdMarketingConnectionsRefresh: {
    input: { id: string };
    output: {
      appId: string;
      photo_feed: {
        status: 'not_connected' | 'connected';
        handle: string | null;
        displayName: string | null;
        profileImageUrl: string | null;
        connectedAt: string | null;
      };
      short_video: {
        status: 'not_connected' | 'connected';
        handle: string | null;
        displayName: string | null;
        profileImageUrl: string | null;
        connectedAt: string | null;
      };
      lastCheckedAt: string | null;
      publisherUsername: string | null;
    };
  };
  /** List the posts that wait to be published, soonest first (`GET /v1/apps/{id}/marketing/scheduled`) */
  getAppsByIdMarketingScheduled: {
    input: { id: string };
    output: {
      jobId: string;
      scheduledAt: string;
      postType: string;
      platforms: string[];
      title: string | null;
      caption: string | null;
      previewUrl: string | null;
      thumbnailUrl: string | null;
    }[];
  };
  /** Read what was published, newest first (`GET /v1/apps/{id}/marketing/history`) */
  getAppsByIdMarketingHistory: {
    input: { id: string };
    output: {
      posts: {
        platform: string;
        mediaType: string;
        publishedAt: string;
        success: boolean;
        postUrl: string | null;
        title: string | null;
        caption: string | null;
        errorMessage: string | null;
      }[];
      total: number;
    };
  };
  /** Read the performance of each connected platform (`GET /v1/apps/{id}/marketing/analytics`) */
  getAppsByIdMarketingAnalytics: {
    input: { id: string };
    output: {
      platform: 'photo_feed' | 'short_video';
      followers: number | null;
      reach: number | null;
      views: number | null;
      impressions: number | null;
      likes: number | null;
      comments: number | null;
      shares: number | null;
      primaryMetric: 'reach' | 'views' | 'impressions' | null;
      timeseries: { date: string; value: number }[];
    }[];
  };
  /** Read the preview session of an app (`GET /v1/apps/{id}/preview`) */
  getAppsByIdPreview: {
    input: { id: string };
    output: {
      available: boolean;
      phase: 'starting' | 'installing' | 'ready' | 'error' | 'stopping' | 'stopped';
      ready: boolean;
      webUrl: string | null;
      expoUrl: string | null;
      version: number | null;
      errors: string[];
      error: string | null;
      startedAt: string | null;
    };
  };
  /** Start the preview of an app, unless it is running (`POST /v1/apps/{id}/preview`) */
  postAppsByIdPreview: {
    input: { id: string };
    output: {
      available: boolean;
      phase: 'starting' | 'installing' | 'ready' | 'error' | 'stopping' | 'stopped';
      ready: boolean;
      webUrl: string | null;
      expoUrl: string | null;
      version: number | null;
      errors: string[];
      error: string | null;
      startedAt: string | null;
    };
  };
  /** Stop the preview of an app (`DELETE /v1/apps/{id}/preview`) */
  deleteAppsByIdPreview: {
    input: { id: string };
    output: {
      available: boolean;
      phase: 'starting' | 'installing' | 'ready' | 'error' | 'stopping' | 'stopped';
      ready: boolean;
      webUrl: string | null;
      expoUrl: string | null;
      version: number | null;
      errors: string[];
      error: string | null;
      startedAt: string | null;
    };
  };
  /** Search the log entries of the organization, newest first (`GET /v1/logs`) */
  getLogs: {
    input: {
      query?: {
        resource?: string;
        level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
        q?: string;
        since?: number;
        until?: number;
        env?: string;
        requestId?: string;
        limit?: number;
      };
    };
    output: {
      entries: Record<string, unknown>[];
      resources: string[];
      envs: string[];
      total: number;
      source: 'database' | 'memory';
      dropped: number;
    };
  };
  /** Write a log entry (`POST /v1/logs`) */
  postLogs: {
    input: {
      body: {
        level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
        message: string;
        service?: string;
        fields?: Record<string, unknown>;
      };
    };
    output: { accepted: true };
  };
  /** Read the survey of the signed-in person (`GET /v1/onboarding`) */
  getOnboarding: {
    input: Record<never, never>;
    output: {
      completed: boolean;
      source:
        | 'search'
        | 'ai_assistant'
        | 'forum'
        | 'news_aggregator'
        | 'microblog'
        | 'code_host'
        | 'video_site'
        | 'friend'
        | 'content'
        | 'other'
        | null;
      building: string | null;
      completedAt: string | null;
    };
  };
  /** Answer the survey; again to change the answers (`POST /v1/onboarding`) */
  postOnboarding: {
    input: {
      body: {
        source?:
          | 'search'
          | 'ai_assistant'
          | 'forum'
          | 'news_aggregator'
          | 'microblog'
          | 'code_host'
          | 'video_site'
          | 'friend'
          | 'content'
          | 'other';
        sourceDetail?: string;
        building?: string;
      };
    };
    output: {
      completed: boolean;
      source:
        | 'search'
        | 'ai_assistant'
        | 'forum'
        | 'news_aggregator'
        | 'microblog'
        | 'code_host'
        | 'video_site'
        | 'friend'
        | 'content'
        | 'other'
        | null;
      building: string | null;
      completedAt: string | null;
    };
  };
  /** Send a batch of events of a shipped app (`POST /v1/events`) */
  postEvents: {
    input: {
      body: {
        events: {
          id?: string;
          name: string;
          ts?: string;
          anonymousId: string;
          userId?: string;
          sessionId?: string;
          props?: Record<string, string | number | boolean | null>;
        }[];
        context?: {
          platform?: 'ios' | 'android' | 'web' | 'macos' | 'other';
          appVersion?: string;
          osVersion?: string;
          locale?: string;
          country?: string;
        };
      };
    };
    output: { accepted: number };
  };
  /** Everything that is stored about a person (`GET /v1/apps/{id}/people/{personId}`) */
  getAppsByIdPeopleByPersonId: {
    input: { id: string; personId: string; query?: { cursor?: string; limit?: number } };
    output: {
      personId: string;
      anonymousIds: string[];
      events: {
        name: string;
        occurredAt: string;
        receivedAt: string;
        ts: string | null;
        timeFlag: string | null;
        personId: string;
        anonymousId: string;
        userId: string | null;
        sessionId: string | null;
        platform: string | null;
        appVersion: string | null;
        osVersion: string | null;
        locale: string | null;
        country: string | null;
        props: Record<string, unknown> | null;
        id: string | null;
        environment?: 'production' | 'development';
      }[];
      nextCursor: string | null;
    };
  };
  /** Erase a person: at once from every answer, then from every file (`DELETE /v1/apps/{id}/people/{personId}`) */
  deleteAppsByIdPeopleByPersonId: { input: { id: string; personId: string }; output: undefined };
  /** Who sent what in the last days (`GET /v1/apps/{id}/events/summary`) */
  getAppsByIdEventsSummary: {
    input: {
      id: string;
      query?: { days?: number; environment?: 'production' | 'development' | 'all' };
    };
    output: {
      people: number;
      events: number;
      firstEventAt: string | null;
      lastEventAt: string | null;
      names: { name: string; events: number; people: number; standard: boolean }[];
      platforms: { platform: 'ios' | 'android' | 'web' | 'macos' | 'other'; people: number }[];
      versions: { appVersion: string; people: number }[];
    };
  };
  /** The events received last, as they are stored; the last one first (`GET /v1/apps/{id}/events/recent`) */
  getAppsByIdEventsRecent: {
    input: {
      id: string;
      query?: { environment?: 'production' | 'development' | 'all'; limit?: number };
    };
    output: {
      name: string;
      occurredAt: string;
      receivedAt: string;
      ts: string | null;
      timeFlag: string | null;
      personId: string;
      anonymousId: string;
      userId: string | null;
      sessionId: string | null;
      platform: string | null;
      appVersion: string | null;
      osVersion: string | null;
      locale: string | null;
      country: string | null;
      props: Record<string, unknown> | null;
      id: string | null;
      environment?: 'production' | 'development';
    }[];
  };
  /** What became of the events sent, by hour, and why batches were rejected (`GET /v1/apps/{id}/events/ingestion`) */
  getAppsByIdEventsIngestion: {
    input: {
      id: string;
      query?: { days?: number; environment?: 'production' | 'development' | 'all' };
    };
    output: {
      hours: {
        hour: string;
        accepted: number;
        duplicates: number;
        timeCorrected: number;
        rejected: number;
      }[];
      rejected: { reason: string; batches: number; lastAt: string; lastExample: string | null }[];
    };
  };
  /** People and events by hour, day, week or month (`GET /v1/apps/{id}/events/series`) */
  getEventSeries: {
    input: {
      id: string;
      query?: {
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        interval?: 'hour' | 'day' | 'week' | 'month';
        names?: string;
        breakdown?: string;
        compare?: boolean;
        active?: boolean;
      };
    };
    output: {
      window: { from: string; to: string; finishedThrough: string; previousFrom: string | null };
      interval: 'hour' | 'day' | 'week' | 'month';
      timezone: string;
      environment: 'production' | 'development' | 'all';
      totals: {
        people: number;
        events: number;
        previousPeople: number | null;
        previousEvents: number | null;
        peopleChange: number | null;
        eventsChange: number | null;
      };
      points: {
        from: string;
        people: number;
        events: number;
        previousPeople?: number;
        previousEvents?: number;
        partial?: true;
      }[];
      series: {
        key: string;
        totals: {
          people: number;
          events: number;
          previousPeople: number | null;
          previousEvents: number | null;
          peopleChange: number | null;
          eventsChange: number | null;
        };
        points: {
          from: string;
          people: number;
          events: number;
          previousPeople?: number;
          previousEvents?: number;
          partial?: true;
        }[];
      }[];
      active?: {
        points: { from: string; dau: number; wau: number; mau: number; partial?: true }[];
        dauOverMau: number | null;
        previousDauOverMau: number | null;
      };
      computedAt: string;
      dataThrough: string;
    };
  };
  /** List the onboardings of an app, the default first (`GET /v1/apps/{id}/onboardings`) */
  getAppsByIdOnboardings: {
    input: { id: string };
    output: {
      id: string;
      appId: string;
      name: string;
      config: unknown;
      isDefault: boolean;
      createdAt: string;
      updatedAt: string;
    }[];
  };
  /** Create an onboarding (`POST /v1/apps/{id}/onboardings`) */
  postAppsByIdOnboardings: {
    input: { id: string; body: { name: string; config: unknown; isDefault?: boolean } };
    output: {
      id: string;
      appId: string;
      name: string;
      config: unknown;
      isDefault: boolean;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Read an onboarding (`GET /v1/apps/{id}/onboardings/{onboardingId}`) */
  getAppsByIdOnboardingsByOnboardingId: {
    input: { id: string; onboardingId: string };
    output: {
      id: string;
      appId: string;
      name: string;
      config: unknown;
      isDefault: boolean;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Change an onboarding (`PATCH /v1/apps/{id}/onboardings/{onboardingId}`) */
  patchAppsByIdOnboardingsByOnboardingId: {
    input: {
      id: string;
      onboardingId: string;
      body: { name?: string; config?: unknown; isDefault?: boolean };
    };
    output: {
      id: string;
      appId: string;
      name: string;
      config: unknown;
      isDefault: boolean;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Delete an onboarding (`DELETE /v1/apps/{id}/onboardings/{onboardingId}`) */
  deleteAppsByIdOnboardingsByOnboardingId: {
    input: { id: string; onboardingId: string };
    output: undefined;
  };
  /** List the experiments of an app, newest first (`GET /v1/apps/{id}/experiments`) */
  getAppsByIdExperiments: {
    input: { id: string };
    output: {
      id: string;
      appId: string;
      name: string;
      status: 'draft' | 'running' | 'stopped';
      arms: { id: string; name: string; weight: number; onboardingId: string }[];
      createdAt: string;
      startedAt: string | null;
      stoppedAt: string | null;
      measurement: {
        windowHours: number;
        margin: number;
        metrics: {
          id: string;
          name: string;
          kind: 'event' | 'trial' | 'revenue';
          event: string | null;
          where: { prop: string; equals: string } | null;
          role: 'deciding' | 'guardrail';
          better: 'higher' | 'lower';
        }[];
        funnel: {
          id: string;
          steps: { event: string; label: string; where?: { prop: string; equals: string } }[];
        } | null;
      };
      shipped: { armId: string; at: string; by: { kind: 'user' | 'orgKey'; id: string } } | null;
    }[];
  };
  /** Create an experiment as a draft (`POST /v1/apps/{id}/experiments`) */
  postAppsByIdExperiments: {
    input: {
      id: string;
      body: {
        name: string;
        arms: { name: string; weight: number; onboardingId: string }[];
        measurement?: {
          windowHours?: number;
          margin?: number;
          metrics?: {
            name: string;
            kind: 'event' | 'trial' | 'revenue';
            event?: string;
            where?: { prop: string; equals: string };
            role?: 'deciding' | 'guardrail';
            better?: 'higher' | 'lower';
          }[];
        };
      };
    };
    output: {
      id: string;
      appId: string;
      name: string;
      status: 'draft' | 'running' | 'stopped';
      arms: { id: string; name: string; weight: number; onboardingId: string }[];
      createdAt: string;
      startedAt: string | null;
      stoppedAt: string | null;
      measurement: {
        windowHours: number;
        margin: number;
        metrics: {
          id: string;
          name: string;
          kind: 'event' | 'trial' | 'revenue';
          event: string | null;
          where: { prop: string; equals: string } | null;
          role: 'deciding' | 'guardrail';
          better: 'higher' | 'lower';
        }[];
        funnel: {
          id: string;
          steps: { event: string; label: string; where?: { prop: string; equals: string } }[];
        } | null;
      };
      shipped: { armId: string; at: string; by: { kind: 'user' | 'orgKey'; id: string } } | null;
    };
  };
  /** Read an experiment (`GET /v1/apps/{id}/experiments/{experimentId}`) */
  getAppsByIdExperimentsByExperimentId: {
    input: { id: string; experimentId: string };
    output: {
      id: string;
      appId: string;
      name: string;
      status: 'draft' | 'running' | 'stopped';
      arms: { id: string; name: string; weight: number; onboardingId: string }[];
      createdAt: string;
      startedAt: string | null;
      stoppedAt: string | null;
      measurement: {
        windowHours: number;
        margin: number;
        metrics: {
          id: string;
          name: string;
          kind: 'event' | 'trial' | 'revenue';
          event: string | null;
          where: { prop: string; equals: string } | null;
          role: 'deciding' | 'guardrail';
          better: 'higher' | 'lower';
        }[];
        funnel: {
          id: string;
          steps: { event: string; label: string; where?: { prop: string; equals: string } }[];
        } | null;
      };
      shipped: { armId: string; at: string; by: { kind: 'user' | 'orgKey'; id: string } } | null;
    };
  };
  /** Change, start or stop an experiment (`PATCH /v1/apps/{id}/experiments/{experimentId}`) */
  patchAppsByIdExperimentsByExperimentId: {
    input: {
      id: string;
      experimentId: string;
      body: {
        name?: string;
        status?: 'running' | 'stopped';
        arms?: { id?: string; name: string; weight: number; onboardingId: string }[];
        measurement?: {
          windowHours?: number;
          margin?: number;
          metrics?: {
            name: string;
            kind: 'event' | 'trial' | 'revenue';
            event?: string;
            where?: { prop: string; equals: string };
            role?: 'deciding' | 'guardrail';
            better?: 'higher' | 'lower';
          }[];
        };
      };
    };
    output: {
      id: string;
      appId: string;
      name: string;
      status: 'draft' | 'running' | 'stopped';
      arms: { id: string; name: string; weight: number; onboardingId: string }[];
      createdAt: string;
      startedAt: string | null;
      stoppedAt: string | null;
      measurement: {
        windowHours: number;
        margin: number;
        metrics: {
          id: string;
          name: string;
          kind: 'event' | 'trial' | 'revenue';
          event: string | null;
          where: { prop: string; equals: string } | null;
          role: 'deciding' | 'guardrail';
          better: 'higher' | 'lower';
        }[];
        funnel: {
          id: string;
          steps: { event: string; label: string; where?: { prop: string; equals: string } }[];
        } | null;
      };
      shipped: { armId: string; at: string; by: { kind: 'user' | 'orgKey'; id: string } } | null;
    };
  };
  /** Delete an experiment (`DELETE /v1/apps/{id}/experiments/{experimentId}`) */
  deleteAppsByIdExperimentsByExperimentId: {
    input: { id: string; experimentId: string };
    output: undefined;
  };
  /** How the people of each arm converted, and whether the split is sound (`GET /v1/apps/{id}/experiments/{experimentId}/report`) */
  getAppsByIdExperimentsByExperimentIdReport: {
    input: { id: string; experimentId: string };
    output: {
      experimentId: string;
      appId: string;
      name: string;
      status: 'draft' | 'running' | 'stopped';
      funnelId: string | null;
      window: { from: string; to: string };
      conversionWindowHours: number;
      people: number;
      mixedPeople: number;
      minimumPeople: 50;
      sampleRatio: {
        pValue: number | null;
        verdict: 'too_few_people' | 'as_expected' | 'do_not_trust';
      };
      arms: {
        id: string;
        name: string;
        weight: number;
        onboardingId: string;
        people: number;
        verdict: 'ready' | 'too_few_people' | 'no_data';
        converted: number | null;
        rate: number | null;
        rateLow: number | null;
        rateHigh: number | null;
      }[];
      notice?: 'nobody_entered_the_funnel';
      answer?: {
        verdict: 'ahead' | 'not_decided' | 'no_difference';
        reason:
          | 'too_few_days'
          | 'too_few_people'
          | 'split_is_broken'
          | 'interval_too_wide'
          | 'metrics_disagree'
          | null;
        armId: string | null;
        largest: number | null;
        morePeople: number | null;
        moreDays: number | null;
        worseGuardrails: string[];
        text: string;
      };
      measured?: {
        windowHours: number;
        margin: number;
        minimumDays: 7;
        fullDays: number;
        people: number;
        overriddenPeople: number;
        exposedBefore: string;
        controlArmId: string;
        metrics: {
          id: string;
          name: string;
          role: 'deciding' | 'guardrail';
          better: 'higher' | 'lower';
          kind: 'funnel' | 'event' | 'trial' | 'revenue';
          alpha: number;
          arms: { armId: string; people: number; total: number | null; mean: number | null }[];
          differences: {
            armId: string;
            difference: number | null;
            low: number | null;
            high: number | null;
            relative: number | null;
            verdict: 'better' | 'worse' | 'no_difference' | 'not_decided';
            morePeople: number | null;
          }[];
        }[];
        revenue: {
          currency: string;
          capMinor: number | null;
          purchases: number;
          joined: number;
          unconverted: number;
        } | null;
      };
      computedAt: string;
      dataThrough: string;
    };
  };
  /** How many people and days an experiment takes (`GET /v1/apps/{id}/experiments/{experimentId}/sizes`) */
  getExperimentSizes: {
    input: { id: string; experimentId: string; query?: { days?: number } };
    output: {
      experimentId: string;
      funnelId: string | null;
      lookedAtDays: number;
      people: number;
      converted: number;
      rate: number | null;
      peopleADay: number;
      daysUntilRate: number | null;
      power: 0.8;
      sizes: { lift: number; people: number | null; days: number | null; text: string }[];
    };
  };
  /** End an experiment and make the onboarding of an arm the default (`POST /v1/apps/{id}/experiments/{experimentId}/ship`) */
  shipExperimentArm: {
    input: { id: string; experimentId: string; body: { armId: string } };
    output: {
      id: string;
      appId: string;
      name: string;
      status: 'draft' | 'running' | 'stopped';
      arms: { id: string; name: string; weight: number; onboardingId: string }[];
      createdAt: string;
      startedAt: string | null;
      stoppedAt: string | null;
      measurement: {
        windowHours: number;
        margin: number;
        metrics: {
          id: string;
          name: string;
          kind: 'event' | 'trial' | 'revenue';
          event: string | null;
          where: { prop: string; equals: string } | null;
          role: 'deciding' | 'guardrail';
          better: 'higher' | 'lower';
        }[];
        funnel: {
          id: string;
          steps: { event: string; label: string; where?: { prop: string; equals: string } }[];
        } | null;
      };
      shipped: { armId: string; at: string; by: { kind: 'user' | 'orgKey'; id: string } } | null;
    };
  };
  /** List the devices that are shown an arm by hand, newest first (`GET /v1/apps/{id}/experiments/{experimentId}/overrides`) */
  listExperimentOverrides: {
    input: { id: string; experimentId: string };
    output: { anonymousId: string; armId: string; createdAt: string }[];
  };
  /** Show an arm on one device; its person counts in no report from then on (`PUT /v1/apps/{id}/experiments/{experimentId}/overrides`) */
  setExperimentOverride: {
    input: { id: string; experimentId: string; body: { anonymousId: string; armId: string } };
    output: { anonymousId: string; armId: string; createdAt: string };
  };
  /** Show a device again the arm that it is assigned (`DELETE /v1/apps/{id}/experiments/{experimentId}/overrides`) */
  deleteExperimentOverride: {
    input: { id: string; experimentId: string; query: { anonymousId: string } };
    output: undefined;
  };
  /** The onboarding that this person should see, and the arm it came from (`GET /v1/experiments`) */
  getExperiments: {
    input: { query: { anonymousId: string } };
    output: {
      onboarding: { id: string; name: string; config: unknown } | null;
      arm: { experimentId: string; experimentName: string; armId: string; armName: string } | null;
    };
  };
  /** List the webhooks of the organization (`GET /v1/webhooks`) */
  getWebhooks: {
    input: Record<never, never>;
    output: {
      id: string;
      url: string;
      events: (
        | 'app.created'
        | 'app.deleted'
        | 'entitlement.changed'
        | 'store.connection_changed'
      )[];
      createdAt: string;
    }[];
  };
  /** Register an address for events; its secret is shown this once (`POST /v1/webhooks`) */
  postWebhooks: {
    input: {
      body: {
        url: string;
        events: (
          | 'app.created'
          | 'app.deleted'
          | 'entitlement.changed'
          | 'store.connection_changed'
        )[];
      };
    };
    output: {
      webhook: {
        id: string;
        url: string;
        events: (
          | 'app.created'
          | 'app.deleted'
          | 'entitlement.changed'
          | 'store.connection_changed'
        )[];
        createdAt: string;
      };
      secret: string;
    };
  };
  /** Remove a webhook (`DELETE /v1/webhooks/{webhookId}`) */
  deleteWebhooksByWebhookId: { input: { webhookId: string }; output: undefined };
  /** What was delivered, newest first, with every attempt (`GET /v1/webhooks/{webhookId}/deliveries`) */
  getWebhooksByWebhookIdDeliveries: {
    input: { webhookId: string; query?: { cursor?: string; limit?: number } };
    output: {
      deliveries: {
        id: string;
        webhookId: string;
        event: 'app.created' | 'app.deleted' | 'entitlement.changed' | 'store.connection_changed';
        status: 'pending' | 'delivered' | 'failed';
        createdAt: string;
        finishedAt: string | null;
        attempts: {
          attemptedAt: string;
          responseStatus: number | null;
          error: string | null;
          durationMs: number;
        }[];
      }[];
      nextCursor: string | null;
    };
  };
  /** Deliver again (`POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver`) */
  postWebhooksByWebhookIdDeliveriesByDeliveryIdRedeliver: {
    input: { webhookId: string; deliveryId: string };
    output: { accepted: true };
  };
  /** Store conversions and the default funnel together, with recommendations (`GET /v1/apps/{id}/insights`) */
  getAppsByIdInsights: {
    input: { id: string; query?: { days?: number } };
    output: {
      appId: string;
      window: { from: string; to: string; days: number };
      store: {
        downloads: number;
        trials: number;
        subscriptionUnits: number;
        iapUnits: number;
        proceedsMinor: number;
        currency: string;
        downloadToTrial: number | null;
        downloadToPaid: number | null;
      } | null;
      funnel: {
        funnelId: string;
        appId: string;
        name: string;
        window: { from: string; to: string; days: number };
        conversionWindowHours: number;
        timezone: string;
        filters: {
          platform: string | null;
          appVersion: string | null;
          country: string | null;
          property?: { prop: string; equals: string };
        };
        environment?: 'production' | 'development' | 'all';
        people: number;
        maturePeople: number;
        minimumPeople: 50;
        verdict: 'ready' | 'too_few_people' | 'no_data';
        computedAt: string;
        dataThrough: string;
        steps: {
          index: number;
          event: string;
          label: string;
          where: { prop: string; equals: string } | null;
          people: number | null;
          rateFromPrevious: number | null;
          rateFromStart: number | null;
          rateFromPreviousLow: number | null;
          rateFromPreviousHigh: number | null;
          medianSecondsFromPrevious: number | null;
          medianSecondsFromStart: number | null;
          dropped: number | null;
          verdict: 'entry' | 'healthy' | 'leak' | 'biggest_leak' | null;
        }[];
        overall: {
          rate: number | null;
          rateLow: number | null;
          rateHigh: number | null;
          medianSeconds: number | null;
        };
        breakdown: {
          by: string;
          values: {
            value: string;
            people: number;
            verdict: 'ready' | 'too_few_people' | 'no_data';
            steps: {
              index: number;
              event: string;
              label: string;
              where: { prop: string; equals: string } | null;
              people: number | null;
              rateFromPrevious: number | null;
              rateFromStart: number | null;
              rateFromPreviousLow: number | null;
              rateFromPreviousHigh: number | null;
              medianSecondsFromPrevious: number | null;
              medianSecondsFromStart: number | null;
              dropped: number | null;
              verdict: 'entry' | 'healthy' | 'leak' | 'biggest_leak' | null;
            }[];
            overall: {
              rate: number | null;
              rateLow: number | null;
              rateHigh: number | null;
              medianSeconds: number | null;
            };
          }[];
        } | null;
        trend?: {
          from: string;
          people: number;
          verdict: 'ready' | 'too_few_people' | 'no_data';
          rate: number | null;
          rateLow: number | null;
          rateHigh: number | null;
          partial?: boolean;
        }[];
      } | null;
      recommendations: {
        code:
          | 'events_not_arriving'
          | 'store_days_missing'
          | 'too_few_people'
          | 'biggest_leak'
          | 'paywall_before_value'
          | 'trial_not_offered'
          | 'conversion_falling'
          | 'refunds_rising'
          | 'country_buys_but_does_not_convert';
        severity: 'info' | 'warn' | 'act';
        title: string;
        detail: string;
        metric: {
          name: string;
          value: number;
          threshold: number;
          unit: 'people' | 'events' | 'hours' | 'days' | 'units' | 'rate';
        };
        step: number | null;
      }[];
    };
  };
  /** List the funnels of an app, the default first (`GET /v1/apps/{id}/funnels`) */
  getAppsByIdFunnels: {
    input: { id: string };
    output: {
      id: string;
      appId: string;
      name: string;
      steps: { event: string; label: string; where?: { prop: string; equals: string } }[];
      isDefault: boolean;
      createdAt: string;
      updatedAt: string;
    }[];
  };
  /** Make a funnel (`POST /v1/apps/{id}/funnels`) */
  postAppsByIdFunnels: {
    input: {
      id: string;
      body: {
        name: string;
        steps: { event: string; label: string; where?: { prop: string; equals: string } }[];
        isDefault?: boolean;
      };
    };
    output: {
      id: string;
      appId: string;
      name: string;
      steps: { event: string; label: string; where?: { prop: string; equals: string } }[];
      isDefault: boolean;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Edit a funnel: any of name, steps, isDefault (`PUT /v1/apps/{id}/funnels/{funnelId}`) */
  putAppsByIdFunnelsByFunnelId: {
    input: {
      id: string;
      funnelId: string;
      body: {
        name?: string;
        steps?: { event: string; label: string; where?: { prop: string; equals: string } }[];
        isDefault?: boolean;
      };
    };
    output: {
      id: string;
      appId: string;
      name: string;
      steps: { event: string; label: string; where?: { prop: string; equals: string } }[];
      isDefault: boolean;
      createdAt: string;
      updatedAt: string;
    };
  };
  /** Delete a funnel (`DELETE /v1/apps/{id}/funnels/{funnelId}`) */
  deleteAppsByIdFunnelsByFunnelId: { input: { id: string; funnelId: string }; output: undefined };
  /** How many people came how far; with Accept: text/csv the steps as CSV (`GET /v1/apps/{id}/funnels/{funnelId}/report`) */
  getAppsByIdFunnelsByFunnelIdReport: {
    input: {
      id: string;
      funnelId: string;
      query?: {
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        windowHours?: number;
        breakdown?: string;
        interval?: 'day' | 'week';
      };
    };
    output: {
      funnelId: string;
      appId: string;
      name: string;
      window: { from: string; to: string; days: number };
      conversionWindowHours: number;
      timezone: string;
      filters: {
        platform: string | null;
        appVersion: string | null;
        country: string | null;
        property?: { prop: string; equals: string };
      };
      environment?: 'production' | 'development' | 'all';
      people: number;
      maturePeople: number;
      minimumPeople: 50;
      verdict: 'ready' | 'too_few_people' | 'no_data';
      computedAt: string;
      dataThrough: string;
      steps: {
        index: number;
        event: string;
        label: string;
        where: { prop: string; equals: string } | null;
        people: number | null;
        rateFromPrevious: number | null;
        rateFromStart: number | null;
        rateFromPreviousLow: number | null;
        rateFromPreviousHigh: number | null;
        medianSecondsFromPrevious: number | null;
        medianSecondsFromStart: number | null;
        dropped: number | null;
        verdict: 'entry' | 'healthy' | 'leak' | 'biggest_leak' | null;
      }[];
      overall: {
        rate: number | null;
        rateLow: number | null;
        rateHigh: number | null;
        medianSeconds: number | null;
      };
      breakdown: {
        by: string;
        values: {
          value: string;
          people: number;
          verdict: 'ready' | 'too_few_people' | 'no_data';
          steps: {
            index: number;
            event: string;
            label: string;
            where: { prop: string; equals: string } | null;
            people: number | null;
            rateFromPrevious: number | null;
            rateFromStart: number | null;
            rateFromPreviousLow: number | null;
            rateFromPreviousHigh: number | null;
            medianSecondsFromPrevious: number | null;
            medianSecondsFromStart: number | null;
            dropped: number | null;
            verdict: 'entry' | 'healthy' | 'leak' | 'biggest_leak' | null;
          }[];
          overall: {
            rate: number | null;
            rateLow: number | null;
            rateHigh: number | null;
            medianSeconds: number | null;
          };
        }[];
      } | null;
      trend?: {
        from: string;
        people: number;
        verdict: 'ready' | 'too_few_people' | 'no_data';
        rate: number | null;
        rateLow: number | null;
        rateHigh: number | null;
        partial?: boolean;
      }[];
    };
  };
  /** The persons behind one figure of a funnel (`GET /v1/apps/{id}/funnels/{funnelId}/people`) */
  getAppsByIdFunnelsByFunnelIdPeople: {
    input: {
      id: string;
      funnelId: string;
      query: {
        platform?: string;
        appVersion?: string;
        country?: string;
        property?: string;
        days?: number;
        from?: string;
        to?: string;
        timezone?: string;
        environment?: 'production' | 'development' | 'all';
        windowHours?: number;
        step: number;
        dropped?: boolean;
        cursor?: string;
        limit?: number;
      };
    };
    output: { people: { personId: string; reachedAt: string }[]; nextCursor: string | null };
  };
  /** The purchase key of the organization and its status, never the key (`GET /v1/purchases/connection`) */
  getPurchasesConnection: {
    input: Record<never, never>;
    output: {
      orgId: string;
      keyId: string;
      issuerId: string;
      status: 'connected' | 'invalid';
      connectedAt: string;
      lastVerifiedAt: string | null;
      lastError: string | null;
    } | null;
  };
  /** Connect an In-App Purchase key; it is verified with the store first (`PUT /v1/purchases/connection`) */
  putPurchasesConnection: {
    input: { body: { issuerId: string; keyId: string; privateKey: string } };
    output: {
      orgId: string;
      keyId: string;
      issuerId: string;
      status: 'connected' | 'invalid';
      connectedAt: string;
      lastVerifiedAt: string | null;
      lastError: string | null;
    };
  };
  /** Disconnect and delete the purchase key (`DELETE /v1/purchases/connection`) */
  deletePurchasesConnection: { input: Record<never, never>; output: undefined };
  /** Ask for the store's test notification; says when the last one came (`POST /v1/purchases/connection/test`) */
  postPurchasesConnectionTest: {
    input: { body: { appId?: string; environment?: 'Production' | 'Sandbox' } };
    output: {
      requested: true;
      appId: string;
      environment: 'Production' | 'Sandbox';
      lastNotificationAt: string | null;
      lastTestNotificationAt: string | null;
    };
  };
  /** Hand over a completed purchase transaction (`POST /v1/purchases/verify`) */
  postPurchasesVerify: {
    input: { body: { signedTransaction: string; userId?: string; anonymousId?: string } };
    output: {
      entitled: boolean;
      status: 'active' | 'billing_grace' | 'billing_retry' | 'expired' | 'revoked' | 'none';
      productId: string | null;
      expiresAt: string | null;
      graceExpiresAt: string | null;
      willRenew: boolean;
      ownership: 'purchased' | 'family_shared' | null;
      originalTransactionId: string | null;
      environment?: 'Production' | 'Sandbox';
      checkedAt: string;
    };
  };
  /** Whether this person may use what they paid for (`GET /v1/purchases/entitlement`) */
  getPurchasesEntitlement: {
    input: {
      query?: {
        originalTransactionId?: string;
        appAccountToken?: string;
        userId?: string;
        anonymousId?: string;
        productId?: string;
        environment?: 'Production' | 'Sandbox';
      };
    };
    output: {
      entitled: boolean;
      status: 'active' | 'billing_grace' | 'billing_retry' | 'expired' | 'revoked' | 'none';
      productId: string | null;
      expiresAt: string | null;
      graceExpiresAt: string | null;
      willRenew: boolean;
      ownership: 'purchased' | 'family_shared' | null;
      originalTransactionId: string | null;
      environment?: 'Production' | 'Sandbox';
      checkedAt: string;
    };
  };
  /** Store server notifications V2, sent by the store (`POST /v1/purchases/notifications`) */
  postPurchasesNotifications: {
    input: { body: { signedPayload: string } };
    output: { received: true };
  };
  /** Whether a person may use what they paid for, for your backend (`GET /v1/apps/{id}/purchases/entitlement`) */
  getPersonEntitlement: {
    input: {
      id: string;
      query?: {
        originalTransactionId?: string;
        appAccountToken?: string;
        userId?: string;
        anonymousId?: string;
        productId?: string;
        environment?: 'Production' | 'Sandbox';
      };
    };
    output: {
      entitled: boolean;
      status: 'active' | 'billing_grace' | 'billing_retry' | 'expired' | 'revoked' | 'none';
      productId: string | null;
      expiresAt: string | null;
      graceExpiresAt: string | null;
      willRenew: boolean;
      ownership: 'purchased' | 'family_shared' | null;
      originalTransactionId: string | null;
      environment?: 'Production' | 'Sandbox';
      checkedAt: string;
    };
  };
  /** Subscribers and their money: MRR and its movement, trials, churn, refunds (`GET /v1/apps/{id}/purchases/overview`) */
  getPurchasesOverview: {
    input: {
      id: string;
      query?: {
        from?: string;
        to?: string;
        days?: number;
        currency?: string;
        environment?: 'Production' | 'Sandbox';
      };
    };
    output: {
      appId: string;
      from: string;
      to: string;
      days: number;
      asOf: string;
      currency: string;
      environment: 'Production' | 'Sandbox';
      source: 'transactions' | 'reports';
      active: number;
      mrrMinor: number;
      grace: number;
      trials: number;
      freeOffers: number;
      billingRetry: number;
      mrrProceedsMinor: number | null;
      willNotRenew: number;
      subscriptions: {
        start: number;
        'new': number;
        returned: number;
        churned: number;
        end: number;
        recovered: number;
        expanded: number;
        contracted: number;
      };
      mrr: {
        start: number;
        'new': number;
        returned: number;
        expansion: number;
        contraction: number;
        churned: number;
        end: number;
      };
      churn: {
        duration:
          | '1 day'
          | '3 days'
          | '1 week'
          | '2 weeks'
          | '4 weeks'
          | '1 month'
          | '2 months'
          | '3 months'
          | '6 months'
          | '1 year';
        activeAtStart: number;
        churned: number;
        voluntary: number;
        billing: number;
        refund: number;
        other: number;
        returned: number;
        rate: number | null;
        voluntaryRate: number | null;
        billingRate: number | null;
        netRate: number | null;
      }[];
      trialConversion: {
        started: number;
        converted: number;
        rate: number | null;
        cohorts: {
          day: string;
          started: number;
          converted: number;
          pending: number;
          abandoned: number;
        }[];
      };
      refunds: {
        byPurchaseDay: { paid: number; refunded: number; refundRate: number | null };
        byRefundDay: { count: number; amountMinor: number };
      };
      byDay: {
        day: string;
        isComplete: boolean;
        active: number;
        mrrMinor: number;
        grace: number;
        trials: number;
        freeOffers: number;
        billingRetry: number;
        subscriptions: {
          start: number;
          'new': number;
          returned: number;
          churned: number;
          end: number;
          recovered: number;
          expanded: number;
          contracted: number;
        };
        mrr: {
          start: number;
          'new': number;
          returned: number;
          expansion: number;
          contraction: number;
          churned: number;
          end: number;
        };
        refunds: { count: number; amountMinor: number };
      }[];
      byProduct: {
        productId: string;
        active: number;
        mrrMinor: number;
        grace: number;
        trials: number;
        freeOffers: number;
        billingRetry: number;
        subscriptions: {
          start: number;
          'new': number;
          returned: number;
          churned: number;
          end: number;
          recovered: number;
          expanded: number;
          contracted: number;
          switchedIn: number;
          switchedOut: number;
        };
        mrr: {
          start: number;
          'new': number;
          returned: number;
          expansion: number;
          contraction: number;
          churned: number;
          end: number;
          switchedIn: number;
          switchedOut: number;
        };
      }[];
      byCountry: {
        country: string;
        active: number;
        mrrMinor: number;
        grace: number;
        trials: number;
        freeOffers: number;
        billingRetry: number;
        subscriptions: {
          start: number;
          'new': number;
          returned: number;
          churned: number;
          end: number;
          recovered: number;
          expanded: number;
          contracted: number;
          switchedIn: number;
          switchedOut: number;
        };
        mrr: {
          start: number;
          'new': number;
          returned: number;
          expansion: number;
          contraction: number;
          churned: number;
          end: number;
          switchedIn: number;
          switchedOut: number;
        };
      }[];
      familyShared: number;
      nonRenewing: {
        purchases: { count: number; amountMinor: number };
        refunds: { count: number; amountMinor: number };
      };
      unconverted: { currency: string; active: number; transactions: number }[];
      withoutPrice: number;
      historyPending: number;
      computedAt: string;
    };
  };
  /** Promotional entitlements, newest first (`GET /v1/apps/{id}/purchases/grants`) */
  listPurchaseGrants: {
    input: { id: string; query?: { userId?: string; cursor?: string; limit?: number } };
    output: {
      grants: {
        id: string;
        userId: string;
        productId: string;
        expiresAt: string | null;
        note: string | null;
        grantedAt: string;
        grantedBy: { kind: 'user' | 'orgKey'; id: string };
        endedAt: string | null;
        endReason: 'revoked' | 'expired' | null;
      }[];
      nextCursor: string | null;
    };
  };
  /** Let a person use a product without paying (`POST /v1/apps/{id}/purchases/grants`) */
  grantEntitlement: {
    input: {
      id: string;
      body: { userId: string; productId: string; expiresAt?: string | null; note?: string | null };
    };
    output: {
      id: string;
      userId: string;
      productId: string;
      expiresAt: string | null;
      note: string | null;
      grantedAt: string;
      grantedBy: { kind: 'user' | 'orgKey'; id: string };
      endedAt: string | null;
      endReason: 'revoked' | 'expired' | null;
    };
  };
  /** Revoke a promotional entitlement at once (`DELETE /v1/apps/{id}/purchases/grants/{grantId}`) */
  revokeEntitlement: { input: { id: string; grantId: string }; output: undefined };
  /** How purchases of an app are owned, tested and forwarded (`GET /v1/apps/{id}/purchases/settings`) */
  getAppsByIdPurchasesSettings: {
    input: { id: string };
    output: {
      ownership: 'transfer' | 'keep' | 'share';
      sandboxAccess: 'anybody' | 'listed' | 'nobody';
      sandboxListed: string[];
      forwardUrl: string | null;
    };
  };
  /** Change some of the settings (`PATCH /v1/apps/{id}/purchases/settings`) */
  patchAppsByIdPurchasesSettings: {
    input: {
      id: string;
      body: {
        ownership?: 'transfer' | 'keep' | 'share';
        sandboxAccess?: 'anybody' | 'listed' | 'nobody';
        sandboxListed?: string[];
        forwardUrl?: string | null;
      };
    };
    output: {
      ownership: 'transfer' | 'keep' | 'share';
      sandboxAccess: 'anybody' | 'listed' | 'nobody';
      sandboxListed: string[];
      forwardUrl: string | null;
      forwardSecret?: string;
    };
  };
  /** Who held which purchase when, newest first (`GET /v1/apps/{id}/purchases/audit`) */
  getAppsByIdPurchasesAudit: {
    input: {
      id: string;
      query?: { originalTransactionId?: string; cursor?: string; limit?: number };
    };
    output: {
      entries: {
        id: string;
        at: string;
        environment: 'Production' | 'Sandbox';
        originalTransactionId: string | null;
        action:
          | 'linked'
          | 'claimed'
          | 'transferred'
          | 'kept'
          | 'shared'
          | 'granted'
          | 'revoked'
          | 'expired';
        productId?: string;
        from: { kind: 'user' | 'anonymous' | 'token'; id: string } | null;
        to: { kind: 'user' | 'anonymous' | 'token'; id: string } | null;
        actor: { kind: 'device' | 'store' | 'user' | 'orgKey' | 'system'; id: string | null };
      }[];
      nextCursor: string | null;
    };
  };
  /** Read the store connection, without its key (`GET /v1/store/connection`) */
  getStoreConnection: {
    input: Record<never, never>;
    output: {
      issuerId: string;
      keyId: string;
      vendorNumber: string;
      status: 'connected' | 'invalid' | 'revoked';
      connectedAt: string;
      lastVerifiedAt: string | null;
      lastError: string | null;
      teamId: string | null;
      teamType: 'COMPANY_OR_ORGANIZATION' | 'INDIVIDUAL' | null;
    } | null;
  };
  /** Verify a store key with the store and connect it (`POST /v1/store/connection`) */
  postStoreConnection: {
    input: {
      body: {
        issuerId: string;
        keyId: string;
        vendorNumber: string;
        privateKey: string;
        teamId?: string;
        teamType?: 'COMPANY_OR_ORGANIZATION' | 'INDIVIDUAL';
      };
    };
    output: {
      connection: {
        issuerId: string;
        keyId: string;
        vendorNumber: string;
        status: 'connected' | 'invalid' | 'revoked';
        connectedAt: string;
        lastVerifiedAt: string | null;
        lastError: string | null;
        teamId: string | null;
        teamType: 'COMPANY_OR_ORGANIZATION' | 'INDIVIDUAL' | null;
      };
      discoveredApps: number;
    };
  };
  /** Destroy the store key; sales that were collected stay (`DELETE /v1/store/connection`) */
  deleteStoreConnection: { input: Record<never, never>; output: undefined };
  /** List the apps of the store account, linked and unlinked (`GET /v1/store/apps`) */
  getStoreApps: {
    input: Record<never, never>;
    output: {
      storeAppId: string;
      bundleId: string;
      name: string;
      appId: string | null;
      linkedAt: string | null;
      storeState:
        | 'not_submitted'
        | 'waiting_for_review'
        | 'in_review'
        | 'rejected'
        | 'pending_release'
        | 'live'
        | 'removed'
        | 'unknown'
        | null;
      storeVersion: string | null;
      storeCheckedAt: string | null;
    }[];
  };
  /** Ask the store for the apps and their states now (`POST /v1/store/apps/refresh`) */
  postStoreAppsRefresh: { input: Record<never, never>; output: { count: number } };
  /** Subscriptions by day, product, country, price and offer, as the store reports them (`GET /v1/store/subscriptions`) */
  getStoreSubscriptions: {
    input: {
      query?: {
        from?: string;
        to?: string;
        days?: number;
        storeAppId?: string;
        country?: string;
        subscriptionId?: string;
      };
    };
    output: {
      window: { from: string; to: string; days: number };
      freshness: {
        yesterday: string;
        today: string;
        todayExpectedBy: string;
        publishExpectedBy: string;
        state: 'ready' | 'awaiting' | 'no_sales' | 'error' | 'unchecked';
        checkedAt: string | null;
        lastRunAt: string | null;
        lastError: string | null;
        coveredFrom: string | null;
        coveredThrough: string | null;
        daysBehind: number | null;
        gaps: number;
      };
      through: string | null;
      latest: {
        paid: number;
        trials: number;
        marketingOptIns: number;
        gracePeriod: number;
        billingRetry: number;
      } | null;
      series: {
        paid: number;
        trials: number;
        marketingOptIns: number;
        gracePeriod: number;
        billingRetry: number;
        day: string;
        covered: boolean;
      }[];
      byProduct: {
        paid: number;
        trials: number;
        marketingOptIns: number;
        gracePeriod: number;
        billingRetry: number;
        storeAppId: string;
        subscriptionId: string;
        name: string;
        duration: string;
        sku: string | null;
        groupId: string;
      }[];
      byCountry: {
        paid: number;
        trials: number;
        marketingOptIns: number;
        gracePeriod: number;
        billingRetry: number;
        key: string;
        label: string;
      }[];
      byPrice: {
        paid: number;
        trials: number;
        marketingOptIns: number;
        gracePeriod: number;
        billingRetry: number;
        storeAppId: string;
        subscriptionId: string;
        name: string;
        duration: string;
        country: string;
        currency: string;
        customerPriceMinor: number;
        proceedsCurrency: string;
        proceedsMinor: number;
        preservedPrice: boolean;
      }[];
      byOffer: {
        paid: number;
        trials: number;
        marketingOptIns: number;
        gracePeriod: number;
        billingRetry: number;
        plan: 'standard' | 'introductory' | 'promotional' | 'offer_code' | 'win_back';
        offerName: string;
        offerId: string;
      }[];
      omitted: number;
    };
  };
  /** Link a store app to an app, or unlink it (`POST /v1/store/apps/link`) */
  postStoreAppsLink: {
    input: { body: { storeAppId: string; appId: string | null } };
    output: { linked: boolean };
  };
  /** Make an app of a store app (`POST /v1/apps/import`) */
  postAppsImport: {
    input: { body: { storeAppId: string } };
    output: {
      id: string;
      orgId: string;
      slug: string;
      displayName: string;
      region: 'us-east-1' | 'us-west-1' | 'eu-west-1';
      status: 'provisioning' | 'active' | 'paused' | 'error';
      source: 'built_here' | 'imported' | 'website';
      bundleId: string | null;
      storeAppId: string | null;
      iconUrl: string | null;
      store: {
        state:
          | 'not_submitted'
          | 'waiting_for_review'
          | 'in_review'
          | 'rejected'
          | 'pending_release'
          | 'live'
          | 'removed'
          | 'unknown';
        version: string | null;
        checkedAt: string | null;
      } | null;
      createdAt: string;
      backend: { projectRef: string; connected: boolean } | null;
    };
  };
  /** Sales, downloads and proceeds of a window of Pacific days (`GET /v1/analytics`) */
  getAnalytics: {
    input: { query?: { from?: string; to?: string; days?: number; currency?: string } };
    output: {
      window: { from: string; to: string; days: number; previousFrom: string; previousTo: string };
      currency: string;
      freshness: {
        yesterday: string;
        today: string;
        todayExpectedBy: string;
        publishExpectedBy: string;
        state: 'ready' | 'awaiting' | 'no_sales' | 'error' | 'unchecked';
        checkedAt: string | null;
        lastRunAt: string | null;
        lastError: string | null;
        coveredFrom: string | null;
        coveredThrough: string | null;
        daysBehind: number | null;
        gaps: number;
      };
      totals: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
      };
      previous: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
      };
      yesterday: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
        day: string;
        covered: boolean;
      } | null;
      series: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
        day: string;
        covered: boolean;
      }[];
      seriesByApp: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
        day: string;
        storeAppId: string;
      }[];
      byApp: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
        key: string;
        label: string;
        storeAppId: string;
        appId: string | null;
        name: string;
        bundleId: string;
      }[];
      previousByApp: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
        key: string;
        label: string;
      }[];
      byCountry: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
        key: string;
        label: string;
      }[];
      byDevice: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
        key: string;
        label: string;
      }[];
      byKind: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
        key: string;
        label: string;
      }[];
      byProductType: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
        key: string;
        label: string;
      }[];
      products: {
        proceedsMinor: number;
        customerSpendMinor: number;
        unconvertedProceedsMinor: number;
        downloads: number;
        redownloads: number;
        updates: number;
        iapUnits: number;
        subscriptionUnits: number;
        trials: number;
        otherUnits: number;
        refunds: number;
        storeAppId: string;
        sku: string;
        title: string;
        kind: 'app' | 'iap' | 'subscription' | 'other';
      }[];
      currencies: { currency: string; proceedsMinor: number }[];
      unconverted: { currency: string; proceedsMinor: number }[];
      unconvertedSpend: { currency: string; customerSpendMinor: number }[];
      daysMissingRates: number;
    };
  };
  /** Collect what is due from the store now (`POST /v1/analytics/sync`) */
  postAnalyticsSync: {
    input: { body: { force?: boolean } };
    output: {
      checked: number;
      rowsWritten: number;
      daysRemaining: number;
      coveredThrough: string | null;
      stoppedBecause: string | null;
      skipped: boolean;
    };
  };
  /** Wake every organization; for the scheduler (`POST /internal/analytics/sync-all`) */
  postInternalAnalyticsSyncAll: {
    input: Record<never, never>;
    output: {
      organizations: number;
      synced: number;
      rowsWritten: number;
      deferred: number;
      errors: { orgId: string; message: string }[];
    };
  };
}
