import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { BILLING } from './billing-states.ts'
import { MESSAGES } from './message-states.ts'
import { opened } from './opened.ts'
import { whoMay, type Person } from './people.ts'
import { REPORTS } from './report-states.ts'
import type { Places, Screen } from './screen.ts'
import { TEAM } from './team-states.ts'

/** States of screens: empty, new, failed, loading, and with every menu and dialog open. Checked without pictures. */

const READERS = whoMay('campaign.read')
const WRITERS = whoMay('campaign.write')
const HELD = () => new Promise<void>(() => {})

const list = () => '/campaigns'
const log =
  (search: string) =>
  ({ rich }: Places) =>
    `/campaign/edit/${rich}?tab=changeLog${search}`
const setup = (type: string) => () => `/campaign/create?tab=basicInfo&type=${type}`

const NEW_SECTIONS = ['targeting', 'dynamicAds', 'bannerAds', 'nativeAds', 'videoAds', 'frequency', 'placement', 'geography']
const newSection = (tab: string, people: readonly Person[], type = 'consideration') =>
  opened(
    `create-${tab}`,
    people,
    () => `/campaign/create?tab=${tab}&type=${type}`,
    `#content nav a[aria-current=page][href*="tab=${tab}"]`,
  )

/** The first search field. */
const searched = (tab: string): Screen => ({
  name: `form-${tab}-search`,
  people: ['advertiser'],
  address: ({ rich }) => `/campaign/edit/${rich}?tab=${tab}`,
  shows: '#content [role=combobox]:enabled',
  prepare: async (page) => {
    await page.locator('#content [role=combobox]:enabled').first().pressSequentially('a')
    await page.locator('#content [role=combobox][aria-expanded=true]').waitFor()
  },
})

const VIEWS = 'button:has(.lucide-bookmark)'
const MENU_OF_ROW = 'tbody button[aria-haspopup=menu]'
const SECOND_DIALOG = '[role=dialog] >> nth=1'

const settings = () => '/settings'

const PAGES: readonly Screen[] = [
  opened('list-no-match', READERS, () => '/campaigns?q=nothing-of-that-name', '#content [data-slot=empty-state]'),
  opened(
    'report-empty',
    READERS,
    ({ running }) => `/reports?campaignId=${running}&start=2020-01-01&end=2020-01-07`,
    '#content [data-slot=empty-state]',
  ),
  ...['awareness', 'consideration', 'other'].map((type) => opened(`create-${type}`, WRITERS, setup(type), 'form input')),
  ...NEW_SECTIONS.map((tab) => newSection(tab, WRITERS)),
  ...['administration', 'advancedBidding'].map((tab) => newSection(tab, whoMay('owner-fields.write'))),
  opened('create-copy', WRITERS, ({ rich }) => `/campaign/create?replicatedId=${rich}`, 'form input'),
  opened(
    'form-library',
    ['advertiser'],
    ({ rich }) => `/campaign/edit/${rich}?tab=bannerAds`,
    '[role=dialog] [role=option]',
    '#content button:has(.lucide-images)',
  ),
  {
    name: 'form-all-kinds',
    people: ['advertiser'],
    address: ({ rich }) => `/campaign/edit/${rich}?tab=bannerAds`,
    shows: 'body',
    prepare: async (page) => {
      const files = ['notes.txt', 'spot.mp3'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }))
      // The zone of all kinds follows that of banners.
      await page.locator('#content :has(> * > .lucide-files) > input[type=file]').setInputFiles(files)
      await page.locator('[role=dialog] li').first().waitFor()
    },
  },
  {
    name: 'audience-file',
    people: whoMay('audience.write'),
    address: () => '/audience/create',
    shows: '#content form',
    prepare: async (page) => {
      // Two columns are as likely; one row is changed, and one is rejected.
      const csv = 'phone;mobile\n2348031234567;2348031234568\n234 8031234569;2348031234570\n+2348031234571;x\n'
      await page
        .locator('#content input[type=file]')
        .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
      await page.locator('#content table').waitFor()
      await page.locator('#content select').first().selectOption('0')
    },
  },
  opened('form-tracks', READERS, ({ audio }) => `/campaign/edit/${audio}?tab=tracks`, '#content article, #content audio'),
  opened('log-no-match', whoMay('log.read'), log('&log_field=none'), '#content [data-slot=empty-state]'),
  opened(
    'accounts-no-match',
    whoMay('account.list'),
    () => '/admin/accounts?q=nothing-of-that-name',
    '#content [data-slot=empty-state]',
  ),
  opened('sign-on-settings', whoMay('credential.manage'), settings, '#content section dl'),
  opened('sign-on-provider', ['owner'], settings, '[role=dialog] input[name=issuer]', '#content section:has(dl) header button'),
  opened('search-drawer', ['owner'], list, '[data-slot=sheet-content] [data-result]', 'button[aria-keyshortcuts="/"]'),
  opened(
    'audit-no-match',
    whoMay('log.verify'),
    () => '/audit?field=none&kind=ledger&by=staff',
    '#content [data-slot=empty-state]',
  ),
  opened(
    'timeline-compare',
    whoMay('log.read'),
    ({ rich }) => `/campaign/timeline/${rich}?revision=1&from=1&to=3`,
    '[role=dialog] table',
  ),
  opened('log-compare', whoMay('log.read'), log('&log_from=1&log_to=3'), '[role=dialog] table'),
]

