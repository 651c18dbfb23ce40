import type { Kysely } from 'kysely'
import type { AudienceStores } from '#commands/audience/audience-port'
import type { AudienceState } from '#domain/audience/audience'
import { nameKey } from '#domain/kit/text'
import type { Db } from '#migrations/db'
import { createAudienceKeys } from './audience-keys.ts'
import { createAudienceNames } from './audience-names.ts'
import { createAudienceSets } from './audience-sets.ts'
import { createAudienceUploads } from './audience-uploads.ts'
import { createAudienceVisitors } from './audience-visitors.ts'

/** Data of audiences beside the log. `stateOf` folds an audience's stream. */
export const createAudienceStores = (db: Kysely<Db>, stateOf: (id: string) => Promise<AudienceState>): AudienceStores => ({
  keys: createAudienceKeys(db),
  names: createAudienceNames(db, async (id, key) => {
    const state = await stateOf(id)
    return state.exists && !state.deleted && nameKey(state.name) === key
  }),
  uploads: createAudienceUploads(db),
  sets: createAudienceSets(db),
  visitors: createAudienceVisitors(db),
})
