import i18next from 'i18next'
import { SLICE_LABELS } from './slices/slice-labels.ts'

/** Label keys of fields outside the slices. */
const LABELS = {
  name: 'name',
  country: 'country',
  startDate: 'startDate',
  endDate: 'endDate',
  budget: 'dailyBudget',
  productUrl: 'landingPage',
  goal: 'goal',
  'goalFields.conversionUrl': 'conversionUrl',
  'goalFields.customActionName': 'customActionName',
  'goalFields.appName': 'appName',
  'goalFields.appPlatform': 'appPlatform',
  'goalFields.bundleId': 'bundleId',
  'goalFields.mmp': 'mmp',
} as const
const CREATIVES: ReadonlySet<string> = new Set(['responsive', 'native', 'video', 'tracks'])
const isLabelled = (field: string): field is keyof typeof LABELS => Object.hasOwn(LABELS, field)

/** Returns the visible label of a form field in the current language, for error lists. */
export function fieldLabel(field: string): string {
  const t = i18next.getFixedT(null, 'form')
  const [slice = '', inner = ''] = field.split('.')
  const own = SLICE_LABELS[slice]?.()
  if (own !== undefined) {
    const label = own[inner]
    const whole = own['']
    // "Logo" or "Creative name" alone is ambiguous between ads.
    if (label !== undefined && whole !== undefined && CREATIVES.has(slice)) return `${whole}: ${label}`
    return label ?? whole ?? field
  }
  if (isLabelled(field)) return t(LABELS[field])
  const name = t('banners.creativeName')
  return field.endsWith('creativeName') ? `${t('banners.title')}: ${name}` : t('banners.title')
}
