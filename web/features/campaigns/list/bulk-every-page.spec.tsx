import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { pauseCampaign, runCampaign, updateCampaign } from '#contract/campaign'
import { listCampaigns, type ListRow } from '#contract/campaign-list'
import { campaignWith } from '@/test/campaign-form'
import { listRowWith, pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { turns } from '@/test/time'

const MANY = 23
let server: FakeServer
let rows: ListRow[]
type Asked = { readonly page: number; readonly pageSize: number; readonly name?: string }
const outcome = (id: string, status_key: number) => ({ id, status_key, status_reasons: [], revision: 4, position: '9' })
const paused = () => server.calls(pauseCampaign).map(({ body }) => body)
const bar = () => screen.getByRole('toolbar')

beforeEach(() => {
  server = signedInServer()
  rows = Array.from({ length: MANY }, (_, n) => listRowWith({ id: `campaign-${n + 1}`, name: `Felucca ${n + 1}`, budget: 20 }))
  server.on(listCampaigns, ({ body }) => {
    const { page, pageSize, name = '' } = body as Asked
    const found = rows.filter((row) => row.name.includes(name))
    return pageOf(found.slice(page * pageSize, (page + 1) * pageSize), found.length)
  })
  server.on(pauseCampaign, ({ body }) => outcome(String(body), 41))
  server.on(runCampaign, ({ body }) => outcome(String(body), 3))
})

async function choosePage() {
  const page = renderRoute('/campaigns')
  await screen.findByRole('link', { name: 'Felucca 1' })
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  return page
}
async function chooseAll() {
  const page = await choosePage()
  await userEvent.click(within(bar()).getByRole('button', { name: 'Select all 23' }))
  await waitFor(() => expect(bar()).toHaveTextContent('23 selected'))
  return page
}

describe('a selection of every page', () => {
  it('a selection of every page is offered once the page is selected, and takes the campaigns of all pages', async () => {
    await choosePage()
    expect(bar()).toHaveTextContent('10 selected')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Felucca 2' }))
    expect(within(bar()).queryByRole('button', { name: /^Select all/ })).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Felucca 2' }))
    await userEvent.click(within(bar()).getByRole('button', { name: 'Select all 23' }))
    await waitFor(() => expect(bar()).toHaveTextContent('23 selected'))
    expect(within(bar()).getByRole('button', { name: 'Edit' })).toHaveFocus()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Felucca 3' }))
    expect(bar()).toHaveTextContent('22 selected')
    await userEvent.click(within(bar()).getByRole('button', { name: 'Pause' }))
    await waitFor(() => expect(paused()).toHaveLength(22))
    expect(new Set(paused())).toEqual(new Set(rows.map(({ id }) => id).filter((id) => id !== 'campaign-3')))
  })

  it('a selection of every page is paused, and run again by one Undo', async () => {
    await chooseAll()
    await userEvent.click(within(bar()).getByRole('button', { name: 'Pause' }))
    await waitFor(() => expect(paused()).toHaveLength(23))
    await screen.findByText('23 campaigns paused')
    await userEvent.keyboard('z')
    await waitFor(() => expect(server.calls(runCampaign)).toHaveLength(23))
    expect(new Set(server.calls(runCampaign).map(({ body }) => body))).toEqual(new Set(paused()))
    await screen.findByText('23 campaigns changed back')
  })

  it('says how far an action is', async () => {
    let go = () => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    const before = new Set(rows.slice(0, 4).map(({ id }) => id))
    server.on(pauseCampaign, async ({ body }) => {
      if (!before.has(String(body))) await held
      return outcome(String(body), 41)
    })
    await chooseAll()
    await userEvent.click(within(bar()).getByRole('button', { name: 'Pause' }))
    await waitFor(() => expect(bar()).toHaveTextContent('4 of 23'))
    expect(within(bar()).getByRole('button', { name: 'Archive' })).toBeDisabled()
    go()
    await screen.findByText('23 campaigns paused')
    expect(screen.queryByRole('toolbar')).toBeNull()
  })

  it('names what an Undo could not take back', async () => {
    await choosePage()
    server.on(runCampaign, ({ body }) => (body === 'campaign-2' ? refusal(134, 409) : outcome(String(body), 3)))
    await userEvent.click(within(bar()).getByRole('button', { name: 'Pause' }))
    await screen.findByText('10 campaigns paused')
    await userEvent.keyboard('z')
    await screen.findByText('9 changed back, 1 not')
    await screen.findByText(/^Felucca 2: /)
  })

  it('ends with the filters that it was made with', async () => {
    await chooseAll()
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'Felucca 1')
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull())
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Felucca 2' })).toBeNull())
    expect(screen.getByRole('checkbox', { name: 'Select all on this page' })).not.toBeChecked()
    expect(screen.getByRole('checkbox', { name: 'Select Felucca 1' })).not.toBeChecked()
  })

  it('a selection of every page is called off without an error when the filters change before it is loaded', async () => {
    await choosePage()
    let go = () => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    server.on(listCampaigns, async ({ body }) => {
      const { page, pageSize, name = '' } = body as Asked
      if (pageSize === 150) await held
      const found = rows.filter((row) => row.name.includes(name))
      return pageOf(found.slice(page * pageSize, (page + 1) * pageSize), found.length)
    })
    await userEvent.click(within(bar()).getByRole('button', { name: 'Select all 23' }))
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by name' }), '23')
    expect(await screen.findByRole('link', { name: 'Felucca 23' })).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Felucca 2' })).toBeNull())
    go()
    await turns()
    expect(screen.getByRole('checkbox', { name: 'Select Felucca 23' })).not.toBeChecked()
    expect(screen.queryByText('Something went wrong!')).toBeNull()
  })

  it('a selection of every page is edited as a whole, also the campaigns of other pages', async () => {
    server.on(updateCampaign, ({ body, query }) => {
      const { id, revision, budget } = body as { readonly id: string; readonly revision: number; readonly budget: number }
      if (query.has('dry_run'))
        return { events: [], diff: [], status_key: 3, status_reasons: [], revision, moderator_needed: false }
      rows = rows.map((row) => (row.id === id ? { ...row, budget, revision: revision + 1 } : row))
      return { ...campaignWith({ id, budget, revision: revision + 1 }), position: '9' }
    })
    await chooseAll()
    await userEvent.click(within(bar()).getByRole('button', { name: 'Edit' }))
    const dialog = await screen.findByRole('dialog', { name: 'Edit 23 campaigns' })
    await userEvent.type(within(dialog).getByLabelText('Amount'), '50{Enter}')
    await waitFor(() => expect(rows.every(({ budget }) => budget === 50)).toBe(true))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await screen.findByText('23 campaigns changed')
    expect(screen.queryByRole('toolbar')).toBeNull()
  })

  it('stops at the most that are selected at once', async () => {
    rows = Array.from({ length: 620 }, (_, n) => listRowWith({ id: `campaign-${n + 1}`, name: `Felucca ${n + 1}` }))
    await choosePage()
    await userEvent.click(within(bar()).getByRole('button', { name: 'Select the first 500' }))
    await waitFor(() => expect(bar()).toHaveTextContent('500 selected'))
    const pages = server
      .calls(listCampaigns)
      .flatMap(({ body }) => ((body as Asked).pageSize === 150 ? [(body as Asked).page] : []))
    expect(pages).toEqual([0, 1, 2, 3])
  })
})
