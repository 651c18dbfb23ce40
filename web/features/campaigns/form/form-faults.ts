import type { FieldErrors } from 'react-hook-form'
import type { ServerFault } from '@/data/app-error'
import type { BannerValue, CampaignField, CampaignFormValues } from './form-schema.ts'
import { sliceFieldOf, type SliceValues } from './slices/slices.ts'
import { FORM_TABS, tabOfField, TABS, type TabKey } from './form-tabs.ts'

/** Maps faults from the server to form fields. */

const FIELDS: Readonly<Record<string, CampaignField>> = {
  name: 'name',
  country: 'country',
  campaign_start_at: 'startDate',
  campaign_end_at: 'endDate',
  budget: 'budget',
  product_url: 'productUrl',
  'bidding_strategy.click_url': 'productUrl',
  'bidding_strategy.type': 'goal',
  'bidding_strategy.goal': 'goal',
  'bidding_strategy.website_promotion.conversion_url': 'goalFields.conversionUrl',
  'bidding_strategy.website_promotion.custom_action_name': 'goalFields.customActionName',
  'bidding_strategy.app_promotion.custom_action_name': 'goalFields.customActionName',
  'bidding_strategy.app_promotion.app_name': 'goalFields.appName',
  'bidding_strategy.app_promotion.app_platform_type': 'goalFields.appPlatform',
  'bidding_strategy.app_promotion.bundle_id': 'goalFields.bundleId',
  'bidding_strategy.app_promotion.mmp': 'goalFields.mmp',
}
export type FaultValues = { readonly banners: readonly Pick<BannerValue, 'id'>[]; readonly slices?: SliceValues }

const BANNER = /^visuals\.banners(?:\[([^\]]+)\])?(?:\.(.+))?$/

/** Returns the form field of a wire path; null for paths that this form does not show. Banners are named by index or id. */
export function fieldOfPath(path: string, values: FaultValues): CampaignField | null {
  const { banners, slices } = values
  const banner = BANNER.exec(path)
  if (banner === null) return FIELDS[path] ?? (slices === undefined ? null : (sliceFieldOf(path, slices) as CampaignField | null))
  const name = banner[1]
  if (name === undefined) return 'banners'
  const byId = banners.findIndex(({ id }) => id === name)
  const index = byId === -1 && /^\d+$/.test(name) ? Number(name) : byId
  return index < 0 || index >= banners.length ? 'banners' : `banners.${index}.creativeName`
}

export type Placed = {
  readonly fault: ServerFault
  readonly field: CampaignField | null
  readonly tab: TabKey | null
}

/** Returns every fault with its field and tab, in tab order. The first fault of a field wins. */
export function placeFaults(faults: readonly ServerFault[], values: FaultValues): readonly Placed[] {
  const taken = new Set<CampaignField>()
  const placed = faults.flatMap((fault): readonly Placed[] => {
    const field = fieldOfPath(fault.path, values)
    if (field !== null && taken.has(field)) return []
    if (field !== null) taken.add(field)
    const tab = field === null ? (FORM_TABS.find((known) => known === fault.tab) ?? null) : tabOfField(field)
    return [{ fault, field, tab }]
  })
  return inTabOrder(placed)
}

/** Sorts by the tabs of the form; items without a tab come last. */
export const inTabOrder = <T extends { readonly tab: TabKey | null }>(faults: readonly T[]): readonly T[] => {
  const rank = ({ tab }: T) => (tab === null ? TABS.length : TABS.findIndex(({ key }) => key === tab))
  return faults.toSorted((a, b) => rank(a) - rank(b))
}

export type FieldFault = { readonly field: string; readonly tab: TabKey | null; readonly type: string; readonly message: string }

/** Returns all errors of the form as a flat list, in the order of tabs and fields. */
export function listErrors(errors: FieldErrors<CampaignFormValues>): readonly FieldFault[] {
  const found: FieldFault[] = []
  collect(errors, '', found)
  const order = TABS.flatMap(({ fields }) => fields)
  const rank = ({ field }: FieldFault) => order.indexOf(field.split('.', 1)[0] ?? '')
  return found.sort((a, b) => rank(a) - rank(b))
}

function collect(node: unknown, path: string, out: FieldFault[]) {
  if (typeof node !== 'object' || node === null) return
  if ('message' in node && typeof node.message === 'string') {
    const field = path.replace(/\.root$/, '')
    out.push({ field, tab: tabOfField(field), type: 'type' in node ? String(node.type) : '', message: node.message })
    return
  }
  for (const [key, child] of Object.entries(node)) if (key !== 'ref') collect(child, path === '' ? key : `${path}.${key}`, out)
}
