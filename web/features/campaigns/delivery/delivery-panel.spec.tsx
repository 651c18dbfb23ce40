import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { getCampaign, runCampaign } from '#contract/campaign'
import { campaignReport, campaignTotal } from '#contract/reports'
import { campaignStatusHistory, type StatusChangeRow } from '#contract/status-history'
import { campaignWith } from '@/test/campaign-form'
import { READ_AT, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const SINCE = '2026-11-01T10:00:00.000Z'
const reason = (key: string, status_key: number, remedy: string | null, actor = 'Platform') => ({
  key,
  status_key,
  since: SINCE,
  revision: 4,
  cause: 'FlightChanged',
  actor,
  remedy,
})
const RUNNING = [reason('running', 3, null)]
const REACHED = [reason('day_budget_reached', 31, 'raise_budget_or_wait')]

function open(fields: Partial<Campaign>, role = 'USER_OWNER') {
  const server = signedInServer({ role })
  let campaign = campaignWith({ id: 'campaign-1', name: 'Autumn', ...fields })
  const totals = { impressions: 1234, spent: 5.5 }
  server.on(getCampaign, () => campaign)
  server.on(campaignReport, () => ({ points: [], totals, ...READ_AT }))
  const period = { current_period_clicks: 0, current_period_impressions: 0, current_period_spent: 0 }
  server.on(campaignTotal, () => ({ ...period, ...READ_AT, currency: 'USD' }))
  renderRoute('/reports?campaignId=campaign-1')
  return {
    server,
    becomes: (next: Partial<Campaign>) => {
      campaign = campaignWith({ ...campaign, ...next })
    },
  }
}
const panel = () => screen.findByRole('region', { name: 'Delivery' })

describe('reasons why a campaign is not delivering', () => {
  it('says that a running campaign delivers, and how much today', async () => {
    open({ status_key: 3, status_reasons: RUNNING })
    expect(await within(await panel()).findByRole('heading', { name: 'This campaign delivers' })).toBeVisible()
    expect(await within(await panel()).findByText('Today: 1,234 impressions for $5.50.')).toBeVisible()
  })

  it('shows each reason with its time, its author and a link to where it is ended', async () => {
    open({ status_key: 31, status_reasons: REACHED })
    expect(await panel()).toHaveTextContent("Today's budget is spent")
    expect(await panel()).toHaveTextContent(/Since Nov 01, 2026 \d\d:00 · Platform/)
    expect(within(await panel()).getByRole('heading', { name: 'Why is it not delivering?' })).toBeVisible()
    const link = within(await panel()).getByRole('link', { name: 'Raise the budget' })
    expect(link.getAttribute('href')).toMatch(/^\/campaign\/edit\/campaign-1/)
    expect(await panel()).not.toHaveTextContent('Today: ')
  })

  it('a campaign is not delivering outside its schedule', async () => {
    open({ status_key: 3, status_reasons: [...RUNNING, reason('outside_schedule', 3, 'edit_schedule')] })
    expect(within(await panel()).getByRole('heading', { name: 'Why is it not delivering?' })).toBeVisible()
    expect(within(await panel()).getByRole('link', { name: 'Change the schedule' })).toBeVisible()
  })

  it('a campaign is not delivering while it excludes a small audience, and delivers while it includes one', async () => {
    open({ status_key: 3, status_reasons: [...RUNNING, reason('excluded_audience_small', 3, 'edit_targeting')] })
    expect(within(await panel()).getByRole('heading', { name: 'Why is it not delivering?' })).toBeVisible()
    expect(within(await panel()).getByRole('link', { name: 'Change the targeting' })).toHaveAttribute(
      'href',
      expect.stringContaining('tab=targeting'),
    )
    cleanup()
    open({ status_key: 3, status_reasons: [...RUNNING, reason('audience_small', 3, 'edit_targeting')] })
    expect(within(await panel()).getByRole('heading', { name: 'This campaign delivers' })).toBeVisible()
    expect(await panel()).toHaveTextContent('An included audience has fewer than 100 members')
  })

  it('runs a paused campaign, and then shows that it delivers', async () => {
    const { server, becomes } = open({ status_key: 41, status_reasons: [reason('paused', 41, 'run', 'Ada Hassan')] })
    server.on(runCampaign, () => {
      becomes({ status_key: 3, status_reasons: RUNNING })
      return { id: 'campaign-1', status_key: 3, status_reasons: RUNNING, revision: 5, position: '9' }
    })
    expect(await panel()).toHaveTextContent('Ada Hassan')
    await userEvent.click(within(await panel()).getByRole('button', { name: 'Run' }))
    expect(await screen.findByRole('heading', { name: 'This campaign delivers' })).toBeVisible()
  })

  it('offers no remedy to users who may only read', async () => {
    open({ status_key: 31, status_reasons: REACHED }, 'AUDITOR')
    expect(await panel()).toHaveTextContent("Today's budget is spent")
    expect(within(await panel()).queryByRole('link')).toBeNull()
  })
})

describe('the status history', () => {
  const change = (revision: number, over: Partial<StatusChangeRow> = {}): StatusChangeRow => ({
    revision,
    at: SINCE,
    status_key: 31,
    previous_status_key: 3,
    reasons: ['day_budget_reached'],
    ended: ['running'],
    cause: 'DayBudgetChanged',
    actor: 'Platform',
    ...over,
  })

  it('loads when it is opened, and then page by page', async () => {
    const { server } = open({ status_key: 31, status_reasons: REACHED })
    server.on(campaignStatusHistory, ({ query }) => ({
      current_page: Number(query.get('page')),
      page_size: 20,
      total_size: 21,
      data: query.get('page') === '1' ? [change(1, { reasons: ['draft'], ended: [], status_key: 0 })] : [change(7)],
    }))
    await userEvent.click(within(await panel()).getByRole('button', { name: 'Status history' }))
    const list = await screen.findByRole('list', { name: 'Status history' })
    expect(list).toHaveTextContent('Running, daily budget reached')
    expect(list).toHaveTextContent('Ended: Ads are being shown')
    // Advertisers do not read the change log.
    expect(within(list).queryByRole('link')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show older' }))
    expect(await within(list).findByText('Not published yet')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
  })

  it('links to the change log for users who read it', async () => {
    const { server } = open({ status_key: 31, status_reasons: REACHED }, 'WL_OWNER')
    server.on(campaignStatusHistory, () => ({ current_page: 0, page_size: 20, total_size: 1, data: [change(7)] }))
    await userEvent.click(within(await panel()).getByRole('button', { name: 'Status history' }))
    const link = await screen.findByRole('link', { name: 'Revision 7' })
    expect(link.getAttribute('href')).toContain('tab=changeLog')
  })

  it('says that it could not be loaded', async () => {
    const { server } = open({ status_key: 31, status_reasons: REACHED })
    server.on(campaignStatusHistory, () => refusal(1, 500))
    await userEvent.click(within(await panel()).getByRole('button', { name: 'Status history' }))
    expect(await screen.findByText('The status history could not be loaded')).toBeVisible()
  })
})
