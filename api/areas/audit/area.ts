import { createPublisher, PUBLISH, PUBLISH_POLICY } from '#commands/audit/publish-head'
import { COSIGN, COSIGN_POLICY, createCosigner } from '#commands/audit/witnesses'
import { AUDIT_LOG_ENDPOINTS } from '#contract/audit'
import { AUDIT_EXPORT_ENDPOINTS } from '#contract/audit-export'
import { createLogHeadStore, createWitnessStore } from '#platform/audit/log-head-store'
import { createLogTreeStore } from '#platform/audit/log-tree-store'
import { askWitness } from '#platform/audit/witness-client'
import { noteSigner } from '#proof/log/signed-note'
import { area } from '../area.ts'
import type { Needs } from '../services.ts'
import { registerAuditRoutes } from './audit-routes.ts'
import { registerExportRoutes } from './export-routes.ts'
import { createTransparencyLog, logSweeps, type LogStores } from '#commands/audit/transparency-log'

export const audit = area({
  name: 'audit',
  summary: 'Replay, difference, blame and proof of any campaign, from the log itself',
  endpoints: [...AUDIT_LOG_ENDPOINTS, ...AUDIT_EXPORT_ENDPOINTS],
  uses: ['accounts', 'campaigns', 'db', 'files', 'people', 'store'],
  tables: [
    'app.log_cosignatures',
    'app.log_heads',
    'app.log_keys',
    'app.log_leaves',
    'app.log_tiles',
    'app.log_tree',
    'app.log_witnesses',
  ],
  register(app, kit) {
    const stores = logStoresOf(kit)
    const transparency = createTransparencyLog(kit, stores)
    registerAuditRoutes(app, kit, transparency)
    registerExportRoutes(app, kit, transparency, stores)
  },
  jobs: {
    [COSIGN.name]: {
      ...COSIGN_POLICY,
      open: (own) => {
        const { heads, witnesses, ask } = logStoresOf(own)
        const { log } = createTransparencyLog(own, logStoresOf(own))
        return createCosigner({ log, heads, store: witnesses, witnesses: own.config.transparency.witnesses, ask })
      },
    },
    [PUBLISH.name]: {
      ...PUBLISH_POLICY,
      open: (own) => createPublisher(logStoresOf(own).heads, own.files.publish),
    },
  },
  policies: async (own) => {
    const stores = logStoresOf(own)
    return logSweeps(createTransparencyLog(own, stores), stores, own.logger)
  },
})

/** Adapters of the transparency log. */
export const logStoresOf = ({ config, db }: Needs<'config' | 'db'>): LogStores => ({
  tree: createLogTreeStore(db, config.transparency.origin),
  heads: createLogHeadStore(db, { makeSigner: noteSigner, given: config.transparency.keys }),
  witnesses: createWitnessStore(db),
  ask: askWitness,
})
