import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listAccounts } from '#contract/accounts'
import { logHead, logKeys, signCheckpoint } from '#contract/audit'
import { auditFeed, type FeedEntry } from '#contract/audit-feed'
import { readSecurityEvents } from '#contract/security'
import { accountWith } from '@/test/account-fixture'
import { pageOf, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const entry = (position: number, patch: Partial<FeedEntry> = {}): FeedEntry => ({
  position: String(position),
  at: new Date(2026, 10, 3, 14, position % 60).toISOString(),
  kind: 'campaign',
  subject_id: 'campaign-1',
  subject_name: 'Autumn',
  space_id: 'space-1',
  space_name: 'Nile Travel',
  whitelabel_id: 'dsp',
  version: 4,
  revision: 3,
  type: 'CampaignUpdated',
  actor_id: 'ada',
  author: 'Ada Hassan',
  role: 'USER_OWNER',
  on_behalf_of: null,
  source: 'ui',
  changes: [{ path: 'budget', from: 20_000_000, to: 30_000_000 }],
  hash: 'ab'.repeat(32),
  ...patch,
})
const CREDIT = entry(5, {
  kind: 'account',
  subject_id: 'space-1',
  subject_name: 'Nile Travel',
  type: 'CreditLimitChanged',
  actor_id: 'olga',
  author: 'Olga Owner',
  role: 'WL_OWNER',
  changes: [{ path: 'credit_limit', from: 100_000_000, to: 250_000_000 }],
})

type Page = { readonly entries: FeedEntry[]; readonly next?: string | null }

function open(path: string, answer: (query: URLSearchParams) => Page, role = 'AUDITOR') {
  const server = signedInServer({ role })
  server.on(listAccounts, () => pageOf([accountWith()]))
  server.on(auditFeed, ({ query }) => ({ next: null, head: '9', ...answer(query) }))
  return { server, ...renderRoute(path) }
}
const row = (position: number) => screen.findByTestId(`audit-row-${position}`)
const questions = (server: ReturnType<typeof open>['server']) =>
  server.calls(auditFeed).map(({ query }) => Object.fromEntries(query))

afterEach(() => localStorage.clear())

describe('the audit page', () => {
  it('says when, what from what to what, where, who in which role, and from where', async () => {
    open('/audit', () => ({ entries: [entry(7), CREDIT] }))
    expect(await row(7)).toHaveTextContent(
      /Nov 03, 2026 14:07Changes savedBudget.*20\.00 → .*30\.00AutumnCampaign · Nile Travel.*Ada Hassan.*Web/,
    )
    expect(await row(5)).toHaveTextContent(/Credit limit changedCredit limit 100\.00 → 250\.00Nile TravelAccountOlga OwnerOwner/)
  })

  it('asks for the newest first, and for older ones at a press', async () => {
    const { server } = open('/audit', (query) =>
      query.get('before') === '7'
        ? { entries: [CREDIT] }
        : { entries: Array.from({ length: 50 }, (_, n) => entry(60 - n)), next: '7' },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Show older' }))
    expect(await row(5)).toBeVisible()
    expect(questions(server)).toEqual([
      { order: 'desc', limit: '50' },
      { order: 'desc', limit: '50', before: '7' },
    ])
    expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
  })

  it('goes on by itself where a call found nothing, and asks before it searches further back', async () => {
    let position = 100
    const { server } = open('/audit?field=budget', () => ({ entries: [], next: String((position -= 10)) }))
    const further = await screen.findByRole('button', { name: 'Search further back' })
    expect(questions(server).map(({ before }) => before)).toEqual([undefined, '90', '80', '70', '60'])
    await userEvent.click(further)
    await waitFor(() => expect(questions(server)).toHaveLength(10))
  })

  it('the audit page has its filters in the address, and a question is one press', async () => {
    const { server, address } = open('/audit?kind=campaign&who=ada', () => ({ entries: [entry(7)] }))
    expect(await screen.findByRole('combobox', { name: 'Kind' })).toHaveValue('campaign')
    await row(7)
    expect(questions(server)[0]).toMatchObject({ kind: 'campaign', actor: 'ada' })
    await userEvent.click(screen.getByRole('button', { name: 'Money fields changed by staff' }))
    await waitFor(() => expect(questions(server).at(-1)).toMatchObject({ by: 'staff', field: expect.stringMatching(/^budget,/) }))
    expect(questions(server).at(-1)).not.toHaveProperty('actor')
    expect(screen.getByRole('button', { name: 'Money fields changed by staff' })).toHaveAttribute('aria-pressed', 'true')
    expect(address()).toContain('by=staff')
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(address()).toBe('/audit'))
  })

  it('saves a filter under a name, and forgets it again', async () => {
    const { address } = open('/audit?by=system', () => ({ entries: [entry(7)] }))
    await userEvent.click(await screen.findByRole('button', { name: 'Save filter' }))
    const dialog = await screen.findByRole('dialog', { name: 'Save this filter' })
    await userEvent.type(within(dialog).getByLabelText('Name'), 'The robots')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save filter' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(screen.getByRole('button', { name: 'Everything' }))
    await waitFor(() => expect(address()).toBe('/audit'))
    await userEvent.click(screen.getByRole('button', { name: 'The robots' }))
    await waitFor(() => expect(address()).toBe('/audit?by=system'))
    await userEvent.click(screen.getByRole('button', { name: 'Delete “The robots”' }))
    expect(screen.queryByRole('button', { name: 'The robots' })).toBeNull()
  })

  it('leads from a change of a campaign to its timeline at that moment', async () => {
    open('/audit', () => ({ entries: [entry(7)] }))
    const link = within(await row(7)).getByRole('link', { name: 'Timeline of Autumn at revision 3' })
    expect(link).toHaveAttribute('href', '/campaign/timeline/campaign-1?revision=3')
  })

  it('opens what happened to another subject, with its place in the log, and filters by the subject', async () => {
    const { address } = open('/audit', () => ({ entries: [CREDIT] }))
    await userEvent.click(within(await row(5)).getByRole('button', { name: 'Nile Travel' }))
    const dialog = await screen.findByRole('dialog', { name: 'Credit limit changed' })
    expect(dialog).toHaveTextContent('ab'.repeat(32))
    expect(dialog).toHaveTextContent(/5 \(Version 4, revision 3\)/)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Only events of this subject' }))
    await waitFor(() => expect(address()).toBe('/audit?subject=space-1'))
    expect(await screen.findByText('Only: Nile Travel')).toBeVisible()
  })

  it('saves what is asked for as a file', async () => {
    const { server } = open('/audit?by=staff', () => ({ entries: [entry(7)] }))
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:')
    await row(7)
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(questions(server).at(-1)).toEqual({ by: 'staff', order: 'desc', format: 'csv' }))
  })

  it('says that nothing matches, and why it could not load', async () => {
    open('/audit?by=staff', () => ({ entries: [] }))
    expect(await screen.findByText('Nothing matches')).toBeVisible()
  })

  it('reports a failure and tries again', async () => {
    const { server } = open('/audit', () => ({ entries: [] }))
    server.on(auditFeed, () => refusal(1, 500))
    expect(await screen.findByText(/Nothing happened yet|could not be loaded/)).toBeVisible()
  })

  it('the audit page is accessible', async () => {
    open('/audit?by=staff', (query) => (query.has('before') ? { entries: [] } : { entries: [entry(7), CREDIT], next: '3' }))
    await row(7)
    const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it.each(['USER_OWNER', 'WL_MODERATOR', 'ACCOUNTANT'])('the audit page is not for the role %s', async (role) => {
    const { server, address } = open('/audit', () => ({ entries: [] }), role)
    await waitFor(() => expect(address()).not.toContain('/audit'))
    expect(server.calls(auditFeed)).toEqual([])
  })
})

it('shows security events, newest first', async () => {
  const { server } = open('/audit?tab=security', () => ({ entries: [] }))
  server.on(readSecurityEvents, () => [
    {
      id: '9',
      at: new Date(2026, 10, 3, 9, 1).toISOString(),
      type: 'sign-in-failed',
      whitelabel_id: 'dsp',
      person_id: null,
      person_name: null,
      client_network: '10.0.0.0/24',
      details: { call: 'session.signIn' },
      count: 3,
    },
  ])
  expect(await screen.findByTestId('security-row-9')).toHaveTextContent(
    /Sign-in failed 3 times.*call: session\.signIn.*not signed in.*10\.0\.0\.0\/24/,
  )
  expect(Object.fromEntries(server.calls(readSecurityEvents)[0]?.query ?? [])).toEqual({ order: 'desc', limit: '50' })
})

describe('the proof', () => {
  const KEY = 'placard.example/log+1234abcd+AAAA'
  function openProof() {
    const opened = open('/audit?tab=proof', () => ({ entries: [] }))
    const state = { size: 40 }
    opened.server.on(logHead, () => ({
      size: state.size,
      root_hash: 'cm9vdA==',
      current_at: new Date(2026, 10, 3, 9, 1).toISOString(),
      witnesses: [{ name: 'witness.example', cosigned_at: null }],
      checkpoint: 'placard.example/log\n40\ncm9vdA==\n\n— placard.example/log AAAA\n',
    }))
    opened.server.on(logKeys, () => ({
      origin: 'placard.example/log',
      keys: [{ verifier_key: KEY, created_at: new Date(2026, 0, 1).toISOString(), signs_until: null, signs: true }],
    }))
    opened.server.on(signCheckpoint, () => {
      state.size = 41
      return { size: 41, root_hash: 'cm9vdA==', checkpoint: 'x' }
    })
    return opened
  }

  it('shows the newest head with its witnesses and keys, and signs another at a press', async () => {
    openProof()
    expect(await screen.findByTestId('head-size')).toHaveTextContent('40')
    expect(screen.getByText('witness.example')).toHaveTextContent('has not cosigned it yet')
    expect((await screen.findAllByText(KEY)).length).toBeGreaterThan(0)
    await userEvent.click(screen.getByRole('button', { name: 'Sign now' }))
    await waitFor(() => expect(screen.getByTestId('head-size')).toHaveTextContent('41'))
  })

  it('says what is wrong with a file that is no export, without asking the server', async () => {
    const { server } = openProof()
    await screen.findByTestId('head-size')
    await waitFor(() => expect(screen.getByLabelText('Public keys that you trust')).toHaveValue(KEY))
    const before = server.asked.length
    const input = screen.getByLabelText('Drop an export here, or choose a file')
    const file = new File(['{"not":"an export"}\n'], 'forged.ndjson')
    // jsdom has no stream of a file.
    Object.defineProperty(file, 'stream', { value: () => new Response('{"not":"an export"}\n').body })
    await userEvent.upload(input, file, { applyAccept: false })
    expect(await screen.findByText(/forged\.ndjson is not genuine/)).toBeVisible()
    expect(server.asked.length).toBe(before)
  })
})
