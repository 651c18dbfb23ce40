import { EVERYBODY, whoMay, type Person } from './people.ts'
import type { Places, Screen } from './screen.ts'

/** Every page and every section of the form: its address, its users, and the interactions before the check. */

const READERS = whoMay('campaign.read')
const MODERATORS = whoMay('campaign.moderate')
const form = (tab: string) => (places: Places) => `/campaign/edit/${places.rich}?tab=${tab}`
/** The entry of the navigation marks the open section. */
const section = (name: string) => `#content nav a[aria-current=page][href*="tab=${name}"]`
const tab = (name: string, people: readonly Person[] = READERS): Screen => ({
  name: `form-${name}`,
  people,
  address: form(name),
  shows: section(name),
})

export const SCREENS: readonly Screen[] = [
  { name: 'sign-in', people: [], address: () => '/auth/login', shows: 'input[type=password]' },
  { name: 'sign-up', people: [], address: () => '/auth/signup', shows: 'input[type=checkbox]' },
  { name: 'forgot-password', people: [], address: () => '/auth/forgot-password', shows: 'input[inputmode=email]' },
  { name: 'reset-password', people: [], address: () => '/auth/reset-password/key', shows: 'input[type=password]' },
  { name: 'confirm-registration', people: [], address: () => '/auth/confirm-registration/key', shows: 'main h1' },
  {
    name: 'registrants',
    people: whoMay('registration.decide'),
    address: () => '/moderation?tab=registrants',
    shows: '#content nav a[aria-current=page]',
  },
  { name: 'add-account', people: whoMay('account.add'), address: () => '/admin/accounts/add', shows: '#content form' },
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
  { name: 'admin-list', people: whoMay('campaign.admin-list'), address: () => '/admin/campaigns', shows: 'tbody tr a' },
  { name: 'audit', people: whoMay('log.verify'), address: () => '/audit', shows: 'tbody tr time' },
  { name: 'audit-security', people: whoMay('security.read'), address: () => '/audit?tab=security', shows: 'tbody tr time' },
  { name: 'audit-proof', people: whoMay('log.verify'), address: () => '/audit?tab=proof', shows: '#content textarea' },
  { name: 'operations', people: whoMay('operations.read'), address: () => '/admin/operations', shows: 'tbody tr' },
  ...(['readModels', 'processes', 'errors', 'settings', 'licences'] as const).map((tab) => ({
    name: `operations-${tab}`,
    people: whoMay('operations.read'),
    address: () => `/admin/operations?tab=${tab}`,
    shows: '#content [role=tabpanel][data-state=active] :is(tbody tr th, [data-slot=empty-state])',
  })),
  {
    name: 'timeline',
    people: whoMay('log.read'),
    address: ({ rich }) => `/campaign/timeline/${rich}?revision=2`,
    shows: '[data-testid=state-budget] button',
  },
  { name: 'schedule', people: READERS, address: () => '/campaigns/schedule', shows: '#content h1' },
  { name: 'schedule-ended', people: ['advertiser'], address: () => '/campaigns/schedule?state=ended', shows: '#content h1' },
  { name: 'events', people: whoMay('events.read'), address: () => '/events', shows: '#content h1' },
  { name: 'billing', people: whoMay('balance.read'), address: () => '/payments/history', shows: '#content h1' },
  { name: 'billing-cards', people: ['advertiser'], address: () => '/payments/history?tab=cards', shows: '#content section' },
  {
    name: 'billing-invoices',
    people: ['advertiser'],
    address: () => '/payments/history?tab=invoices',
    shows: '#content [data-slot=empty-state], #content tbody tr',
  },
  {
    name: 'refill',
    people: ['advertiser'],
    address: () => '/payments/history',
    shows: '#content h1',
    prepare: async (page) => {
      await page.locator('header button:has(.lucide-plus)').click()
      await page.locator('[role=dialog]').waitFor()
    },
  },
  { name: 'payments', people: whoMay('account.list'), address: () => '/admin/payments', shows: '#content h1' },
  {
    name: 'invoice-create',
    people: ['owner'],
    address: () => '/admin/payments',
    shows: '#content h1',
    prepare: async (page) => {
      await page.locator('#content button:has(.lucide-plus)').click()
      await page.locator('[role=dialog] form').waitFor()
    },
  },
  { name: 'audiences', people: whoMay('audience.read'), address: () => '/audiences', shows: 'tbody tr a' },
  {
    name: 'audience',
    people: whoMay('audience.read'),
    address: ({ audience }) => `/audience/details/${audience}`,
    shows: '#content table',
  },
  { name: 'audience-create', people: whoMay('audience.write'), address: () => '/audience/create', shows: '#content form' },
  {
    name: 'audience-edit',
    people: whoMay('audience.write'),
    address: ({ visitors }) => `/audience/edit/${visitors}`,
    shows: '#content form select',
  },
  {
    name: 'events-setup',
    people: ['advertiser'],
    address: () => '/events',
    shows: '#content h1',
    prepare: async (page) => {
      await page.locator('#content header button:has(.lucide-code)').click()
      await page.locator('[role=dialog] pre').first().waitFor()
    },
  },
  { name: 'reports', people: READERS, address: () => '/reports', shows: '#content h1' },
  {
    name: 'report',
    people: READERS,
    address: ({ running }) => `/reports?campaignId=${running}`,
    shows: '#content h1',
  },
  {
    name: 'report-history',
    people: ['advertiser', 'owner'],
    address: ({ running }) => `/reports?campaignId=${running}`,
    shows: '#content h1',
    prepare: async (page) => {
      await page.locator('#content section button[aria-expanded]').first().click()
      await page.locator('#content section ol li').first().waitFor()
    },
  },
  {
    name: 'create',
    people: whoMay('campaign.write'),
    address: () => '/campaign/create?tab=basicInfo&type=conversion',
    shows: section('basicInfo'),
  },
  {
    name: 'create-audio',
    people: whoMay('campaign.write'),
    address: () => '/campaign/create?tab=tracks&type=other',
    shows: section('tracks'),
  },
  tab('basicInfo'),
  tab('administration', whoMay('owner-fields.read')),
  tab('advancedBidding', whoMay('owner-fields.read')),
  tab('targeting'),
  tab('dynamicAds'),
  tab('bannerAds'),
  tab('nativeAds'),
  tab('videoAds'),
  tab('frequency'),
  tab('placement'),
  tab('geography'),
  {
    name: 'form-waiting',
    people: READERS.filter((person) => person !== 'advertiser'),
    address: ({ waiting }) => `/campaign/edit/${waiting}?tab=basicInfo`,
    shows: '[data-testid=campaign-status]',
  },
  {
    name: 'form-review',
    people: whoMay('campaign.write'),
    address: form('basicInfo'),
    shows: 'input[name=budget]:enabled',
    prepare: async (page) => {
      await page.locator('input[name=budget]').fill('175')
      await page.locator('[data-slot=form-footer] button').last().click()
      await page.locator('[role=dialog] dl').nth(1).waitFor()
    },
  },
  { ...tab('changeLog', whoMay('log.read')), shows: '[data-testid^=log-row-]' },
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
  { name: 'moderation', people: MODERATORS, address: () => '/moderation', shows: '#content section' },
  {
    name: 'moderation-statistics',
    people: whoMay('review.statistics'),
    address: () => '/moderation/statistics',
    shows: '#content dl',
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
      // Its shortcuts are mounted with the campaign under review.
      await page.locator('#content button:has(kbd:text-is("R"))').waitFor()
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
      // The sidebar, which handles the shortcuts, renders after the content.
      await page.locator('[aria-keyshortcuts="Control+K"]').first().waitFor()
      await page.keyboard.press('Control+k')
      await page.locator('[role=dialog] [role=option], [role=dialog] [cmdk-item]').first().waitFor()
    },
  },
  {
    name: 'customization',
    people: whoMay('whitelabel.customise'),
    address: () => '/admin/customization',
    shows: '#content form',
  },
  {
    name: 'customization-color',
    people: ['owner'],
    address: () => '/admin/customization',
    shows: '#content form',
    prepare: async (page) => {
      await page.locator('#content form input[name=primary]').fill('#ffcc00')
      await page.locator('#content form li').first().waitFor()
    },
  },
  {
    name: 'new-white-label',
    people: ['admin'],
    address: () => '/admin/customization',
    shows: '#content form',
    prepare: async (page) => {
      await page.locator('#content header button:has(.lucide-plus)').click()
      await page.locator('[role=dialog] input[name=id]').waitFor()
    },
  },
  { name: 'invitations', people: whoMay('profile.own'), address: () => '/invitations', shows: '#content h1' },
  { name: 'notifications', people: whoMay('profile.own'), address: () => '/notifications', shows: '#content h1' },
  { name: 'team', people: whoMay('team.read'), address: () => '/team', shows: '#content tbody tr' },
  { name: 'inbox', people: whoMay('chat.answer'), address: () => '/inbox', shows: '#content h1' },
  {
    name: 'chat',
    people: whoMay('chat.ask'),
    address: () => '/help/statuses',
    shows: '#content h2',
    prepare: async (page) => {
      await page.locator('header button[aria-expanded]:has(.lucide-message-circle)').click()
      await page.locator('section [role=log] p').first().waitFor()
    },
  },
  { name: 'help', people: EVERYBODY, address: () => '/help/statuses', shows: '#content h2' },
  { name: 'not-found', people: ['advertiser', 'owner'], address: () => '/not-found', shows: '#content h1' },
]
