import type { CampaignPort } from '../../../commands/campaign/campaign-port.ts'
import type { Kit } from '../../kit/kit.ts'

/** Smallest bid, exclusive, in micros of any currency (decisions G-032). */
const BASE_BID = 100_000
/** Highest margin a user may be given, percent (decisions G-054). */
const MAX_MARGIN = 50

type Known = Pick<Kit, 'accounts' | 'files' | 'reference' | 'whiteLabelSettings'> &
  Pick<CampaignPort, 'reserveName' | 'countryOffset'>

/** Answers campaign commands from read models, files and reference data. */
export function createCampaignPort({
  accounts,
  files,
  reference,
  whiteLabelSettings,
  reserveName,
  countryOffset,
}: Known): CampaignPort {
  return {
    async account(spaceId) {
      const row = await accounts.find(spaceId)
      if (row === null) return null
      const { space_id, whitelabel_id, name, currency, house, balance } = row
      return { space_id, whitelabel_id, name, currency, house, available: balance }
    },
    // Spend is zero until delivery is recorded.
    spendOf: async () => ({ today: 0, total: 0 }),
    reserveName,
    countryOffset,
    files: (ids, spaceIds) => files.usable(ids, spaceIds),
    claimFiles: (ids) => files.claim(ids),
    unknownTargets: (names, spaceId) => reference.unknownTargets(names, spaceId),
    appKnown: (platform, bundleId) => reference.appKnown(platform, bundleId),
    ownApproval: async (id) => (await whiteLabelSettings.read(id)).own_approval,
    baseBid: () => BASE_BID,
    maxMargin: async () => MAX_MARGIN,
  }
}
