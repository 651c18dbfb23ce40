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

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
const key = (name: string, hours: number, replaced_at: string | null = null) => {
  const uses = { created_at: inHours(-200), expires_at: inHours(hours), used_at: inHours(-3), revoked_at: null, replaced_at }
  return { id: name, name, hint: 'a1b2', scopes: ['read', 'campaigns'], ...uses }
}

/** Keys of which one ends soon, and one was replaced: the demo has none. */
const keys = (name: string, shows: string, ...clicks: readonly string[]): Screen => ({
  ...opened(name, ['advertiser'], () => '/profile?tab=apiKeys', shows, ...clicks),
  arrange: (page) =>
    page.route('**/v1/user/api-keys', (route) =>
      route.fulfill({
        json: {
          type: { code: 0, key: 'OK', message: '' },
          data: [key('Warehouse', 2000), key('Nightly export', 100), key('Reports', 20, inHours(-4))],
        },
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
  keys('profile-keys-ends', '#content li'),
  keys('key-rotation', '[role=dialog] [data-slot=dialog-footer] button', '#content li button:first-of-type'),
  opened('key-until', ['advertiser'], () => '/profile?tab=apiKeys', '[role=dialog] select[name=days]', '#content section button'),
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
