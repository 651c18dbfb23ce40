import { isUtc, type Zone } from '#domain/kit/time-zone'
import type { FactFilter, FactScope, FactStore, FactSums, Grouping } from '#factstore/fact-store'
import type { Caller } from '#api/http/caller'
import { readableSpace } from '../campaign/lists.ts'
import { readableCampaign } from '../campaign/readable-campaign.ts'
import { addSums, scopeOf } from '#commands/reports/figures'
import type { Needs } from '#api/areas/services'
import type { ReportRequest } from './report-input.ts'

/** Groupings by a fact that all reports have, by their names in the contract. */
export const FACT_GROUPINGS = {
  device_os: 'os',
  app_or_site: 'app_or_site',
  size: 'size',
  creative: 'creative_id',
  exchange: 'exchange',
  advertiser: 'space_id',
  country: 'country',
  region: 'region',
  city: 'city',
} as const satisfies Readonly<Record<string, Grouping>>

/** Scope of a report, and the white-label whose days it follows. */
export type Covered = { readonly scope: FactScope; readonly whitelabelId: string }

type Asked = { readonly id?: string | null | undefined; readonly space_id?: string | null | undefined }

/** The campaign or account of a report, or all that the caller may read. Throws 130 or 1420 for what is out of reach. */
export async function coveredBy(
  deps: Needs<'accounts' | 'db'>,
  caller: Caller,
  { id, space_id: spaceId }: Asked,
): Promise<Covered> {
  if (id) {
    const { whitelabel_id: whitelabelId } = await readableCampaign(deps, caller, id)
    return { scope: { kind: 'campaigns', ids: [id] }, whitelabelId }
  }
  const reach = await readableSpace(deps, caller, spaceId || undefined)
  const account = reach.spaceId === null ? null : await deps.accounts.opened(reach.spaceId)
  return { scope: scopeOf(reach), whitelabelId: account?.whitelabel_id ?? reach.whitelabelId ?? caller.actor.whitelabelId }
}

/** Time zone whose days a report follows: that of the account's white-label, like its invoices, where the request asks for it. */
export const zoneFor = (
  { whiteLabels }: Needs<'whiteLabels'>,
  { whitelabelId }: Pick<Covered, 'whitelabelId'>,
  daysOf: 'utc' | 'account' | null | undefined,
): Zone => (daysOf === 'account' ? whiteLabels.brandOf(whitelabelId).zone : 0)

/** Sums by hour or by day of the request's zone, in order of time. Days of other zones than UTC are summed from their hours. */
export async function seriesOf(
  facts: Pick<FactStore, 'series'>,
  filter: FactFilter,
  { step, zone, starts }: Pick<ReportRequest, 'step' | 'zone' | 'starts'>,
): Promise<Awaited<ReturnType<FactStore['series']>>> {
  if (step === 'hour' || isUtc(zone)) return facts.series(filter, step)
  const days = new Map<number, FactSums>()
  let day = 0
  for (const { start, sums } of await facts.series(filter, 'hour')) {
    while ((starts[day + 1] ?? Number.POSITIVE_INFINITY) <= start) day += 1
    const name = starts[day] ?? start
    const before = days.get(name)
    days.set(name, before === undefined ? sums : addSums(before, sums))
  }
  return [...days].map(([start, sums]) => ({ start, sums }))
}
