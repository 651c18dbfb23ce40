import { opened } from './opened.ts'
import { EVERYBODY, whoMay } from './people.ts'
import type { Screen } from './screen.ts'

/** Notifications, previews of documents and mails, help, and saved reports. */

const SAVED = 'header button:has(.lucide-bookmark), #content button:has(.lucide-bookmark)'

const preview = (shown: string, people: Screen['people']): Screen => ({
  name: `customization-preview-${shown}`,
  people,
  address: () => '/admin/customization',
  shows: '#content form',
  prepare: async (page) => {
    await page.locator('#content select:has(option[value=document])').selectOption(shown)
    await page.locator('#content iframe').waitFor()
  },
})

const helpSearch = (name: string, query: string, shows: string): Screen => ({
  name,
  people: EVERYBODY,
  address: () => '/help',
  shows: '#content input[type=search]',
  prepare: async (page) => {
    await page.locator('#content input[type=search]').fill(query)
    await page.locator(shows).first().waitFor()
  },
})

/** The question for a proof of the last five minutes, over the dialog of the call that was refused. */
const proof = (name: string, methods: readonly string[]): Screen => ({
  ...opened(
    name,
    ['advertiser', 'owner'],
    () => '/profile',
    '[role=dialog] form input[name=password]',
    '#content section:last-of-type button',
    '[role=dialog] [data-slot=dialog-footer] button:last-of-type',
  ),
  arrange: (page) =>
    page.route('**/v1/user/data', (route) =>
      route.fulfill({
        status: 401,
        json: { type: { code: 401, key: 'unauthorized', message: '' }, data: { errors: [], step_up: { methods } } },
      }),
    ),
})

export const MESSAGES: readonly Screen[] = [
  opened('bell', ['advertiser'], () => '/campaigns', '[role=dialog] li a', 'button[aria-haspopup=dialog]:has(.lucide-bell)'),
  opened('notifications-kind', ['advertiser'], () => '/notifications?kind=campaign-rejected', '#content li a'),
  opened(
    'notifications-none',
    whoMay('profile.own'),
    () => '/notifications?kind=approval-asked&state=unread&page=9',
    '#content [data-slot=empty-state]',
  ),
  opened('profile', ['advertiser'], () => '/profile', '#content form, #content section'),
  opened(
    'own-data',
    ['advertiser', 'owner'],
    () => '/profile',
    '[role=dialog] [data-slot=dialog-footer] button',
    '#content section:last-of-type button',
  ),
  proof('proof', ['password']),
  proof('proof-factor', ['password', 'code', 'passkey']),
  opened('profile-security', ['advertiser'], () => '/profile?tab=security', '#content section'),
  opened('profile-keys', ['advertiser'], () => '/profile?tab=apiKeys', '#content section'),
  opened('notification-choices', ['advertiser'], () => '/profile?tab=notifications', '#content tbody tr'),
  opened(
    'notification-choices-staff',
    ['owner', 'moderator', 'admin'],
    () => '/profile-whitelabel?tab=notifications',
    '#content section table',
  ),
  preview('document', ['owner', 'admin']),
  preview('invoice', ['owner']),
  helpSearch('help-search', 'e', '#content output ~ ul li a'),
  helpSearch('help-no-match', 'xyzzyq', '#content [data-slot=empty-state]'),
  opened('saved-reports', ['advertiser'], () => '/reports', '[role=dialog] li a', SAVED),
  opened(
    'saved-report-schedule',
    ['advertiser'],
    () => '/reports',
    '[role=dialog] form select',
    SAVED,
    '[role=dialog] [data-slot=dialog-footer] button',
  ),
  {
    name: 'country-picker',
    people: ['advertiser'],
    address: () => '/campaign/create?tab=basicInfo&type=awareness',
    shows: 'input[name=country]',
    prepare: async (page) => {
      await page.locator('input[name=country]').click()
      await page.locator('[role=option]').first().waitFor()
    },
  },
]
