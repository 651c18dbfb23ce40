import { MAX_MARGIN } from '#domain/account/settings'
import type { CampaignPort } from '#commands/campaign/campaign-port'
import { createBatchedReads } from '#eventstore/batched-reads'
import { spendOf, type Spend } from '#projections/campaign/list/money-queries'
import type { Needs } from '#api/areas/services'
import { isSuspended } from '../white-label/suspended.ts'

/** Smallest bid, exclusive, in micros of any currency (decisions G-032), of an account without its own. */
const BASE_BID = 100_000

type Known = Needs<'accounts' | 'audiences' | 'db' | 'files' | 'reference' | 'whiteLabels'> &
  Pick<CampaignPort, 'reserveName' | 'countryOffset'>

/** Answers campaign commands from read models, files and reference data. */
export function createCampaignPort({
  accounts,
  audiences,
  db,
  files,
  reference,
  whiteLabels,
  reserveName,
  countryOffset,
}: Known): CampaignPort {
  // Every command asks, and concurrent commands share a statement.
  const spend = createBatchedReads<{ readonly campaignId: string; readonly localDay: string }, Spend>({
    lanes: 2,
    most: 256,
    load: (asked) => spendOf(db, asked),
  })
  return {
    async account(spaceId) {
      const row = await accounts.find(spaceId)
      if (row === null) return null
      const { space_id, whitelabel_id, name, currency, house, balance, credit_limit, parked, settings } = row
      return {
        space_id,
        whitelabel_id,
        name,
        currency,
        house,
        available: parked ? 0 : balance + credit_limit,
        suspended: isSuspended({ whiteLabels }, row),
        baseBid: settings.base_bid,
        maxMargin: settings.max_margin,
      }
    },
    spendOf: (campaignId, localDay) => spend({ campaignId, localDay }),
    reserveName,
    countryOffset,
    files: (ids, spaceIds) => files.usable(ids, spaceIds),
    claimFiles: (ids) => files.claim(ids),
    reviewFiles: (ids) => files.review(ids),
    async unknownTargets(names, spaceId) {
      const [unknown, known] = await Promise.all([
        reference.unknownTargets(names, spaceId),
        audiences.names.known(spaceId, names.segment_audiences),
      ])
      return names.segment_audiences.every((id) => known.has(id)) ? unknown : new Set([...unknown, 'targeting.segment_audiences'])
    },
    smallAudiences: audiences.sets.small,
    claimAudiences: audiences.names.use,
    releaseAudiences: audiences.names.release,
    appKnown: (platform, bundleId) => reference.appKnown(platform, bundleId),
    ownApproval: async (id) => (await whiteLabels.settingsOf(id)).own_approval,
    baseBid: () => BASE_BID,
    maxMargin: MAX_MARGIN,
  }
}