const OPENED: readonly Screen[] = [
  opened('user-menu', ['advertiser', 'owner'], list, '[role=menu]', 'header button[aria-haspopup=menu]'),
  opened('row-menu', ['advertiser'], () => '/campaigns?status=3', '[role=menu]', MENU_OF_ROW),
  opened('row-menu-read-only', ['auditor'], () => '/admin/campaigns', '[role=menu]', MENU_OF_ROW),
  ...['name', 'budget', 'dates'].map((field) =>
    opened(`list-edit-${field}`, ['advertiser'], list, '[role=dialog] input', `[data-edit=${field}]`),
  ),
  opened('list-selected', ['advertiser'], list, '[data-slot=bulk-bar]', 'thead input[type=checkbox]'),
  opened(
    'list-bulk-edit',
    ['advertiser'],
    list,
    '[role=dialog] [data-testid^=bulk-row]',
    'thead input[type=checkbox]',
    '[data-slot=bulk-bar] button[aria-keyshortcuts="Shift+E"]',
  ),
  opened(
    'list-bulk-hours',
    ['advertiser'],
    list,
    '[role=dialog] [role=grid]',
    'thead input[type=checkbox]',
    '[data-slot=bulk-bar] button[aria-keyshortcuts="Shift+E"]',
    '[role=dialog] fieldset:nth-of-type(1) label:last-of-type',
    '[role=dialog] fieldset:nth-of-type(2) label:last-of-type',
  ),
  opened(
    'list-schedule',
    ['advertiser'],
    list,
    '[role=dialog] form',
    'thead input[type=checkbox]',
    '[data-slot=bulk-bar] button[aria-keyshortcuts="Shift+S"]',
  ),
  opened(
    'list-statuses',
    READERS,
    list,
    '[role=menuitemcheckbox]',
    'search button[aria-haspopup=menu]:not(:has(.lucide-bookmark))',
  ),
  opened(
    'list-columns',
    ['advertiser'],
    () => '/campaigns?density=compact',
    '[role=menuitemcheckbox]',
    'button:has(.lucide-columns-3)',
  ),
  opened('list-views', ['advertiser', 'owner', 'moderator'], list, '[role=menu] [role=menuitem]', VIEWS),
  opened(
    'list-view-save',
    ['advertiser', 'owner', 'moderator'],
    list,
    '[role=dialog] form',
    VIEWS,
    '[role=menu] [role=menuitem]',
  ),
  opened('list-accounts', whoMay('campaign.admin-list'), () => '/admin/campaigns', '[role=option]', 'search [role=combobox]'),
  {
    name: 'moderation-second',
    people: whoMay('campaign.moderate'),
    address: () => '/moderation?tab=second',
    shows: '#content [data-slot=empty-state], #content article',
  },
  opened('list-import', ['advertiser'], list, '[role=dialog] input[type=file]', 'button:has(.lucide-file-input)'),
  {
    name: 'list-imported',
    people: ['advertiser'],
    address: list,
    shows: 'body',
    prepare: async (page) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('button:has(.lucide-download)').click()])
      const csv = (await readFile(await download.path(), 'utf8')).replaceAll(/,A day,/g, '7,A day,')
      await page.locator('button:has(.lucide-file-input)').click()
      await page.locator('[role=dialog] input[type=file]').setInputFiles({
        name: 'campaigns.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(csv),
      })
      await page.locator('[role=dialog] tbody tr').first().waitFor()
    },
  },
  opened('form-menu', WRITERS, ({ rich }) => `/campaign/edit/${rich}?tab=basicInfo`, '[role=menu]', '[data-focus=menu]'),
  opened('list-message', ['advertiser'], () => '/campaigns?status=1', '[data-sonner-toast]', MENU_OF_ROW, '[data-refused]'),
  opened(
    'replicate',
    ['owner'],
    () => '/admin/campaigns?status=3',
    '[role=dialog] input[type=radio]',
    MENU_OF_ROW,
    '[role=menuitem]:has(.lucide-copy)',
  ),
  opened(
    'report-range',
    ['advertiser'],
    ({ running }) => `/reports?campaignId=${running}`,
    '[role=dialog]',
    'button[aria-haspopup=dialog]:has(.lucide-calendar-days)',
  ),
  opened(
    'places',
    ['advertiser', 'auditor'],
    ({ rich }) => `/campaign/edit/${rich}?tab=placement`,
    'section[tabindex] table',
    'button[aria-expanded=false][aria-controls]:not([aria-haspopup]) >> nth=-1',
  ),
  opened('audit-entry', ['auditor', 'owner'], () => '/audit?kind=account', '[role=dialog] dl', 'tbody button[data-focus=where]'),
  opened(
    'audit-save',
    ['auditor'],
    () => '/audit?by=system',
    '[role=dialog] input',
    '#content button:has(.lucide-bookmark-plus)',
  ),
  opened(
    'audit-export',
    ['auditor'],
    () => '/audit?tab=proof',
    '[role=dialog] select',
    '#content button:has(.lucide-download) >> nth=-1',
  ),
  opened(
    'timeline-verified',
    ['auditor', 'owner'],
    ({ rich }) => `/campaign/timeline/${rich}`,
    '#content output [data-slot=notice]',
    '#content button:has(.lucide-shield-check)',
  ),
  opened(
    'timeline-undo',
    ['owner'],
    ({ rich }) => `/campaign/timeline/${rich}?revision=2`,
    '[role=dialog] output, [role=dialog] [role=alert]',
    '#content section[aria-labelledby=timeline-revision] button >> nth=0',
  ),
  opened('log-field', ['owner'], log(''), '[role=dialog] input', 'search button[aria-haspopup=dialog]'),
  ...['as-was', 'undo', 'restore'].map((name, index) =>
    opened(
      `log-${name}`,
      ['owner'],
      log(''),
      SECOND_DIALOG,
      '[data-testid=log-row-2]',
      `[role=dialog] div.justify-end > button:nth-last-child(${3 - index})`,
    ),
  ),
  opened(
    'bidding-rules',
    ['owner', 'auditor'],
    ({ rich }) => `/campaign/edit/${rich}?tab=advancedBidding`,
    '#content li [id]:not([hidden]) select, #content li fieldset',
    '[data-focus$=":toggle"]',
  ),
  opened(
    'categories',
    ['owner'],
    ({ rich }) => `/campaign/edit/${rich}?tab=administration`,
    '[role=option]',
    '#content fieldset [role=combobox]',
  ),
  ...['targeting', 'placement', 'geography'].map(searched),
  opened(
    'moderation-approve',
    ['moderator'],
    () => '/moderation',
    '[role=dialog]',
    '#content button:has(kbd:text-is("A")) + button',
  ),
  ...['reject', 'approve'].map((name, index) =>
    opened(
      `form-${name}`,
      ['owner', 'moderator'],
      ({ waiting }) => `/campaign/edit/${waiting}?tab=basicInfo`,
      '[role=dialog]',
      `section:has(.lucide-shield-check) button >> nth=${index}`,
    ),
  ),
  opened('form-faults', ['advertiser'], setup('awareness'), '#content [role=alert]', '[data-slot=form-footer] button:last-child'),
  {
    name: 'country-question',
    people: ['advertiser'],
    address: setup('awareness'),
    shows: 'input[name=country]',
    prepare: async (page) => {
      await page.locator('input[name=country]').click()
      await page.locator('[role=option]').nth(8).click()
      await page.locator('[role=alertdialog]').waitFor()
    },
  },
]

