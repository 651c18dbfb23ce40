import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { getCampaign } from '#contract/campaign'
import { cancelScheduled, changeScheduled, listScheduled, scheduleChanges, type ScheduledChangeOut } from '#contract/schedules'
import { setClock } from '@/lib/clock'
import { campaignWith } from '@/test/campaign-form'
import { pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { scheduledWith as change } from '@/test/scheduled-change'

let server: FakeServer
let waiting: ScheduledChangeOut[]
let ended: ScheduledChangeOut[]
const rows = () => screen.findAllByTestId(/^scheduled-row-/)
const asked = () => server.calls(listScheduled).map(({ query }) => `${query.get('state')} ${query.get('page')}`)

function serve(as?: Parameters<typeof signedInServer>[0]) {
  server = signedInServer(as)
  server.on(listScheduled, ({ query }) => pageOf(query.get('state') === 'ended' ? ended : waiting))
  server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn', budget: 80, timezone_offset_seconds: 7200 }))
}

beforeEach(() => {
  setClock(() => Date.parse('2026-11-02T12:00:00.000Z'))
  waiting = [
    change(),
    change({ id: 'change-2', campaign_id: 'campaign-2', campaign_name: 'Winter', act: 'pause', fields: null, note: '' }),
  ]
  ended = [
    change({ id: 'change-3', act: 'run', fields: null, state: 'refused', code: 134, ended_at: '2026-11-01T16:00:02.000Z' }),
  ]
  serve()
  return () => setClock(null)
})

describe('the scheduled changes of an account', () => {
  it('scheduled changes say when, of which campaign, what and by whom, in the zone and currency of each campaign', async () => {
    waiting = [change({ currency: 'EUR', budget_type_key: 1, timezone_offset_seconds: -18000 })]
    renderRoute('/campaigns/schedule')
    const [row] = await rows()
    expect(row).toHaveTextContent('Fri, Nov 06, 2026 11:00 (UTC−05:00)')
    expect(row).toHaveTextContent('the budget becomes EUR 120.00 in all')
    expect(row).toHaveTextContent('by Ada Nile · Weekend')
    expect(within(row!).getByRole('link', { name: 'Autumn' })).toHaveAttribute('href', '/campaign/edit/campaign-1?tab=basicInfo')
    expect(row).not.toHaveTextContent('Nile Foods')
  })

  it('the scheduled changes of an account name the account for staff', async () => {
    serve({ role: 'WL_OWNER' })
    renderRoute('/campaigns/schedule')
    expect((await rows())[0]).toHaveTextContent('Nile Foods')
  })

  it('the scheduled changes of an account are edited at the version that was shown', async () => {
    server.on(changeScheduled, () => ({ id: 'change-1', position: '9' }))
    renderRoute('/campaigns/schedule')
    await rows()
    await userEvent.click(screen.getByRole('button', { name: 'Edit: the budget becomes $120.00 a day, Autumn' }))
    const dialog = await screen.findByRole('dialog', { name: 'Edit a scheduled change' })
    const before = asked().length
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.calls(changeScheduled)[0]?.body).toMatchObject({ version: 3, fields: { budget: 120 } })
    await waitFor(() => expect(asked().length).toBeGreaterThan(before))
  })

  it('the scheduled changes of an account are cancelled, and an Undo schedules them again', async () => {
    server.on(cancelScheduled, () => {
      waiting = waiting.slice(1)
      return { id: 'change-1', position: '9' }
    })
    server.on(scheduleChanges, () => ({ ids: ['new'], position: '9' }))
    renderRoute('/campaigns/schedule')
    await rows()
    await userEvent.click(screen.getByRole('button', { name: /^Cancel the change: .*Autumn$/ }))
    await waitFor(async () => expect(await rows()).toHaveLength(1))
    await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }))
    await waitFor(() => expect(server.calls(scheduleChanges).map(({ params }) => params['id'])).toEqual(['campaign-1']))
  })

  it('the scheduled changes of an account that could not be cancelled stay, with the reason', async () => {
    server.on(cancelScheduled, () => refusal(134, 409))
    renderRoute('/campaigns/schedule')
    await rows()
    await userEvent.click(screen.getByRole('button', { name: /^Cancel the change: .*Winter$/ }))
    expect(await screen.findByText(/Campaign status does not match the action/)).toBeVisible()
    expect(await rows()).toHaveLength(2)
  })

  it('the scheduled changes of an account are read, and not changed, by readers', async () => {
    serve({ role: 'USER_VIEWER' })
    renderRoute('/campaigns/schedule')
    await rows()
    expect(screen.queryByRole('button', { name: /^(Edit|Cancel the change): / })).toBeNull()
  })

  it('the scheduled changes of an account that are under way can be neither edited nor cancelled', async () => {
    waiting = [change({ state: 'under_way' })]
    renderRoute('/campaigns/schedule')
    expect((await rows())[0]).toHaveTextContent('Under way')
    expect(screen.queryByRole('button', { name: /^(Edit|Cancel the change): / })).toBeNull()
  })

  it('the scheduled changes of an account that ended are there with the reason of a refusal', async () => {
    const { history } = renderRoute('/campaigns/schedule')
    await rows()
    await userEvent.click(screen.getByRole('radio', { name: 'Ended' }))
    await waitFor(() => expect(history.location.search).toBe('?state=ended'))
    await waitFor(async () => expect((await rows())[0]).toHaveTextContent('refused: Campaign status does not match the action'))
    expect(await rows()).toHaveLength(1)
  })

  it('the scheduled changes of an account say how to schedule where nothing waits', async () => {
    waiting = []
    renderRoute('/campaigns/schedule')
    expect(await screen.findByText('Nothing is scheduled')).toBeVisible()
  })
})
