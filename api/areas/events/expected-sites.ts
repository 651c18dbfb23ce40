import { siteOf } from '#domain/events/confirmation'
import type { Services } from '#api/areas/services'

/** Campaigns of an account whose landing pages are read: their states are large. */
const MOST_CAMPAIGNS = 1000
/** How long the sites of an account are remembered, and of how many accounts. */
const TRUST_MS = 10_000
const REMEMBERED = 10_000

/**
 * The sites of an account's approved landing pages, as `siteOf` names them: pixels of other pages are marked where the owner named no
 * sites (fine print 111).
 */
export function createExpectedSites({ landingPages }: Pick<Services['tracked'], 'landingPages'>) {
  const known = new Map<string, { readonly sites: Promise<ReadonlySet<string>>; readonly until: number }>()
  return function sitesOf(spaceId: string): Promise<ReadonlySet<string>> {
    const time = performance.now()
    const before = known.get(spaceId)
    if (before !== undefined && before.until > time) return before.sites
    // Visitors who come at once share one statement.
    const sites = landingPages(spaceId, MOST_CAMPAIGNS).then((pages) => new Set(pages.flatMap((page) => siteOf(page) ?? [])))
    if (known.size >= REMEMBERED) known.clear()
    known.set(spaceId, { sites, until: time + TRUST_MS })
    sites.catch(() => known.delete(spaceId))
    return sites
  }
}
