import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import {
  approveCampaign,
  assignSubmission,
  holdSubmission,
  moderationQueue,
  rejectCampaign,
  releaseSubmission,
  type QueuedSubmission,
} from '#contract/moderation'
import { logOut } from '@/session/log-out'
import { pageOf, refusal } from '@/test/fake-server'
import {
  holderOf,
  later,
  listedLinks,
  openApp,
  openQueue,
  shows,
  stopTheClock,
  three,
  waiting,
  type Waiting,
} from '@/test/queue-fixture'

stopTheClock()

const OLGA = holderOf('olga', 'Olga')
const withRow = ({ campaign, row }: Waiting, patch: Partial<QueuedSubmission>): Waiting => ({
  campaign,
  row: { ...row, ...patch },
})
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)

/** Fine print 101. */
describe('a hold', () => {
  it('begins when a submission is opened, and ends when the moderator leaves it', async () => {
    const app = await openQueue(three())
    await waitFor(() => expect(app.sent(holdSubmission)).toEqual([{ campaign_id: 'one', take_over: false }]))
    expect(app.sent(releaseSubmission)).toEqual([])
    await app.user.keyboard('j')
    await shows('Campaign two')
    await waitFor(() => expect(app.sent(releaseSubmission)).toEqual([{ campaign_id: 'one' }]))
    expect(app.sent(holdSubmission)).toContainEqual({ campaign_id: 'two', take_over: false })
    await app.user.click(screen.getByRole('link', { name: 'Campaigns' }))
    await waitFor(() => expect(app.sent(releaseSubmission)).toContainEqual({ campaign_id: 'two' }))
  })

  it('a hold is kept by a decision that can still be undone', async () => {
    const app = await openQueue(three())
    await app.user.keyboard('a')
    await shows('Campaign two')
    await later()
    expect(app.sent(approveCampaign)).toHaveLength(1)
    expect(app.sent(releaseSubmission)).toEqual([])
  })

  it('a hold is renewed by activity, and by nothing else', async () => {
    const app = await openQueue([waiting('one')])
    await waitFor(() => expect(app.sent(holdSubmission)).toHaveLength(1))
    await minutes(5)
    expect(app.sent(holdSubmission)).toHaveLength(1)
    await app.user.keyboard('x')
    await waitFor(() => expect(app.sent(holdSubmission)).toHaveLength(2))
    await app.user.keyboard('x')
    expect(app.sent(holdSubmission)).toHaveLength(2)
  })

  it('ends with a sign-out and with the page', async () => {
    const app = await openQueue([waiting('one')])
    window.dispatchEvent(new Event('pagehide'))
    await waitFor(() => expect(app.sent(releaseSubmission)).toHaveLength(1))
    logOut()
    await waitFor(() => expect(app.sent(releaseSubmission).length).toBeGreaterThan(1))
  })

  it('a hold of another moderator shows who it is, and stops decisions until T takes it over', async () => {
    const [one, two, last] = three() as [Waiting, Waiting, Waiting]
    const held = withRow(one, { holder: OLGA })
    const app = await openQueue(
      [held, two, last],
      (server) =>
        server.on(holdSubmission, ({ body }) => ({
          holder: (body as { take_over: boolean }).take_over ? holderOf('ada') : OLGA,
          position: '9',
        })),
      '/moderation?id=one',
    )
    const notice = await screen.findByText('Olga reviews this campaign')
    expect(notice).toBeVisible()
    expect(listedLinks()[0]).toHaveTextContent('Olga reviews it')
    expect(screen.getByRole('button', { name: 'Approve' })).toBeDisabled()
    await app.user.keyboard('ar')
    expect(screen.queryByRole('dialog')).toBeNull()
    await app.user.keyboard('t')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Approve' })).toBeEnabled())
    expect(app.sent(holdSubmission)).toContainEqual({ campaign_id: 'one', take_over: true })
    expect(screen.queryByText('Olga reviews this campaign')).toBeNull()
    await app.user.keyboard('a')
    await later()
    expect(app.sent(approveCampaign)).toHaveLength(1)
  })

  it('a hold that is taken over says so, and keeps what was typed', async () => {
    let holder = holderOf('ada')
    const { campaign, row } = waiting('one')
    const app = await openQueue([{ campaign, row }], (server) => {
      server.on(moderationQueue, () => pageOf([{ ...row, holder }]))
      server.on(holdSubmission, () => ({ holder, position: '9' }))
    })
    await waitFor(() => expect(app.sent(holdSubmission)).toHaveLength(1))
    await app.user.keyboard('r')
    await app.user.type(screen.getByLabelText('In your words'), 'See the logo.')
    holder = OLGA
    // As the live stream does.
    await app.queryClient.invalidateQueries({ queryKey: ['moderation'] })
    expect(await screen.findByText('Olga took this campaign over')).toBeVisible()
    const panel = within(screen.getByRole('dialog', { name: 'Reject campaign' }))
    expect(panel.getByRole('button', { name: /^Reject/ })).toBeDisabled()
    expect(panel.getByRole('textbox')).toHaveValue('See the logo.')
    // The hold of the other is not released by leaving.
    expect(app.sent(releaseSubmission)).toEqual([])
  })

  it('a hold of another moderator makes the queue offer the next free one', async () => {
    const [one, two, last] = three() as [Waiting, Waiting, Waiting]
    const held = [withRow(one, { holder: OLGA }), two, withRow(last, { assignee: { id: 'olga', name: 'Olga' } }), waiting('four')]
    const app = openApp('/moderation', 'WL_MODERATOR', held)
    await shows('Campaign two')
    await app.user.keyboard('s')
    await shows('Campaign four')
    // Walking through the list shows all of them.
    await app.user.keyboard('k')
    await shows('Campaign three')
  })

  it('a hold that is over holds nothing', async () => {
    const over = { ...OLGA, until: '2026-03-02T10:59:00.000Z' }
    const [one, two] = three() as [Waiting, Waiting]
    openApp('/moderation', 'WL_MODERATOR', [withRow(one, { holder: over }), two])
    await shows('Campaign one')
    expect(screen.getByRole('button', { name: 'Approve' })).toBeEnabled()
  })

  it('refuses a late decision, which comes back and can be made after a take-over', async () => {
    let held = true
    const app = await openQueue([waiting('one'), waiting('two')], (server) => {
      server.on(rejectCampaign, () =>
        held ? refusal(143, 409) : { id: 'one', status_key: 2, status_reasons: [], revision: 4, position: '9' },
      )
    })
    await app.user.keyboard('r')
    await app.user.type(await screen.findByLabelText('In your words'), 'See the logo.')
    await app.user.keyboard('{Control>}{Enter}{/Control}')
    await shows('Campaign two')
    await later()
    await app.user.click(await screen.findByRole('button', { name: 'Show' }))
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Another moderator reviews it')
    held = false
    await app.user.click(within(alert).getByRole('button', { name: 'Take over' }))
    await waitFor(() => expect(app.sent(holdSubmission)).toContainEqual({ campaign_id: 'one', take_over: true }))
  })
})

