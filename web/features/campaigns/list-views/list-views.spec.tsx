import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { listCampaigns } from '#contract/campaign-list'
import { addView, changeView, chooseDefaultView, listViews, removeView, restoreView, type ListView } from '#contract/views'
import { listRowWith, pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { listSearch } from '../list/campaign-list-search.ts'
import { stateOf } from './view-state.ts'

let server: FakeServer
let views: ListView[]
let defaultId: string | null

const viewWith = (more: Partial<ListView> = {}): ListView => ({
  id: 'view-1',
  name: 'Busy',
  shared: false,
  state: { ...stateOf(listSearch.parse({}), new Date()), statuses: [3], sort: 'spent' },
  by: 'Ada Nile',
  own: true,
  editable: true,
  version: 4,
  ...more,
})
const answer = (id: string) => ({ id, version: 5, position: '9' })
const lastList = () => server.calls(listCampaigns).at(-1)?.body
const ADDRESS = '/campaigns?status=3&sort=spent&view=view-1'

beforeEach(() => {
  server = signedInServer()
  server.on(listCampaigns, () => pageOf([listRowWith()]))
  views = [viewWith(), viewWith({ id: 'view-2', name: 'Drafts', shared: true, by: 'Bea', own: false, editable: false })]
  defaultId = null
  server.on(listViews, () => ({ views, default_id: defaultId, may_share: true }))
})

async function open(address = '/campaigns') {
  const page = renderRoute(address)
  await screen.findByRole('row', { name: /Autumn/ })
  await waitFor(() => expect(server.calls(listViews).length).toBeGreaterThan(0))
  return page
}
const menu = async (name: RegExp | string) => {
  await userEvent.click(await screen.findByRole('button', { name }))
  return within(await screen.findByRole('menu', { name: 'Views' }))
}

describe('saved views of the list', () => {
  it('saved views of the list open from the menu, name the page, and say who shared them', async () => {
    const { address } = await open()
    const items = await menu('Views')
    expect(items.getByText('by Bea')).toBeVisible()
    await userEvent.click(items.getByRole('menuitemradio', { name: 'Busy' }))
    expect(await screen.findByRole('heading', { name: 'Campaigns: Busy' })).toBeVisible()
    expect(address()).toBe('/campaigns?status=3&sort=spent&view=view-1')
    await waitFor(() => expect(lastList()).toMatchObject({ status_filter: 3, order_field: 'spent' }))
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
    await userEvent.click((await menu('Busy')).getByRole('menuitem', { name: 'Close the view' }))
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(screen.getByRole('heading', { name: 'Campaigns' })).toBeVisible()
  })

  it('saved views of the list offer to save what was changed, with the version that was read', async () => {
    await open(`${ADDRESS}&rows=25`)
    expect(await screen.findByRole('heading', { name: 'Campaigns' })).toBeVisible()
    server.on(changeView, () => {
      views = [viewWith({ state: { ...viewWith().state, rows: 25 }, version: 5 })]
      return answer('view-1')
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Save changes' }))
    expect(await screen.findByRole('heading', { name: 'Campaigns: Busy' })).toBeVisible()
    const [sent] = server.calls(changeView)
    expect(sent?.params['id']).toBe('view-1')
    expect(sent?.body).toEqual({ name: 'Busy', shared: false, version: 4, state: { ...viewWith().state, rows: 25 } })
  })

  it('saved views of others that may not be changed are not offered to be saved, renamed or deleted', async () => {
    await open('/campaigns?rows=25&view=view-2')
    const items = await menu('Drafts (changed)')
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
    expect(items.getByRole('menuitemcheckbox', { name: 'Open by default' })).not.toBeChecked()
    for (const name of ['Rename…', 'Delete the view']) expect(items.queryByRole('menuitem', { name })).toBeNull()
  })

  it('saved views of the list are saved under a name, shared or not, and open at once', async () => {
    const { address } = await open('/campaigns?q=winter')
    await userEvent.click((await menu('Views')).getByRole('menuitem', { name: 'Save as a new view…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Save as a new view' }))
    await userEvent.type(await dialog.findByRole('textbox', { name: 'Name' }), 'Winter')
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Who sees it' }), 'All users of the account')
    const state = stateOf(listSearch.parse({ q: 'winter' }), new Date())
    server.on(addView, () => {
      views = [...views, viewWith({ id: 'view-3', name: 'Winter', shared: true, state })]
      return answer('view-3')
    })
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('heading', { name: 'Campaigns: Winter' })).toBeVisible()
    expect(address()).toBe('/campaigns?q=winter&view=view-3')
    expect(server.calls(addView)[0]?.body).toEqual({ list: 'account', name: 'Winter', shared: true, state })
  })

  it('saved views of the list say at their name that there are too many', async () => {
    await open()
    const fault = { path: 'name', code: 2, message: 'Too many', key: 'tooManyViews', params: { max: 50 } }
    server.on(addView, () => refusal(2, 400, [fault]))
    await userEvent.click((await menu('Views')).getByRole('menuitem', { name: 'Save as a new view…' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(await dialog.findByRole('textbox', { name: 'Name' }), 'Winter')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('There can be at most 50 views. Delete one first.')).toBeVisible()
  })

  it('saved views of the list are deleted with an Undo, which opens the view again', async () => {
    const { address } = await open(ADDRESS)
    const [busy, drafts] = views
    server.on(removeView, () => {
      views = [drafts ?? viewWith()]
      return answer('view-1')
    })
    server.on(restoreView, () => {
      views = [busy ?? viewWith(), drafts ?? viewWith()]
      return answer('view-1')
    })
    await userEvent.click((await menu('Busy')).getByRole('menuitem', { name: 'Delete the view' }))
    expect(await screen.findByText('View deleted: Busy')).toBeVisible()
    await waitFor(() => expect(address()).toBe('/campaigns'))
    await userEvent.click(screen.getByRole('button', { name: /^Undo/ }))
    expect(await screen.findByRole('heading', { name: 'Campaigns: Busy' })).toBeVisible()
    expect(server.calls(restoreView)[0]?.params['id']).toBe('view-1')
  })

  it('saved views of the list open with a list without a query where the user chose one, and with no other list', async () => {
    defaultId = 'view-1'
    const { address } = await open()
    await waitFor(() => expect(address()).toBe(ADDRESS))
    await userEvent.click((await menu('Busy')).getByRole('menuitem', { name: 'Close the view' }))
    await waitFor(() => expect(address()).toBe('/campaigns'))
    server.on(chooseDefaultView, () => ({ position: '9' }))
    await userEvent.click((await menu('Views')).getByRole('menuitemradio', { name: /^Busy/ }))
    await userEvent.click((await menu('Busy')).getByRole('menuitemcheckbox', { name: 'Open by default' }))
    await waitFor(() => expect(server.calls(chooseDefaultView)[0]?.body).toEqual({ list: 'account', view_id: null }))
  })

  it('saved views of the list do not open by themselves where the address has a filter', async () => {
    defaultId = 'view-1'
    const { address } = await open('/campaigns?q=aut')
    expect(await screen.findByRole('button', { name: 'Views' })).toBeVisible()
    expect(address()).toBe('/campaigns?q=aut')
  })

  it('saved views of the list are commands of the palette', async () => {
    const { address } = await open()
    await screen.findByRole('button', { name: 'Views' })
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.type(await screen.findByRole('combobox', { name: /Search|command/i }), 'view busy')
    await userEvent.click(await screen.findByRole('option', { name: 'View: Busy' }))
    await waitFor(() => expect(address()).toBe(ADDRESS))
  })
})

describe('the columns of the list', () => {
  const heads = () =>
    within(screen.getByRole('table'))
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent)
      .filter(Boolean)

  it('the columns of the list move by Alt and an arrow, keep the focus and say their place; rows can be compact', async () => {
    const { address } = await open()
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
    const spend = await screen.findByRole('menuitemcheckbox', { name: 'Spend' })
    spend.focus()
    await userEvent.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}')
    await waitFor(() => expect(heads()).toEqual(['Name', 'Impressions', 'Spend', 'Clicks', 'Conversions', 'Trend', 'Actions']))
    expect(address()).toBe('/campaigns?columns=impressions%2Cspent%2Cclicks%2Cconversions%2Ctrend')
    expect(screen.getByRole('menuitemcheckbox', { name: 'Spend' })).toHaveFocus()
    expect(screen.getByText('Spend: 2 of 5')).toBeInTheDocument()
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(heads()).toEqual(['Name', 'Impressions', 'Clicks', 'Spend', 'Conversions', 'Trend', 'Actions']))
    expect(screen.getByRole('menuitemcheckbox', { name: 'Spend' })).toHaveFocus()
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Compact rows' }))
    await waitFor(() => expect(address()).toContain('density=compact'))
    const [cell] = within(screen.getByRole('row', { name: /Autumn/ }))
      .getAllByRole('cell')
      .slice(-1)
    expect(cell).toHaveClass('h-9')
  })

  it('the columns of the list are shown in the order of the address; unknown ones are ignored, and missing ones follow', async () => {
    await open('/campaigns?columns=spent,zodiac,clicks&hide=conversions')
    expect(heads()).toEqual(['Name', 'Spend', 'Clicks', 'Impressions', 'Trend', 'Actions'])
  })
})
