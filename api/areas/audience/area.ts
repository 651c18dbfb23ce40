import { createAudienceRequests } from '#platform/audience/resource-requests'
import { removeFromAudiences } from '#platform/audience/erasure'
import { due, FULL_SCAN } from '#commands/sweep'
import { membershipSweep } from '#commands/audience/membership'
import { dynamicVersions, unrecordedFailures } from '#projections/audience/queries'
import { isOfEvent } from '#projections/projector/event-fault'
import { AUDIENCE_ENDPOINTS } from '#contract/audiences'
import { area } from '../area.ts'
import { registerAudienceRoutes } from './audience-routes.ts'
import { createFinishing, UPLOAD_POLICY } from '#commands/audience/finish-upload'
import { createFailing } from '#platform/jobs/failing'
import { pinsOf } from './served-audiences.ts'
import { registerServingRoutes } from './serving-routes.ts'
import { registerUploadRoute } from './upload-route.ts'

/** A process that receives a file stores a part of it more often than this, seconds; else it has died. */
const ABANDONED_SECONDS = 600
/** Parts of lists of rejected rows that one round of housekeeping removes. */
const REJECTED_AT_ONCE = 10_000

export const audiences = area({
  name: 'audiences',
  summary: 'Audiences of uploaded identifiers and of visitors, and their members for bidders',
  endpoints: AUDIENCE_ENDPOINTS,
  uses: ['accounts', 'audiences', 'caughtUp', 'commands.audiences', 'db', 'files', 'limits', 'people', 'store', 'threads'],
  tables: [
    'app.audience_claims',
    'app.audience_keys',
    'app.audience_members',
    'app.audience_names',
    'app.audience_parts',
    'app.audience_rejected_rows',
    'app.audience_resource_requests',
    'app.audience_sets',
    'app.audience_sizes',
    'app.audience_uploads',
  ],
  erase: { within: removeFromAudiences },
  register(app, kit) {
    registerUploadRoute(app, kit)
    registerAudienceRoutes(app, kit, createAudienceRequests(kit.db))
    registerServingRoutes(app, kit)
  },
  jobs: { 'audience-upload': { ...UPLOAD_POLICY, open: (kit) => createFinishing(kit).runner } },
  policies: async (kit) => {
    const finishing = createFinishing(kit)
    return [
      {
        name: 'audience-failures',
        scan: async (except) =>
          due(
            await unrecordedFailures(kit.db, FULL_SCAN, except),
            ({ audience_id: id, version }) => `${id} ${version}`,
            ({ audience_id: id, version }) => finishing.record({ id, version, counts: null, causation: null }),
          ),
      },
      membershipSweep({
        ...kit,
        finishing,
        failing: createFailing(kit.db),
        versions: () => dynamicVersions(kit.db),
        pinned: (spaceIds) => pinsOf(kit, spaceIds),
        isOwnFault: isOfEvent,
      }),
    ]
  },
  housekeeping: async ({ audiences: { names, uploads }, config }) => {
    await uploads.removeRejectedRows(config.kept.rejectedRowDays, REJECTED_AT_ONCE)
    await uploads.removeAbandoned(ABANDONED_SECONDS)
    await names.removeExpired()
  },
})
