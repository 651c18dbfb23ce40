import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { explainBidding } from '#contract/bidding'
import { signedInServer } from '@/test/fake-server'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { ExplainPanel } from './explain-panel.tsx'

const explain = () => userEvent.click(screen.getByRole('button', { name: 'Explain' }))
async function ask(text: string) {
  const field = screen.getByLabelText('Bid request (JSON)')
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
  await explain()
}

it('takes the last answer away when the next request cannot be read, and says what is wrong with it', async () => {
  signedInServer().on(explainBidding, () => ({
    revision: 3,
    impressions: [{ imp_id: '1', entry: null, multiplier: 1, bids: true, entries: [] }],
  }))
  renderInForm(<ExplainPanel />, campaignWith({ traffic_targeting: '[]' }), false, { client: new QueryClient() })
  await explain()
  expect(await screen.findByText('No entry matches: the bid stays as it is (× 1)')).toBeVisible()
  await ask('{"imp": ')
  expect(screen.getByLabelText('Bid request (JSON)')).toHaveAccessibleDescription(/^This is not valid JSON:/)
  expect(screen.queryByText(/No entry matches/)).toBeNull()
  await ask('{"id": "1", "imp": 5}')
  await waitFor(() =>
    expect(screen.getByLabelText('Bid request (JSON)')).toHaveAccessibleDescription(
      'This is JSON, but not an OpenRTB 2.6 bid request. Check “imp”.',
    ),
  )
})

it('asks about the entries as they stand in the form, and takes an answer away once they change', async () => {
  const server = signedInServer()
  server.on(explainBidding, () => ({
    revision: 3,
    impressions: [{ imp_id: '1', entry: null, multiplier: 1, bids: true, entries: [] }],
  }))
  const entry = { id: 1, name: 'Phones', multiplier: 1, rules: { condition: 'and' as const, rules: [] } }
  const { form } = renderInForm(<ExplainPanel />, campaignWith({ traffic_targeting: JSON.stringify([entry]) }))
  expect(screen.queryByText(/unsaved/)).toBeNull()
  act(() => form().setValue('bidding.entries', [{ ...entry, multiplier: '2' }]))
  expect(screen.getByText('The answer is about the entries as they stand here, unsaved.')).toBeVisible()
  await explain()
  expect(await screen.findByText(/No entry matches/)).toBeVisible()
  expect(server.asked.map(({ body }) => JSON.parse((body as { traffic_targeting: string }).traffic_targeting))).toEqual([
    [{ ...entry, multiplier: 2 }],
  ])
  act(() => form().setValue('bidding.entries', [{ ...entry, multiplier: '3' }]))
  expect(screen.queryByText(/No entry matches/)).toBeNull()
})
