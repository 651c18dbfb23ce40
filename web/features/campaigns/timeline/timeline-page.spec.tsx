import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { describe, expect, it, vi } from 'vitest'
import {
  campaignAt,
  campaignBlame,
  campaignDiff,
  campaignEvents,
  logProof,
  restoreCampaign,
  revisionIndex,
  revisionSnapshot,
  verifyCampaign,
} from '#contract/audit'
import { getCampaign } from '#contract/campaign'
import { campaignReport, campaignTotal } from '#contract/reports'
import { listScheduled, type ScheduledChangeOut } from '#contract/schedules'
import { campaignStatusHistory } from '#contract/status-history'
import { campaignWith } from '@/test/campaign-form'
import { pageOf, READ_AT, signedInServer } from '@/test/fake-server'
import { entryOf } from '@/test/log-fixture'
import { renderRoute } from '@/test/render-route'
import { scheduledWith } from '@/test/scheduled-change'

const time = (revision: number) => new Date(2025, 0, 5, 14, revision)
const ENTRIES = [
  entryOf(3, [{ path: 'budget', from: 30, to: 50 }]),
  entryOf(2, [{ path: 'budget', from: 20, to: 30 }], { author: 'Olga Owner', author_id: 'olga' }),
  entryOf(1, [], { previous_state: null, events: ['CampaignCreated'] }),
]
const BUDGETS: Readonly<Record<string, number>> = { 1: 20, 2: 30, 3: 50 }

function open(search = '', role = 'AUDITOR', waiting: readonly ScheduledChangeOut[] = []) {
  const server = signedInServer({ role })
  const campaign = campaignWith({ id: 'c1', name: 'Autumn', space_id: 'space-1', status_key: 3 })
  server.on(getCampaign, () => campaign)
  server.on(campaignTotal, () => ({ currency: 'USD' }) as never)
  server.on(listScheduled, () => pageOf([...waiting]))
  server.on(campaignReport, () => ({ ...READ_AT, points: [], totals: { spent: 0 }, currency: 'USD' }) as never)
  server.on(revisionIndex, () =>
    ENTRIES.map(({ revision, author, author_id, commit_date }) => ({ revision, author, author_id, commit_date })),
  )
  server.on(revisionSnapshot, ({ query }) => {
    const page = Number(query.get('page-num'))
    return { ...pageOf(ENTRIES.slice(page - 1, page), 3), current_page: page, page_size: 1 }
  })
  server.on(campaignStatusHistory, () =>
    pageOf([
      {
        revision: 2,
        at: time(2).toISOString(),
        status_key: 3,
        previous_status_key: 0,
        reasons: ['running'],
        ended: ['draft'],
        cause: 'CampaignApproved',
        actor: 'Olga Owner',
      },
      {
        revision: 1,
        at: time(1).toISOString(),
        status_key: 0,
        previous_status_key: null,
        reasons: ['draft'],
        ended: [],
        cause: 'CampaignCreated',
        actor: 'Ada Hassan',
      },
    ]),
  )
  server.on(campaignAt, ({ query }) => {
    const revision = Number(query.get('revision'))
    return {
      revision,
      at: time(revision).toISOString(),
      state: { ...campaign, name: 'Autumn', budget: BUDGETS[revision] ?? 0 },
      status_key: 3,
      status_reasons: [],
    }
  })
  server.on(campaignBlame, ({ query }) => {
    const revision = Number(query.get('revision'))
    return [
      {
        path: 'budget',
        value: BUDGETS[revision] ?? 0,
        since: time(revision).toISOString(),
        revision,
        actor: 'x',
        command_id: 'c',
      },
      { path: 'name', value: 'Autumn', since: time(1).toISOString(), revision: 1, actor: 'x', command_id: 'c' },
    ]
  })
  return { server, ...renderRoute(`/campaign/timeline/c1${search}`) }
}
const budget = () => screen.findByTestId('state-budget')
const slider = () => screen.findByRole('slider', { name: 'Moment of the timeline' })

