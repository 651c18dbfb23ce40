import type { Page } from 'playwright-core'
import type { TeamMember } from '#contract/team'
import type { Role } from '#domain/kit/access'
import { opened } from './opened.ts'
import { PEOPLE, whoMay, type Person } from './people.ts'
import type { Screen } from './screen.ts'

/** The people of an account: their menus, the dialogs, and lists that are empty, long or searched. */

const MANAGERS = whoMay('team.manage')
const team = () => '/team'

/** Active people whose roles may change: the last owner of an account keeps theirs. */
const MENU_OF_PERSON = 'tbody tr:is(:has-text("clerk@"), :has-text("moderator@")) button[aria-haspopup=menu]'
const onPerson = (action: string, shows: string, people: readonly Person[]): Screen =>
  opened(`team-${action}`, people, team, shows, MENU_OF_PERSON, `[role=menuitem][data-action=${action}]`)

const INVITE = '#content header button:has(.lucide-user-plus)'
const DIALOG = '[role=dialog] input[type=radio]'
const QUESTION = '[role=alertdialog]'

const person = (n: number, roles: readonly Role[], state: TeamMember['state']): TeamMember => ({
  id: `person-${n}`,
  first_name: `Anna-Maria ${n}`,
  last_name: 'Abdel-Rahman Petrovskaya',
  email: `anna-maria.petrovskaya.${n}@nile-travel-agency.example`,
  roles: [...roles],
  rights: [],
  state,
  second_factor: n % 2 === 0,
  sign_on: false,
  elsewhere: false,
  created_at: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  last_seen_at: state === 'invited' ? null : new Date(Date.now() - 86_400_000).toISOString(),
})

type Answer = { readonly data: { readonly people: readonly TeamMember[] } }

/** Answers with other people than the account has. */
const arranged = (peopleOf: (people: readonly TeamMember[]) => readonly TeamMember[]) => (page: Page) =>
  page.route('**/v1/space/*/team', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as Answer
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, people: peopleOf(answer.data.people) } } })
  })

const ACCOUNT_NAMES = ['Delta Boats', 'Sinai Diving and Desert Tours', 'Karnak Foods', 'Lagos Motors', 'Yerevan Coffee Roasters']
const DAY_MS = 86_400_000

/** Answers with invitations into two accounts, of which one has a long name. */
const invited = (page: Page) =>
  page.route('**/v1/user/invitations', async (route) => {
    const response = await route.fetch()
    const invitations = [
      { space_id: 'one', account: 'Delta Boats', by: 'Chidi Okafor' },
      { space_id: 'two', account: 'The Alexandria and Mediterranean Coast Travel and Tourism Company', by: null },
    ].map((one) => ({ ...one, until: new Date(Date.now() + 2 * DAY_MS).toISOString() }))
    await route.fulfill({ response, json: { ...(await response.json()), data: { invitations } } })
  })

/** Answers with further accounts of the user. */
const withAccounts = (count: number) => (page: Page) =>
  page.route('**/v1/user/me', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { readonly data: { readonly accounts: readonly object[] } }
    const more = Array.from({ length: count }, (_, n) => ({
      space_id: `account-${n}`,
      space_name: `${ACCOUNT_NAMES[n % ACCOUNT_NAMES.length]}${n < ACCOUNT_NAMES.length ? '' : ` ${n}`}`,
      home: false,
      roles: [n % 2 === 0 ? 'USER_VIEWER' : 'ACCOUNTANT'],
    }))
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, accounts: [...answer.data.accounts, ...more] } } })
  })

const SWITCHER = 'header button[aria-haspopup=menu]:has(.lucide-chevrons-up-down)'
const switcher = (name: string, count: number): Screen => ({
  ...opened(name, ['advertiser'], team, '[role=menuitemradio]', SWITCHER),
  arrange: withAccounts(count),
})

const STATES = ['active', 'invited', 'deactivated'] as const
const MANY = Array.from({ length: 12 }, (_, n) =>
  person(n, n === 0 ? ['USER_OWNER', 'ACCOUNTANT'] : ['ACCOUNTANT'], STATES[n % 3] ?? 'active'),
)

export const TEAM: readonly Screen[] = [
  opened('team-menu', MANAGERS, team, '[role=menu]', MENU_OF_PERSON),
  opened('team-invite', MANAGERS, team, DIALOG, INVITE),
  opened(
    'team-invite-faults',
    ['advertiser', 'owner'],
    team,
    '[role=dialog] [role=alert]',
    INVITE,
    '[role=dialog] [type=submit]',
  ),
  onPerson('roles', DIALOG, MANAGERS),
  onPerson('rights', '[role=dialog] li', ['advertiser']),
  onPerson('deactivate', QUESTION, MANAGERS),
  onPerson('handOver', QUESTION, ['advertiser', 'owner']),
  {
    ...onPerson('lostFactor', '[role=dialog] textarea', ['advertiser', 'owner']),
    arrange: arranged((people) => people.map((one) => ({ ...one, second_factor: true }))),
  },
  {
    name: 'team-withdraw',
    people: ['advertiser'],
    address: team,
    shows: '#content tbody tr',
    prepare: async (page) => {
      await page.locator('tbody tr:has-text("noor@nile.example") button[aria-haspopup=menu]').click()
      await page.locator('[role=menuitem][data-action=withdraw]').click()
      await page.locator(QUESTION).waitFor()
    },
  },
  {
    name: 'team-alone',
    people: ['advertiser'],
    address: team,
    shows: '#content [data-slot=empty-state]',
    arrange: arranged((people) => people.filter(({ email }) => email === PEOPLE.advertiser)),
  },
  { name: 'team-many', people: ['advertiser'], address: team, shows: '#content search', arrange: arranged(() => MANY) },
  {
    name: 'team-no-match',
    people: ['advertiser'],
    address: team,
    shows: '#content search',
    arrange: arranged(() => MANY),
    prepare: async (page) => {
      await page.locator('#content search input').fill('nothing of that name')
      await page.locator('#content [data-slot=empty-state]').waitFor()
    },
  },
  opened('account-rename', ['advertiser'], team, '[role=dialog] input[name=name]', '#content header button:has(.lucide-pencil)'),
  {
    name: 'account-rename-empty',
    people: ['advertiser'],
    address: team,
    shows: '#content tbody tr',
    prepare: async (page) => {
      await page.locator('#content header button:has(.lucide-pencil)').click()
      await page.locator('[role=dialog] input[name=name]').fill(' ')
      await page.locator('[role=dialog] [type=submit]').click()
      await page.locator('[role=dialog] [aria-invalid=true]').waitFor()
    },
  },
  { name: 'invitations-open', people: ['advertiser'], address: () => '/invitations', shows: '#content li', arrange: invited },
  switcher('switcher', 2),
  switcher('switcher-many', 12),
  opened('sign-in-handed-over', [], () => '/auth/login?after=hand-over', '[data-slot=notice]'),
]
