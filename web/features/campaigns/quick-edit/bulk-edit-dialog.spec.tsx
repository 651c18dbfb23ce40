import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { getCampaign, updateCampaign } from '#contract/campaign'
import { listCampaigns, type ListRow } from '#contract/campaign-list'
import { campaignWith } from '@/test/campaign-form'
import { listRowWith, pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

let server: FakeServer
let rows: ListRow[]
type Sent = { readonly id: string; readonly revision: number; readonly budget?: number }
const TOO_LOW = {
  path: 'budget',
  code: 1309,
  key: 'budgetBelowBid',
  params: {},
  message: 'Budget is below the bid',
  tab: 'basicInfo',
}

const saves = () => server.calls(updateCampaign).flatMap(({ body, query }) => (query.has('dry_run') ? [] : [body as Sent]))
const trials = () => server.calls(updateCampaign).filter(({ query }) => query.has('dry_run'))
const dialog = () => screen.getByRole('dialog', { name: /^Edit \d campaigns?$/ })
const line = (id: string) => within(dialog()).getByTestId(`bulk-row-${id}`)
const texts = (id: string) => [...line(id).children].map(({ textContent }) => textContent)

/** Stores what is saved and answers dry runs, as the server does; refuses budgets below one. */
function stores(refuses: (sent: Sent) => boolean = () => false) {
  server.on(updateCampaign, ({ body, query }) => {
    const { id, revision, ...fields } = body as Sent
    if ((fields.budget ?? 1) < 1) return refusal(1309, 400, [TOO_LOW])
    const dry = { events: [], diff: [], status_key: 3, status_reasons: [], revision, moderator_needed: false }
    if (query.has('dry_run')) return dry
    if (refuses(body as Sent)) return refusal(140, 409)
    rows = rows.map((row) => (row.id === id ? { ...row, ...fields, revision: revision + 1 } : row))
    const { name, budget } = listRowWith(rows.find((row) => row.id === id))
    return { ...campaignWith({ name, budget, ...fields, id, revision: revision + 1 }), position: '9' }
  })
}

beforeEach(() => {
  server = signedInServer()
  rows = [
    listRowWith(),
    listRowWith({ id: 'campaign-2', name: 'Winter', budget: 40 }),
    listRowWith({ id: 'campaign-3', name: 'Spring', budget: null }),
  ]
  server.on(listCampaigns, () => pageOf(rows))
})

async function open() {
  renderRoute('/campaigns')
  await screen.findByRole('link', { name: 'Autumn' })
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  await userEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Edit' }))
  // The first dialog of a run loads its modules.
  await screen.findByRole('dialog')
}

describe('editing the selected campaigns', () => {
  it('shows every row now and then, and why one cannot take the change, before anything is saved', async () => {
    stores()
    await open()
    expect(within(dialog()).getByLabelText('Amount')).toHaveFocus()
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Increase by' }))
    await userEvent.click(within(dialog()).getByLabelText('Percent'))
    await userEvent.keyboard('10')
    expect(texts('campaign-1').slice(0, 3)).toEqual(['Autumn', '$20.00', '$22.00'])
    expect(texts('campaign-2').slice(0, 3)).toEqual(['Winter', '$40.00', '$44.00'])
    expect(texts('campaign-3')).toEqual(['Spring', 'none', '', 'It has no budget to start from.'])
    expect(within(dialog()).getByText('2 of 3 will change')).toBeVisible()
    await waitFor(() => expect(trials().length).toBeGreaterThanOrEqual(2))
    expect(saves()).toEqual([])
  })

  it('saves row by row, and one Undo puts all of them back', async () => {
    stores()
    await open()
    await userEvent.keyboard('50{Enter}')
    await waitFor(() => expect(saves()).toHaveLength(3))
    expect(saves()).toContainEqual({ id: 'campaign-2', revision: 3, budget: 50 })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByText('3 campaigns changed')).toBeVisible()
    expect(screen.queryByRole('toolbar')).toBeNull()
    await userEvent.keyboard('z')
    await waitFor(() => expect(saves()).toHaveLength(6))
    expect(saves().slice(3)).toEqual(
      expect.arrayContaining([
        { id: 'campaign-1', revision: 4, budget: 20 },
        { id: 'campaign-2', revision: 4, budget: 40 },
        { id: 'campaign-3', revision: 4, budget: null },
      ]),
    )
    expect(await screen.findByText('3 campaigns changed back')).toBeVisible()
  })

  it('shows what the server would refuse, and leaves that row out', async () => {
    stores()
    await open()
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Decrease by' }))
    await userEvent.click(within(dialog()).getByRole('radio', { name: '$' }))
    await userEvent.click(within(dialog()).getByLabelText('Amount'))
    await userEvent.keyboard('19.5')
    await waitFor(() => expect(texts('campaign-1')[3]).toMatch(/bid/i))
    expect(within(dialog()).getByText('1 of 3 will change')).toBeVisible()
    await userEvent.click(within(dialog()).getByRole('button', { name: 'Apply to 1' }))
    await waitFor(() => expect(saves()).toEqual([{ id: 'campaign-2', revision: 3, budget: 20.5 }]))
  })

  it('tells row by row which saves failed, keeps those selected, and tries them again', async () => {
    let late = true
    stores(({ id }) => late && id === 'campaign-2')
    server.on(getCampaign, () => campaignWith({ id: 'campaign-2', budget: 70, revision: 9 }))
    await open()
    await userEvent.keyboard('50{Enter}')
    await waitFor(() => expect(line('campaign-2')).toHaveAttribute('data-state', 'failed'))
    expect(texts('campaign-2')[3]).toBe('It was changed in the meantime.')
    await waitFor(() => expect(texts('campaign-1')[3]).toBe('Changed'))
    expect(within(dialog()).getByText('2 changed, 1 not changed')).toBeVisible()
    late = false
    await userEvent.click(await within(dialog()).findByRole('button', { name: 'Try 1 again' }))
    await waitFor(() => expect(saves().at(-1)).toMatchObject({ id: 'campaign-2', budget: 50 }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(saves().filter(({ id }) => id === 'campaign-1')).toHaveLength(1)
  })

  it('undoes only what was not changed since', async () => {
    stores(({ id, budget }) => id === 'campaign-2' && budget === 40)
    await open()
    await userEvent.keyboard('50{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    fireEvent.click(await screen.findByRole('button', { name: /^Undo/ }))
    expect(await screen.findByText('2 changed back, 1 not')).toBeVisible()
    expect(await screen.findByText('Winter: It was changed since.')).toBeVisible()
  })

  it('offers no amounts for campaigns of several currencies', async () => {
    rows = [listRowWith(), listRowWith({ id: 'campaign-2', name: 'Lagos', currency: 'NGN' })]
    stores()
    await open()
    expect(within(dialog()).queryByRole('radio', { name: 'Set to' })).toBeNull()
    expect(within(dialog()).getByText(/several currencies \(USD, NGN\)/)).toBeVisible()
    await userEvent.keyboard('10')
    expect(texts('campaign-2').slice(1, 3)).toEqual(['₦20.00', '₦22.00'])
  })

  it('moves end dates by days, and sets bids from those that the campaigns have', async () => {
    rows = [listRowWith({ campaign_end_at: '2099-01-30T23:59:59.999Z' })]
    stores()
    server.on(getCampaign, () => campaignWith({ manual_cpx: true, user_cpx: 0.5 }))
    await open()
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'End date' }))
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Move later' }))
    await userEvent.click(within(dialog()).getByLabelText('Days'))
    await userEvent.keyboard('3')
    expect(texts('campaign-1').slice(1, 3)).toEqual(['Jan 30, 2099', 'Feb 02, 2099'])
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Bid' }))
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Increase by' }))
    await userEvent.click(within(dialog()).getByLabelText('Percent'))
    await userEvent.keyboard('10')
    await waitFor(() => expect(texts('campaign-1').slice(1, 3)).toEqual(['$0.50', '$0.55']))
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(saves()).toEqual([{ id: 'campaign-1', revision: 3, manual_cpx: true, user_cpx: 0.55 }]))
  })
})
