import type { Page } from 'playwright-core'

/** Every screen there is: where it stands, who has it, and what to do there before it is looked at. */

export const PEOPLE = {
  advertiser: 'ada@nile.example',
  owner: 'owner@dsp.example',
  moderator: 'moderator@dsp.example',
  auditor: 'auditor@dsp.example',
  accountant: 'accountant@dsp.example',
} as const
export type Person = keyof typeof PEOPLE

/** Ids that addresses need: a campaign of the advertiser that runs, one that waits, one that is heard. */
export type Places = { readonly running: string; readonly waiting: string; readonly rich: string }

export type Screen = {
  readonly name: string
  /** Nobody in particular when empty: the signed-out. */
  readonly people: readonly Person[]
  readonly address: (places: Places) => string
  /** What has to be there. */
  readonly shows: string
  readonly prepare?: (page: Page) => Promise<void>
}

const READERS = ['advertiser', 'owner', 'moderator', 'auditor'] as const
const form = (tab: string) => (places: Places) => `/campaign/edit/${places.rich}?tab=${tab}`
const tab = (name: string, people: readonly Person[], shows: string): Screen => ({
  name: `form-${name}`,
  people,
  address: form(name),
  shows,
})

export const SCREENS: readonly Screen[] = [
  { name: 'sign-in', people: [], address: () => '/auth/login', shows: 'input[type=password]' },
  { name: 'list', people: READERS, address: () => '/campaigns', shows: '#content h1' },
  {
    name: 'list-range',
    people: ['advertiser'],
    address: () => '/campaigns',
    shows: 'tbody tr a',
    prepare: async (page) => {
      await page.locator('button[aria-haspopup=dialog]:has(.lucide-calendar-days)').click()
      await page.locator('[role=dialog] button').last().click()
      await page.locator('.rdp-root, table[role=grid]').first().waitFor()
    },
  },
  {
    name: 'list-performance',
    people: ['advertiser'],
    address: () => '/campaigns',
    shows: 'tbody tr a',
    prepare: async (page) => {
      await page.locator('tbody button:has(.lucide-chart-no-axes-column)').nth(1).click()
      await page.locator('[role=dialog] dd').first().waitFor()
    },
  },
  {
    name: 'list-many',
    people: ['advertiser'],
    address: () => '/campaigns',
    shows: 'tbody tr a',
    prepare: async (page) => {
      for (const row of [0, 1, 3]) await page.locator('tbody input[type=checkbox]').nth(row).check()
    },
  },
  {
    name: 'goal-picker',
    people: ['advertiser'],
    address: () => '/campaigns',
    shows: 'tbody tr a',
    prepare: async (page) => {
      await page.locator('#content header button:has(.lucide-plus)').click()
      await page.locator('[role=dialog]').waitFor()
    },
  },
  { name: 'admin-list', people: ['owner', 'moderator', 'auditor'], address: () => '/admin/campaigns', shows: 'tbody tr a' },
  {
    name: 'report',
    people: ['advertiser', 'auditor'],
    address: ({ running }) => `/reports?campaignId=${running}`,
    shows: '#content h1',
  },
  {
    name: 'create',
    people: ['advertiser'],
    address: () => '/campaign/create?tab=basicInfo&type=conversion',
    shows: 'form input',
  },
  {
    name: 'create-audio',
    people: ['advertiser'],
    address: () => '/campaign/create?tab=tracks&type=other',
    shows: '#content h2, #content legend',
  },
  tab('basicInfo', READERS, 'form input'),
  tab('administration', ['owner'], '#content h2, #content legend'),
  tab('advancedBidding', ['owner'], '#content h2, #content legend'),
  tab('targeting', READERS, '#content h2, #content legend'),
  tab('dynamicAds', READERS, '#content h2, #content legend'),
  tab('bannerAds', READERS, '#content h2, #content legend'),
  tab('nativeAds', READERS, '#content h2, #content legend'),
  tab('videoAds', READERS, '#content h2, #content legend'),
  tab('frequency', READERS, '#content h2, #content legend'),
  tab('placement', READERS, '#content h2, #content legend'),
  tab('geography', READERS, '#content h2, #content legend'),
  {
    name: 'form-waiting',
    people: ['owner', 'moderator'],
    address: ({ waiting }) => `/campaign/edit/${waiting}?tab=basicInfo`,
    shows: '[data-testid=campaign-status]',
  },
  tab('changeLog', ['owner', 'auditor'], 'tbody tr'),
  {
    name: 'log-info',
    people: ['owner'],
    address: form('changeLog'),
    shows: 'tbody tr',
    prepare: async (page) => {
      await page.locator('[data-testid^=log-row-]').first().click()
      await page.locator('[role=dialog] table').first().waitFor()
    },
  },
  {
    name: 'moderation',
    people: ['owner', 'moderator'],
    address: () => '/moderation',
    shows: '#content h2',
    prepare: (page) => page.locator('#content section').nth(2).waitFor(),
  },
  {
    name: 'moderation-reject',
    people: ['moderator'],
    address: () => '/moderation',
    shows: '#content h2',
    prepare: async (page) => {
      await page.locator('#content button:has(kbd:text-is("R"))').click()
      await page.locator('textarea').waitFor()
    },
  },
  {
    name: 'shortcuts',
    people: ['moderator'],
    address: () => '/moderation',
    shows: '#content h2',
    prepare: async (page) => {
      await page.keyboard.press('?')
      await page.locator('[role=dialog]').waitFor()
    },
  },
  {
    name: 'palette',
    people: ['owner'],
    address: () => '/campaigns',
    shows: '#content h1',
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.locator('[role=dialog] [role=option], [role=dialog] [cmdk-item]').first().waitFor()
    },
  },
  { name: 'no-access', people: ['accountant'], address: () => '/campaigns', shows: '#content' },
]
