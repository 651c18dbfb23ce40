/** The table of form tabs: their conditions and their fields. Navigation, errors and Save & Next read it. */

export const FORM_TABS = [
  'administration',
  'advancedBidding',
  'basicInfo',
  'targeting',
  'dynamicAds',
  'bannerAds',
  'nativeAds',
  'videoAds',
  'tracks',
  'frequency',
  'placement',
  'geography',
  'changeLog',
] as const
export type TabKey = (typeof FORM_TABS)[number]
export type TabGroup = 'administration' | 'creatives' | 'advanced'

/** Facts that determine the available tabs: the user and the campaign. */
export type TabContext = {
  readonly readsOwnerFields: boolean
  readonly audio: boolean
  /** True once a goal is set: placements and geography need one (campaigns.md §2). */
  readonly goal: boolean
  readonly withLog: boolean
}

type TabRow = {
  readonly key: TabKey
  /** The parent entry in the navigation. */
  readonly group: TabGroup | null
  /** First path segments of its form fields. */
  readonly fields: readonly string[]
  readonly editable: boolean
  readonly shown: (context: TabContext) => boolean
}

const owner = ({ readsOwnerFields }: TabContext) => readsOwnerFields
const visual = ({ audio }: TabContext) => !audio
const advanced = ({ audio, goal }: TabContext) => !audio && goal
const always = () => true

export const TABS: readonly TabRow[] = [
  { key: 'administration', group: 'administration', fields: ['administration'], editable: true, shown: owner },
  { key: 'advancedBidding', group: 'administration', fields: ['bidding'], editable: true, shown: owner },
  {
    key: 'basicInfo',
    group: null,
    fields: ['name', 'country', 'startDate', 'endDate', 'budget', 'productUrl', 'goal', 'goalFields', 'setup'],
    editable: true,
    shown: always,
  },
  { key: 'targeting', group: null, fields: ['targeting'], editable: true, shown: always },
  { key: 'dynamicAds', group: 'creatives', fields: ['responsive'], editable: true, shown: visual },
  { key: 'bannerAds', group: 'creatives', fields: ['banners'], editable: true, shown: visual },
  { key: 'nativeAds', group: 'creatives', fields: ['native'], editable: true, shown: visual },
  { key: 'videoAds', group: 'creatives', fields: ['video'], editable: true, shown: visual },
  // Audio campaigns have tracks instead of creatives (campaigns.md §2).
  { key: 'tracks', group: null, fields: ['tracks'], editable: true, shown: ({ audio }) => audio },
  { key: 'frequency', group: 'advanced', fields: ['frequency'], editable: true, shown: advanced },
  { key: 'placement', group: 'advanced', fields: ['placement'], editable: true, shown: advanced },
  { key: 'geography', group: 'advanced', fields: ['geography'], editable: true, shown: advanced },
  { key: 'changeLog', group: null, fields: [], editable: false, shown: ({ withLog }) => withLog },
]

export const tabsFor = (context: TabContext): readonly TabRow[] => TABS.filter(({ shown }) => shown(context))

/** Returns the tab that contains a field. Faults on unknown fields appear in the summary only. */
export const tabOfField = (field: string): TabKey | null => {
  const head = field.split('.', 1)[0] ?? ''
  return TABS.find(({ fields }) => fields.includes(head))?.key ?? null
}

/** Returns the next editable tab; null on the last one, where Save & Next reads Save (decisions G-097). */
export function nextTab(tab: TabKey, context: TabContext): TabKey | null {
  const editable = tabsFor(context).filter((row) => row.editable)
  return editable[editable.findIndex(({ key }) => key === tab) + 1]?.key ?? null
}
