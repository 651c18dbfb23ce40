/** One table: which tabs the form has, for whom, and which of its fields live where. Navigation, errors and Save & Next read it. */

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

/** What decides which tabs there are: who looks at which campaign. */
export type TabContext = {
  readonly readsOwnerFields: boolean
  readonly audio: boolean
  /** Placements and geography are asked for once a goal is set (campaign.md §2). */
  readonly goal: boolean
  readonly withLog: boolean
}

type TabRow = {
  readonly key: TabKey
  /** Nested under this entry of the navigation. */
  readonly group: TabGroup | null
  /** First segments of the form fields on it. */
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
  // Audio has tracks in place of creatives (campaign.md §2).
  { key: 'tracks', group: null, fields: ['tracks'], editable: true, shown: ({ audio }) => audio },
  { key: 'frequency', group: 'advanced', fields: ['frequency'], editable: true, shown: advanced },
  { key: 'placement', group: 'advanced', fields: ['placement'], editable: true, shown: advanced },
  { key: 'geography', group: 'advanced', fields: ['geography'], editable: true, shown: advanced },
  { key: 'changeLog', group: null, fields: [], editable: false, shown: ({ withLog }) => withLog },
]

export const tabsFor = (context: TabContext): readonly TabRow[] => TABS.filter(({ shown }) => shown(context))

/** The tab that holds a field; faults on unknown fields are shown in the summary only. */
export const tabOfField = (field: string): TabKey | null => {
  const head = field.split('.', 1)[0] ?? ''
  return TABS.find(({ fields }) => fields.includes(head))?.key ?? null
}

/** The next tab that can be edited; null on the last one, where Save & Next reads Save (decisions G-097). */
export function nextTab(tab: TabKey, context: TabContext): TabKey | null {
  const editable = tabsFor(context).filter((row) => row.editable)
  return editable[editable.findIndex(({ key }) => key === tab) + 1]?.key ?? null
}