const typeName = (page: Page) => page.locator('input[name=name]').fill('Left behind')

const STORIES: readonly Screen[] = [
  {
    name: 'leave-question',
    people: ['advertiser'],
    address: ({ rich }) => `/campaign/edit/${rich}?tab=basicInfo`,
    shows: 'input[name=name]',
    prepare: async (page) => {
      await typeName(page)
      await page.locator('header nav a').first().click()
      await page.locator('[role=alertdialog]').waitFor()
    },
  },
  {
    name: 'draft-offer',
    people: ['advertiser'],
    address: setup('awareness'),
    shows: 'input[name=name]',
    prepare: async (page) => {
      page.on('dialog', (dialog) => void dialog.accept())
      await typeName(page)
      await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('DSP_DRAFT')))
      await page.reload()
      await page.locator('section:has(.lucide-history)').waitFor()
    },
  },
  {
    name: 'merge',
    people: ['advertiser'],
    address: ({ contested }) => `/campaign/edit/${contested}?tab=basicInfo`,
    shows: 'input[name=name]',
    prepare: async (page, { places, as }) => {
      await typeName(page)
      const owner = await as('owner')
      await owner.call('PUT', '/v1/campaign', { id: places.contested, name: `Named at ${Date.now()}` })
      await page.locator('[data-save]').click()
      await page.locator('[role=dialog] input[type=radio]').first().waitFor()
    },
  },
  {
    name: 'sign-in-refused',
    people: [],
    address: () => '/auth/login',
    shows: 'input[type=password]',
    prepare: async (page) => {
      await page.locator('input[name=username]').fill('nobody@dsp.example')
      await page.locator('input[type=password]').fill('not this one')
      await page.locator('button[type=submit]').click()
      await page.locator('[role=alert]').waitFor()
    },
  },
  {
    name: 'narrow',
    people: ['advertiser'],
    address: list,
    shows: 'main h1',
    prepare: (page) => page.setViewportSize({ width: 1000, height: 850 }),
  },
  {
    name: 'list-failed',
    people: ['advertiser'],
    address: list,
    shows: '#content [role=alert]',
    arrange: (page) => page.route('**/v1/campaign/list/v2', (route) => route.fulfill({ status: 400, json: FAILED })),
  },
  {
    name: 'page-failed',
    people: ['advertiser'],
    address: list,
    shows: 'main [role=alert]',
    arrange: (page) => page.route('**/v1/user/me', (route) => route.fulfill({ status: 400, json: FAILED })),
    fails: true,
  },
  {
    name: 'list-on-its-way',
    people: ['advertiser'],
    address: list,
    shows: '[data-slot=progress-bar]',
    arrange: (page) => page.route('**/v1/campaign/list/v2', HELD),
    waits: true,
  },
  {
    name: 'page-on-its-way',
    people: ['advertiser'],
    address: list,
    shows: 'main output',
    arrange: (page) => page.route('**/v1/user/me', HELD),
    waits: true,
  },
  {
    name: 'form-on-its-way',
    people: ['advertiser'],
    address: ({ rich }) => `/campaign/edit/${rich}?tab=basicInfo`,
    shows: '#content output',
    arrange: (page) => page.route(/\/v1\/campaign\/[\w-]{20,}$/, HELD),
    waits: true,
  },
]
const FAILED = { type: { code: 1, message: 'Backend exception' }, data: null }

export const STATES: readonly Screen[] = [...PAGES, ...OPENED, ...REPORTS, ...BILLING, ...MESSAGES, ...TEAM, ...STORIES]