describe('the filter of the queue', () => {
  it('shows the own, the free or all submissions, and stays while one walks through them', async () => {
    const app = await openQueue(three())
    await app.user.click(within(screen.getByRole('navigation', { name: 'Which campaigns' })).getByRole('link', { name: 'Mine' }))
    await waitFor(() => expect(app.address()).toBe('/moderation?filter=mine'))
    await waitFor(() => expect(app.sent(moderationQueue)).toContainEqual({ page: 0, page_size: 25, filter: 'mine' }))
    await shows('Campaign one')
    await app.user.keyboard('j')
    await shows('Campaign two')
    expect(app.address()).toContain('filter=mine')
  })

  it('says that nothing matches it', async () => {
    openApp('/moderation?filter=free', 'WL_MODERATOR')
    expect(await screen.findByText('Nothing here')).toBeVisible()
  })
})

describe('an assignment', () => {
  it('an assignment is chosen by an owner', async () => {
    const app = openApp('/moderation', 'WL_OWNER', three(), (server) => server.on(assignSubmission, () => ({ position: '9' })))
    await shows('Campaign one')
    await screen.findByRole('option', { name: 'Olga' })
    await app.user.selectOptions(screen.getByRole('combobox', { name: 'Assigned to' }), 'Olga')
    await waitFor(() => expect(app.sent(assignSubmission)).toEqual([{ campaign_id: 'one', moderator_id: 'olga' }]))
  })

  it('an assignment is not offered to moderators, who see it', async () => {
    const [one] = three() as [Waiting]
    await openQueue([withRow(one, { assignee: { id: 'ada', name: 'Ada Nile' } })])
    expect(screen.getAllByText('Assigned to you').length).toBeGreaterThan(0)
    expect(screen.queryByRole('combobox', { name: 'Assigned to' })).toBeNull()
  })
})
