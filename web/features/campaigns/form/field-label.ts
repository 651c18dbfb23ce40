import { lookUp } from '@/i18n/look-up'
import type { SliceName } from './slices/slices.ts'

type Labels = {
  /** Where the texts of the slice are; shared ones are at the top of their file. */
  readonly texts: string
  readonly title?: string
  /** Text keys of fields whose key is not their name. */
  readonly keys?: Readonly<Record<string, string>>
}

const SLICES: Readonly<Record<SliceName, Labels>> = {
  administration: { texts: 'administration:' },
  bidding: { texts: 'bidding:', keys: { entries: 'title' } },
  setup: { texts: 'form:setup.', title: 'form:tabs.setup' },
  targeting: { texts: 'targeting:', keys: { automatic: 'mode' } },
  geography: { texts: 'geography:' },
  responsive: { texts: 'creatives:responsive.', keys: { color: 'color.label', images: 'image', logos: 'logo' } },
  native: { texts: 'creatives:native.', keys: { body: 'description' } },
  video: { texts: 'creatives:video.', keys: { cta: 'callToAction', companions: 'companion' } },
  tracks: { texts: 'creatives:tracks.', keys: { tracks: 'title' } },
  frequency: { texts: 'frequency:', keys: { scheduling: 'schedule' } },
  placement: { texts: 'placement:', keys: { games: 'gameCategories' } },
}
const CREATIVES: ReadonlySet<string> = new Set(['responsive', 'native', 'video', 'tracks'])
const isSlice = (name: string): name is SliceName => Object.hasOwn(SLICES, name)

/** Text keys of fields outside the slices whose key is not their name. */
const KEYS: Readonly<Record<string, string>> = { budget: 'dailyBudget', productUrl: 'landingPage' }

function ownLabel(slice: SliceName, field: string): string | null {
  const { texts, keys = {} } = SLICES[slice]
  const key = keys[field] ?? field
  return lookUp(`${texts}${key}`) ?? lookUp(`${texts.split(':', 1)[0]}:${key}`)
}

/** Returns the label of a form field of a slice; null without one of its own. */
export function ownFieldLabel(field: string): string | null {
  const [head = '', inner = ''] = field.split('.')
  const label = isSlice(head) && inner !== '' ? ownLabel(head, inner) : null
  // "Logo" or "Creative name" alone is ambiguous between ads.
  return label !== null && CREATIVES.has(head) ? `${titleOf(head)}: ${label}` : label
}

function titleOf(slice: string): string {
  const { texts, title = `${texts}title` } = isSlice(slice) ? SLICES[slice] : { texts: '' }
  return lookUp(title) ?? slice
}

/** Returns the visible label of a form field in the current language, for error lists. */
export function fieldLabel(field: string): string {
  const [head = '', inner = ''] = field.split('.')
  if (isSlice(head)) return ownFieldLabel(field) ?? titleOf(head)
  const name = head === 'goalFields' ? inner : head
  const label = head === 'banners' ? null : lookUp(`form:${KEYS[name] ?? name}`)
  if (label !== null) return label
  const banners = lookUp('form:banners.title') ?? field
  return field.endsWith('creativeName') ? `${banners}: ${lookUp('form:banners.creativeName') ?? ''}` : banners
}
