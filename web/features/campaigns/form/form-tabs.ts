/** One table: which tabs the form has, and which of its fields live where. Navigation, errors and Save & Next read it. */

export const FORM_TABS = ['basicInfo', 'bannerAds', 'changeLog'] as const
export type TabKey = (typeof FORM_TABS)[number]

type TabRow = {
  readonly key: TabKey
  /** Nested under this entry of the navigation. */
  readonly group: 'creatives' | null
  /** First segments of the form fields on it. */
  readonly fields: readonly string[]
  readonly editable: boolean
}

export const TABS: readonly TabRow[] = [
  {
    key: 'basicInfo',
    group: null,
    fields: ['name', 'country', 'startDate', 'endDate', 'budget', 'productUrl', 'goal', 'goalFields'],
    editable: true,
  },
  { key: 'bannerAds', group: 'creatives', fields: ['banners'], editable: true },
  { key: 'changeLog', group: null, fields: [], editable: false },
]

/** The tab that holds a field; faults on unknown fields are shown in the summary only. */
export const tabOfField = (field: string): TabKey | null => {
  const head = field.split('.', 1)[0] ?? ''
  return TABS.find(({ fields }) => fields.includes(head))?.key ?? null
}

/** The next tab that can be edited; null on the last one, where Save & Next reads Save (decisions G-097). */
export function nextTab(tab: TabKey): TabKey | null {
  const editable = TABS.filter((row) => row.editable)
  return editable[editable.findIndex(({ key }) => key === tab) + 1]?.key ?? null
}