describe('a timeline', () => {
  it('begins now, with the newest state and who set it', async () => {
    open()
    expect(await budget()).toHaveTextContent(/Budget.*50\.00.*Ada Hassan · 3/)
    expect(await screen.findByTestId('changed-budget')).toHaveTextContent(/30\.00.*50\.00/)
    expect(within(await budget()).getByRole('button')).toHaveAccessibleName(
      /^Ada Hassan · 3\W+Set by Ada Hassan on Jan 05, 2025 14:03 in revision 3$/,
    )
  })

  it('shows what is scheduled after now, which the cursor does not reach', async () => {
    const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    open('', 'AUDITOR', [
      scheduledWith({ id: 'one', act: 'pause', fields: null, due_at: later(2) }),
      scheduledWith({ id: 'two', act: 'run', fields: null, due_at: later(9) }),
    ])
    const cursor = await slider()
    await waitFor(() => expect(document.querySelectorAll('[data-slot=planned] title')).toHaveLength(2))
    expect([...document.querySelectorAll('[data-slot=planned] title')].map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/: the campaign pauses$/),
      expect.stringMatching(/: the campaign runs$/),
    ])
    expect(screen.getByText('Scheduled', { selector: 'text' })).toBeInTheDocument()
    const now = Number(cursor.getAttribute('aria-valuenow'))
    fireEvent.keyDown(cursor, { key: 'End' })
    fireEvent.keyDown(cursor, { key: 'PageUp' })
    expect(Number(cursor.getAttribute('aria-valuenow'))).toBe(now)
  })

  it('moves by keys from change to change, and the address follows', async () => {
    const { address } = open()
    const cursor = await slider()
    cursor.focus()
    fireEvent.keyDown(cursor, { key: 'ArrowLeft' })
    expect(cursor).toHaveAttribute('aria-valuetext', expect.stringContaining('Revision 3 by Ada Hassan'))
    fireEvent.keyDown(cursor, { key: 'ArrowLeft' })
    expect(cursor).toHaveAttribute('aria-valuetext', expect.stringContaining('Revision 2 by Olga Owner'))
    await waitFor(() => expect(address()).toBe('/campaign/timeline/c1?revision=2'))
    await waitFor(async () => expect(await budget()).toHaveTextContent(/30\.00.*Olga Owner · 2/))
    fireEvent.keyDown(cursor, { key: 'Home' })
    await waitFor(() => expect(address()).toBe('/campaign/timeline/c1?revision=1'))
    expect(await screen.findByText('The campaign was created with what is shown as its state.')).toBeVisible()
    fireEvent.keyDown(cursor, { key: 'End' })
    await waitFor(() => expect(address()).toBe('/campaign/timeline/c1'))
  })

  it('shows the moment of its address: a revision, or an instant between two', async () => {
    open('?revision=2')
    expect(await budget()).toHaveTextContent('30.00')
  })

  it('shows the state at an instant', async () => {
    open(`?at=${new Date(2025, 0, 5, 14, 2, 30).toISOString()}`)
    expect(await budget()).toHaveTextContent('30.00')
    expect(screen.getByText(/1 revision before the newest one/)).toBeVisible()
    expect(screen.getByLabelText('Time')).toHaveValue('14:02:30')
  })

  it('goes to a typed time, and leaves what is no time alone', async () => {
    const { address } = open('?revision=3')
    const field = await screen.findByLabelText('Time')
    await userEvent.clear(field)
    await userEvent.type(field, '14:')
    expect(field).toHaveAttribute('aria-invalid', 'true')
    await userEvent.type(field, '01')
    await waitFor(() => expect(address()).toContain('at='))
    await waitFor(async () => expect(await budget()).toHaveTextContent('20.00'))
  })

  it('leads from a field to the moment that set it', async () => {
    const { address } = open()
    await budget()
    await userEvent.click(within(await screen.findByTestId('state-name')).getByRole('button'))
    await waitFor(() => expect(address()).toBe('/campaign/timeline/c1?revision=1'))
  })

  it('finds a field by its name', async () => {
    open()
    await budget()
    await userEvent.type(screen.getByLabelText('Find a field'), 'budg')
    expect(screen.queryByTestId('state-name')).toBeNull()
    expect(await budget()).toBeVisible()
  })

  it('compares the moment with the newest state', async () => {
    const { server, address } = open('?revision=1')
    server.on(campaignDiff, () => ({ from: 1, to: 3, changes: [{ path: 'budget', value: 50, from: 20, to: 50 }] }) as never)
    await userEvent.click(await screen.findByRole('button', { name: 'Compare' }))
    const dialog = await screen.findByRole('dialog', { name: 'Compare two revisions' })
    expect(await within(dialog).findByTestId('log-change-budget')).toHaveTextContent(/20\.00.*50\.00/)
    expect(address()).toContain('from=1&to=3')
  })

  it('copies a link to the moment, also of now', async () => {
    const user = userEvent.setup()
    open()
    await user.click(await screen.findByRole('button', { name: 'Copy link' }))
    expect(await navigator.clipboard.readText()).toMatch(/at=\d{4}-/)
  })

  it('shows what a restore would change before it asks', async () => {
    const { server } = open('?revision=1', 'WL_OWNER')
    server.on(
      restoreCampaign,
      () => ({ diff: [{ path: 'budget', value: 20, from: 50, to: 20 }], status_key: 3, moderator_needed: false }) as never,
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Restore this version' }))
    expect(await screen.findByRole('dialog', { name: 'Restore revision 1?' })).toBeVisible()
    expect(server.calls(restoreCampaign)[0]?.query.get('dry_run')).toBe('true')
  })

  it('offers an auditor nothing that changes the campaign', async () => {
    open('?revision=2')
    await screen.findByTestId('changed-budget')
    expect(screen.queryByRole('button', { name: /Restore|Undo/ })).toBeNull()
  })

  it('a timeline is accessible', async () => {
    open()
    await budget()
    const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('a timeline is not for advertisers', async () => {
    const { server, address } = open('', 'USER_OWNER')
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(server.calls(revisionIndex)).toEqual([])
  })
})

describe('the evidence', () => {
  it('says that the log is intact', async () => {
    const { server } = open()
    server.on(verifyCampaign, () => ({ valid: true, events: 12, head_hash: 'cafe', faults: [] }))
    await userEvent.click(await screen.findByRole('button', { name: 'Verify' }))
    expect(await screen.findByText('All 12 events are intact, and the lists show what the log says.')).toBeVisible()
    expect(screen.getByText('cafe')).toBeVisible()
  })

  it('names every fault of a log that is not', async () => {
    const { server } = open()
    server.on(verifyCampaign, () => ({ valid: false, events: 12, head_hash: 'cafe', faults: ['event 3 was changed'] }))
    await userEvent.click(await screen.findByRole('button', { name: 'Verify' }))
    expect(await screen.findByText('event 3 was changed')).toBeVisible()
  })

  it('saves the proof of the last event of the revision that is shown', async () => {
    const { server } = open('?revision=2')
    const stored = (version: number, revision: number) => ({
      position: String(version),
      version,
      event_id: `event-${version}`,
      type: 'CampaignUpdated',
      schema_version: 1,
      data: '{}',
      metadata: JSON.stringify({ revision }),
      hash: '',
      previous_hash: '',
    })
    server.on(campaignEvents, () => [stored(2, 2), stored(3, 2), stored(4, 3)])
    server.on(logProof, () => ({
      event_id: 'event-3',
      index: 7,
      size: 9,
      hashes: [],
      checkpoint: 'c',
      proof: 'c2sp.org/tlog-proof@v1',
    }))
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:proof')
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Download proof of revision 2' }))
    await waitFor(() => expect(saved).toEqual(['Autumn-revision-2.tlog-proof']))
    vi.restoreAllMocks()
    expect(server.calls(logProof)[0]?.query.get('event')).toBe('event-3')
  })
})
