import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { getCampaign } from '#contract/campaign'
import { rejectCampaign, reviewGuidelines } from '#contract/moderation'
import { listSecondLooks, takeSecondLook, type OpenSecondLook } from '#contract/second-looks'
import { pageOf, refusal, type FakeServer } from '@/test/fake-server'
import { later, openApp, shows, stopTheClock, STARTED, waiting } from '@/test/queue-fixture'

stopTheClock()

const look = (id: string): OpenSecondLook => ({
  campaign_id: id,
  campaign_name: `Campaign ${id}`,
  space_id: 'nile',
  space_name: 'Nile Ads',
  approval: 3,
  approver: { id: 'olga', name: 'Olga' },
  approved_at: STARTED,
  expires_at: '2026-04-01T09:00:00.000Z',
})

async function open(ids: readonly string[] = ['one', 'two'], arrange?: (server: FakeServer) => void) {
  const campaigns = ids.map((id) => waiting(id, { review: 'approved', product_url: `https://${id}.example` }))
  const asked: unknown[] = []
  const app = openApp('/moderation?tab=second', 'WL_MODERATOR', [], (server) => {
    server.on(listSecondLooks, () => pageOf(ids.map(look)))
    server.on(getCampaign, ({ params, query }) => {
      asked.push(query.get('as_of'))
      return campaigns.find(({ campaign }) => campaign.id === params['id'])?.campaign ?? refusal(130, 404)
    })
    server.on(takeSecondLook, () => ({ outcome: 'agreed' as const, position: '9' }))
    arrange?.(server)
  })
  await screen.findByRole('region', { name: 'Where clicks lead' })
  return { ...app, asked }
}
const names = () =>
  within(screen.getByRole('list', { name: 'Approvals to check again' }))
    .getAllByRole('link')
    .map((link) => link.querySelector('.font-medium')?.textContent)

/** Fine print 104. */
describe('the queue of second looks', () => {
  it('shows the campaign as it was approved, by whom and when, without an axe violation', async () => {
    const app = await open()
    expect(app.asked).toContain(STARTED)
    expect(screen.getByRole('article')).toHaveTextContent('Approved by Olga,')
    expect(within(screen.getByRole('region', { name: 'Where clicks lead' })).getByText('https://one.example')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Second look' })).toHaveAttribute('aria-current', 'page')
    expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([])
  })

  it('agrees by A, shows the next one, and sends it once it can no longer be undone', async () => {
    const app = await open()
    await app.user.keyboard('a')
    await shows('Campaign two')
    expect(names()).toEqual(['Campaign two'])
    expect(app.sent(takeSecondLook)).toEqual([])
    await later()
    expect(app.sent(takeSecondLook)).toEqual([{ campaign_id: 'one', approval: 3, agrees: true }])
  })

  it('takes the last one back by Z', async () => {
    const app = await open()
    await app.user.keyboard('a')
    await shows('Campaign two')
    await app.user.keyboard('z')
    await shows('Campaign one')
    expect(names()).toEqual(['Campaign one', 'Campaign two'])
    await later()
    expect(app.sent(takeSecondLook)).toEqual([])
  })

  it('disagrees by R with a reason, by the call of second looks alone', async () => {
    const app = await open()
    await app.user.keyboard('r')
    await app.user.type(await screen.findByLabelText('In your words'), 'No price')
    await app.user.keyboard('{Control>}{Enter}{/Control}')
    await shows('Campaign two')
    await later()
    expect(app.sent(takeSecondLook)).toEqual([{ campaign_id: 'one', approval: 3, agrees: false, comment: 'No price' }])
    expect(app.sent(rejectCampaign)).toEqual([])
  })

  it('opens no form without reasons by an early R', async () => {
    const never = new Promise<never>(() => {})
    const app = await open(['one'], (server) => server.on(reviewGuidelines, () => never))
    await app.user.keyboard('r')
    expect(screen.getByRole('button', { name: 'Disagree' })).toBeDisabled()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('skips by S, in a circle', async () => {
    const app = await open()
    await app.user.keyboard('s')
    await shows('Campaign two')
    await app.user.keyboard('s')
    await shows('Campaign one')
  })

  it('brings back what the server refuses, with the reason', async () => {
    const app = await open(['one'], (server) => server.on(takeSecondLook, () => refusal(136, 409)))
    await app.user.keyboard('a')
    await screen.findByText('No approval to check again')
    await later()
    await waitFor(() => expect(names()).toEqual(['Campaign one']))
    expect(await screen.findByText('No longer waiting')).toBeVisible()
    expect(screen.getByRole('button', { name: /^Agree/ })).toBeDisabled()
  })
})
