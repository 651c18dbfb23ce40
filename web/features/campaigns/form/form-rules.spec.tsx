import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { getCampaign, maxMargin, updateCampaign } from '#contract/campaign'
import { campaignTotal } from '#contract/reports'
import { chooseLanguage } from '@/i18n/setup'
import { type FakeServer, PERSON, signedInServer, READ_AT } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'
import type { TabKey } from './form-tabs.ts'

const bidding_strategy = { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' }
const stored = (patch: Partial<Campaign> = {}) =>
  campaignWith({ name: 'Autumn', country: 'EG', timezone_offset_seconds: 7200, bidding_strategy, ...patch })

let server: FakeServer
async function open({
  role = 'USER_OWNER',
  tab = 'basicInfo',
  ...patch
}: Partial<Campaign> & { role?: string; tab?: TabKey } = {}) {
  server = signedInServer({ role })
  server.on(getCampaign, () => stored(patch))
  server.on(maxMargin, () => 50)
  server.on(campaignTotal, () => ({
    current_period_clicks: 0,
    current_period_impressions: 0,
    current_period_spent: 0,
    ...READ_AT,
    currency: 'NGN',
  }))
  server.on(updateCampaign, () => ({ ...stored({ ...patch, revision: 4 }), position: '9' }))
  renderRoute(`/campaign/edit/campaign-1?tab=${tab}`)
  return screen.findByRole('button', { name: 'Publish' })
}
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save & Next' }))
const sent = () => server.calls(updateCampaign).map(({ body }) => body)
const budget = () => screen.findByLabelText('Daily budget')

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-23T10:00:00Z'), toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe('an amount of money', () => {
  it('an amount of money typed as 1,500 is fifteen hundred, and shown as it was read', async () => {
    await open()
    await userEvent.type(await budget(), '1,500')
    await userEvent.tab()
    expect(await budget()).toHaveValue('1500')
    await save()
    await waitFor(() => expect(sent()).toEqual([expect.objectContaining({ budget: 1500 })]))
  })

  it('an amount of money typed as 1,500 in Russian is one and a half', async () => {
    await chooseLanguage('ru')
    try {
      server = signedInServer()
      server.on(getCampaign, () => stored())
      server.on(updateCampaign, () => ({ ...stored({ revision: 4 }), position: '9' }))
      renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
      await userEvent.type(await screen.findByLabelText('Дневной бюджет'), '1,500')
      await userEvent.click(await screen.findByRole('button', { name: 'Сохранить и далее' }))
      await waitFor(() => expect(sent()).toEqual([expect.objectContaining({ budget: 1.5 })]))
    } finally {
      await chooseLanguage('en')
    }
  })

  it.each([
    ['1,5', 'Write the amount as 1500, 1,500 or 1500.50.'],
    ['123456789012', 'At most 9,000,000,000.'],
    ['0.1234567', 'At most 6 digits after the point.'],
    ['much', 'Only positive numbers allowed.'],
  ])('an amount of money typed as %s is refused before it is sent', async (typed, message) => {
    await open()
    await userEvent.type(await budget(), typed)
    await save()
    await waitFor(async () => expect(await budget()).toHaveAccessibleDescription(expect.stringContaining(message)))
    expect(sent()).toEqual([])
  })

  it('names the currency of the account that pays', async () => {
    await open()
    expect(await budget()).toHaveAccessibleDescription(expect.stringContaining('$'))
  })

  it('names the currency of the campaign of another account', async () => {
    await open({ role: 'WL_OWNER', space_id: 'space-9' })
    await waitFor(async () => expect(await budget()).toHaveAccessibleDescription(expect.stringContaining('₦')))
  })
})

describe('rules of the server in the form', () => {
  it.each([
    ['Start date', '2026-11-22', 'Start date should be in future. Choose today or a later day.'],
    ['End date', '2026-11-22', 'End date should be in future. Choose today or a later day.'],
  ])('refuses before it is sent %s on a day that is over', async (label, day, message) => {
    await open()
    await userEvent.type(await screen.findByLabelText(label), day)
    await userEvent.tab()
    await waitFor(() => expect(screen.getByLabelText(label)).toHaveAccessibleDescription(message))
    await save()
    expect(sent()).toEqual([])
  })

  it('an end before the start is refused before it is sent', async () => {
    await open()
    await userEvent.type(await screen.findByLabelText('Start date'), '2026-12-05')
    await userEvent.type(screen.getByLabelText('End date'), '2026-12-04')
    await save()
    await waitFor(() =>
      expect(screen.getByLabelText('End date')).toHaveAccessibleDescription('Start date must be before end date'),
    )
    expect(sent()).toEqual([])
  })

  it('a date that is none is refused before it is sent', async () => {
    await open()
    await userEvent.type(await screen.findByLabelText('Start date'), 'next week')
    await save()
    await waitFor(() =>
      expect(screen.getByLabelText('Start date')).toHaveAccessibleDescription(
        'Write the date as 11/24/2026, or pick it in the calendar.',
      ),
    )
    expect(sent()).toEqual([])
  })

  it('a past start that is stored already is not refused', async () => {
    await open({ campaign_start_at: '2026-11-01T22:00:00.000Z' })
    await userEvent.type(await screen.findByLabelText('Campaign name'), '!')
    await save()
    await waitFor(() => expect(sent()).toHaveLength(1))
  })

  it('today is the day where the campaign runs', async () => {
    vi.setSystemTime(new Date('2026-11-23T23:00:00Z'))
    await open()
    await userEvent.click(await screen.findByRole('button', { name: 'Calendar of Start date' }))
    expect(await screen.findByRole('button', { name: /November 23, 2026/ })).toBeDisabled()
    expect(screen.getByRole('button', { name: /November 24, 2026/ })).toBeEnabled()
    await userEvent.keyboard('{Escape}')
    await userEvent.type(screen.getByLabelText('Start date'), '2026-11-23')
    await save()
    await waitFor(() =>
      expect(screen.getByLabelText('Start date')).toHaveAccessibleDescription(expect.stringContaining('should be in future')),
    )
    expect(sent()).toEqual([])
  })

  // covers CAM-VAL-20
  it('a margin above the largest one of the user is refused before it is sent', async () => {
    await open({ role: 'WL_OWNER', tab: 'administration' })
    await waitFor(() => expect(server.calls(maxMargin).map(({ query }) => query.get('user-id'))).toEqual([PERSON.id]))
    await userEvent.type(await screen.findByLabelText('Margin'), '500')
    await save()
    await waitFor(() =>
      expect(screen.getByLabelText('Margin')).toHaveAccessibleDescription('Only positive integer numbers allowed, less than 50'),
    )
    expect(sent()).toEqual([])
  })
})
