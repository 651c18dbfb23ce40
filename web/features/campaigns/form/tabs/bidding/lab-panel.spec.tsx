import { QueryClient } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { replayBidding } from '#contract/bidding'
import type { BiddingReplayed } from '@/data/administration-queries'
import type { DraftRule } from '@/components/rules/draft'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { refusal, signedInServer } from '@/test/fake-server'
import { BiddingEntries } from './bidding-tab.tsx'
import { fastTimers } from '@/test/time'

const rule: DraftRule = { field: 'os', operator: 'is', value: 'Android' }
const entry = (multiplier: number, ...rules: readonly DraftRule[]) => ({
  id: 1,
  name: 'Phones',
  multiplier,
  rules: { condition: 'and', rules },
})
const saved = campaignWith({ traffic_targeting: JSON.stringify([entry(1, rule)]) })
const sums = (matched: number, average: number | null, bids = 1000): BiddingReplayed['saved'] => ({
  matched,
  bids,
  average_multiplier: average,
  entries: [{ id: 1, name: 'Phones', multiplier: 1, decided: matched }],
})
const sample = (impressions: number) => ({
  impressions,
  oldest_at: impressions === 0 ? null : '2026-11-27T08:00:00.000Z',
  newest_at: impressions === 0 ? null : '2026-11-27T09:30:00.000Z',
  enough: impressions >= 50,
})
const answerOf = (patch: Partial<BiddingReplayed> = {}): BiddingReplayed => ({
  revision: 3,
  sample: sample(1000),
  saved: sums(100, 1),
  unsaved: sums(120, 1.08),
  ...patch,
})
type Sent = { readonly traffic_targeting: string }

function open(answer: (sent: Sent) => BiddingReplayed | ReturnType<typeof refusal> | Promise<BiddingReplayed>, campaign = saved) {
  const server = signedInServer()
  server.on(replayBidding, ({ body }) => answer(body as Sent))
  renderInForm(<BiddingEntries readOnly={false} />, campaign, false, { client: new QueryClient() })
  return server
}
const multiplier = () => screen.getByRole('textbox', { name: 'Multiplier of Phones' })
const change = async (typed: string) => {
  await userEvent.clear(multiplier())
  await userEvent.type(multiplier(), typed)
}

describe('the rule lab of the form', () => {
  it('says what the rules match and do to the average bid, beside what is saved', async () => {
    open(() => answerOf())
    expect(await screen.findByText('Matches 12% of impressions (saved rules: 10%), average bid +8%.')).toBeVisible()
    expect(screen.getByText('decides 12% (saved: 10%)')).toBeVisible()
    expect(screen.getByText(/^Measured on the last 1,000 impressions that bidders sampled: Nov 27, 2026/)).toBeVisible()
  })

  it.each<[string, Partial<BiddingReplayed>, string]>([
    ['no change', { unsaved: sums(100, 1) }, 'Matches 10% of impressions, average bid unchanged.'],
    ['lower bids', { unsaved: sums(100, 0.5) }, 'Matches 10% of impressions, average bid −50%.'],
    ['impressions without a bid', { unsaved: sums(100, 1, 900) }, 'No bid on 10% (saved rules: 0%).'],
    [
      'no bids at all',
      { unsaved: sums(1000, null, 0) },
      'Matches 100% of impressions (saved rules: 10%), no impression gets a bid.',
    ],
    [
      'a sample that is too small',
      { sample: sample(49) },
      'Bidders sampled only 49 impressions in the last seven days: too few to measure on.',
    ],
    [
      'a sample without impressions',
      { sample: sample(0) },
      'Bidders sampled no impressions in the last seven days: there is nothing to measure on.',
    ],
  ])('reports %s', async (_, patch, text) => {
    open(() => answerOf(patch))
    expect(await screen.findByText(text)).toBeVisible()
  })

  it('measures once after a pause, with the entries as they are typed, and keeps the last answer meanwhile', async () => {
    let release = () => {}
    const server = open(({ traffic_targeting: text }) =>
      text.includes('"multiplier":1,')
        ? answerOf({ unsaved: sums(100, 1) })
        : new Promise((resolve) => {
            release = () => resolve(answerOf())
          }),
    )
    await screen.findByText('Matches 10% of impressions, average bid unchanged.')
    await change('1.25')
    await waitFor(() => expect(server.asked.filter(({ id }) => id === 'bidding.replay')).toHaveLength(2))
    const sent = server.asked.map(({ body }) => JSON.parse((body as Sent).traffic_targeting))
    expect(sent.at(-1)).toEqual([entry(1.25, rule)])
    expect(screen.getByText('Matches 10% of impressions, average bid unchanged.')).toBeInTheDocument()
    release()
    expect(await screen.findByText('Matches 12% of impressions (saved rules: 10%), average bid +8%.')).toBeVisible()
  })

  it('cancels the question that a change has made old', async () => {
    const server = open(() => new Promise(() => {}))
    await waitFor(() => expect(server.asked).toHaveLength(1))
    await change('2')
    await waitFor(() => expect(server.asked).toHaveLength(2))
    expect(server.asked[0]?.signal?.aborted).toBe(true)
    expect(server.asked[1]?.signal?.aborted).toBe(false)
  })

  it('says when it could not measure, and editing goes on', async () => {
    open(() => refusal(500, 500))
    expect(await screen.findByText(/^The effect could not be measured: .* You can go on editing\.$/)).toBeVisible()
    await change('3')
    expect(screen.getByRole('button', { name: 'Go to Phones: Bid 200% more when OS is Android.' })).toBeVisible()
  })

  it('does not ask about rules that are not complete', async () => {
    fastTimers()
    const server = open(() => answerOf(), campaignWith({ traffic_targeting: JSON.stringify([entry(1, { ...rule, value: '' })]) }))
    expect(await screen.findByText('Complete the rules to see what they do to bids.')).toBeVisible()
    await change('2')
    await vi.advanceTimersByTimeAsync(1000)
    expect(server.asked).toEqual([])
  })

  it.each([
    ['2', 'Bid 100% more when OS is Android.'],
    ['0.8', 'Bid 20% less when OS is Android.'],
    ['1', 'Bid as usual when OS is Android.'],
    ['0', 'Do not bid when OS is Android.'],
  ])('says the multiplier %s in a sentence', async (typed, sentence) => {
    open(() => answerOf())
    await change(typed)
    expect(screen.getByText(sentence)).toBeVisible()
  })

  it('leads from a sentence to its rule, by click and by Enter', async () => {
    open(() => answerOf())
    const sentence = screen.getByRole('button', { name: 'Go to Phones: Bid as usual when OS is Android.' })
    await userEvent.click(sentence)
    expect(screen.getByRole('combobox', { name: 'Filter' })).toHaveFocus()
    await userEvent.click(screen.getByRole('button', { name: 'Collapse Phones' }))
    sentence.focus()
    await userEvent.keyboard('{Enter}')
    expect(screen.getByRole('combobox', { name: 'Filter' })).toHaveFocus()
  })
})
