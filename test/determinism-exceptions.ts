/**
 * Specs of the deep circle that wait a fixed time or bound a duration on the clock, by reason. A spec that does neither any longer
 * must leave the list (`test/determinism.spec.ts`), so that it shrinks. Nothing of the gate may be here.
 */
export const REAL_TIME: Readonly<Record<string, readonly string[]>> = {
  'a service outside is killed, frozen or slow, and the limits of its clients are real time': [
    'test/api/file-store-url.spec.ts',
    'test/api/stripe-faults.spec.ts',
    'test/api/stripe.spec.ts',
    'test/chaos/operators-day.spec.ts',
    'test/medium/clickhouse-product.spec.ts',
    'test/medium/facts-away.spec.ts',
    'test/medium/files-away.spec.ts',
    'test/medium/kurrent-adapter.spec.ts',
    'test/medium/kurrent-outage.spec.ts',
    'test/medium/kurrent-product.spec.ts',
    'test/medium/postgres-away.spec.ts',
    'test/medium/silent-database.spec.ts',
  ],
  'processes are killed, stopped or restarted, and hold leases of real time': [
    'test/medium/audience-uploads-restart.spec.ts',
    'test/medium/leases.spec.ts',
    'test/medium/point-in-time.spec.ts',
    'test/medium/projector-versions.spec.ts',
    'test/medium/raised-version.spec.ts',
    'test/medium/registration-crashes.spec.ts',
    'test/medium/simulated-day.spec.ts',
  ],
  'the requirement names the seconds within which a change works': [
    'test/api/access-matrix-rights.spec.ts',
    'test/api/attacks.spec.ts',
    'test/api/audiences-dynamic.spec.ts',
    'test/api/memberships.spec.ts',
    'test/api/service-credentials.spec.ts',
    'test/api/staff-networks.spec.ts',
  ],
  'others must be answered in time beside long work': ['test/api/neighbours.spec.ts', 'test/medium/rebuild.spec.ts'],
  'nothing more may happen, and no later event proves it yet': [
    'test/api/delivery-stream.spec.ts',
    'test/api/mails.spec.ts',
    'test/api/notifications.spec.ts',
    'test/api/schedule.spec.ts',
    'test/medium/clock-policy.spec.ts',
  ],
  'something must still wait, and only time shows that it does': [
    'test/contract/postgres-fact-store.spec.ts',
    'test/medium/pool.spec.ts',
  ],
  'a page fades, settles or sends by itself': [
    'test/e2e/branding.spec.ts',
    'test/e2e/change-log.spec.ts',
    'test/e2e/creatives-at-once.spec.ts',
    'test/e2e/form.spec.ts',
    'test/e2e/layout-shift.spec.ts',
    'test/e2e/moderation.spec.ts',
  ],
  'a time that the server chose is compared with the clock': [
    'test/api/replicate.spec.ts',
    'test/api/transparency-log.spec.ts',
    'test/medium/lag.spec.ts',
  ],
}
