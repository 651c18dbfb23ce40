import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { listCampaigns, type ListRow } from '#contract/campaign-list'
import { addLabel, labelCampaigns, listLabels, removeLabel, changeLabel, type AccountLabel } from '#contract/labels'
import { LABEL_COLORS } from '#domain/campaign/labels'
import { listRowWith, pageOf, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { freshColor, TONES } from './label-colors.ts'
import { planOf, pressed, stateOf, type Labelable } from './label-plan.ts'

type Change = { readonly campaign_id: string; readonly add: readonly string[]; readonly remove: readonly string[] }

const SALE = { id: 'l-sale', name: 'Sale', color: 'red' } as const
const TEST = { id: 'l-test', name: 'Test', color: 'blue' } as const

let server: FakeServer
let rows: ListRow[]
let labels: AccountLabel[]
const sent = () => server.calls(labelCampaigns).map(({ body }) => (body as { readonly changes: readonly Change[] }).changes)

beforeEach(() => {
  server = signedInServer()
  rows = [listRowWith({ labels: [SALE] }), listRowWith({ id: 'campaign-2', name: 'Winter' })]
  labels = [
    { ...SALE, campaigns: 1 },
    { ...TEST, campaigns: 0 },
  ]
  server.on(listCampaigns, () => pageOf(rows))
  server.on(listLabels, () => ({ labels, may_write: true }))
  server.on(addLabel, ({ body }) => {
    const label = { id: 'l-new', ...(body as { readonly name: string; readonly color: 'red' }) }
    labels = [...labels, { ...label, campaigns: 0 }]
    return { ...label, position: '9' }
  })
  server.on(labelCampaigns, ({ body }) => ({
    results: (body as { readonly changes: readonly Change[] }).changes.map(({ campaign_id, add, remove }) => ({
      campaign_id,
      code: 0,
      message: 'Success',
      added: [...add],
      removed: [...remove],
    })),
    position: '9',
  }))
})

const list = async (path = '/campaigns') => {
  renderRoute(path)
  await screen.findByRole('link', { name: 'Autumn' })
}
const dialog = () => screen.findByRole('dialog', { name: /^Labels of/ })

describe('labels in the list', () => {
  it('labels are shown with each campaign by name, open with L on the focused row, and are created as they are typed', async () => {
    await list()
    const chips = within(screen.getByTestId('campaign-row-campaign-1')).getByRole('list', { name: 'Labels' })
    expect(within(chips).getByText('Sale')).toBeVisible()
    screen.getByRole('link', { name: 'Winter' }).focus()
    await userEvent.keyboard('l')
    const box = within(await dialog())
    expect(await box.findByText('Sale')).toBeVisible()
    await userEvent.keyboard('Black friday')
    await userEvent.click(await box.findByText('Create label “Black friday”'))
    await waitFor(() =>
      expect(server.calls(addLabel).map(({ body }) => body)).toEqual([
        { space_id: 'space-1', name: 'Black friday', color: 'orange' },
      ]),
    )
    await waitFor(() => expect(box.getByTestId('labels-of-campaign-2')).toHaveTextContent('Added: +Black friday'))
    await userEvent.click(box.getByRole('button', { name: 'Apply labels' }))
    await waitFor(() => expect(sent()).toEqual([[{ campaign_id: 'campaign-2', add: ['l-new'], remove: [] }]]))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('labels in the list change for the selected campaigns together, with a preview of every row and one Undo', async () => {
    await list()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await userEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Labels' }))
    const box = within(await dialog())
    const sale = await box.findByRole('option', { name: /Sale/ })
    expect(sale).toHaveAttribute('aria-checked', 'mixed')
    await userEvent.click(sale)
    expect(sale).toHaveAttribute('aria-checked', 'true')
    await userEvent.click(box.getByRole('option', { name: /Test/ }))
    expect(box.getByTestId('labels-of-campaign-1')).toHaveTextContent('AutumnSaleAdded: +Test')
    expect(box.getByTestId('labels-of-campaign-2')).toHaveTextContent('WinterAdded: +SaleAdded: +Test')
    expect(sent()).toEqual([])
    await userEvent.click(box.getByRole('button', { name: 'Apply labels' }))
    const first = [
      { campaign_id: 'campaign-1', add: ['l-test'], remove: [] },
      { campaign_id: 'campaign-2', add: ['l-sale', 'l-test'], remove: [] },
    ]
    await waitFor(() => expect(sent()).toEqual([first]))
    expect(await screen.findByText('Labels of 2 campaigns changed')).toBeVisible()
    await userEvent.keyboard('z')
    await waitFor(() => expect(sent()[1]).toEqual(first.map(({ campaign_id, add }) => ({ campaign_id, add: [], remove: add }))))
  })

  it('labels in the list keep a campaign in the dialog that has too many, with the reason, and change the others', async () => {
    const many = Array.from({ length: 10 }, (_, n) => ({ id: `l-${n}`, name: `Label ${n}`, color: 'gray' as const }))
    rows = [listRowWith({ labels: many }), listRowWith({ id: 'campaign-2', name: 'Winter' })]
    await list()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await userEvent.keyboard('l')
    const box = within(await dialog())
    await userEvent.click(await box.findByRole('option', { name: /Test/ }))
    expect(box.getByTestId('labels-of-campaign-1')).toHaveTextContent('A campaign can have at most 10 labels.')
    expect(box.getByText('1 of 2 will change')).toBeVisible()
    await userEvent.click(box.getByRole('button', { name: 'Apply labels' }))
    await waitFor(() => expect(sent()).toEqual([[{ campaign_id: 'campaign-2', add: ['l-test'], remove: [] }]]))
  })

  it('labels in the list filter by any of those that are chosen, in the address too', async () => {
    await list('/campaigns?labels=l-sale')
    const button = await screen.findByRole('button', { name: 'Label: Sale' })
    const asked = () => (server.calls(listCampaigns).at(-1)?.body as { readonly label_ids?: unknown } | undefined)?.label_ids
    expect(asked()).toEqual(['l-sale'])
    await userEvent.click(button)
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Test' }))
    await waitFor(() => expect(asked()).toEqual(['l-sale', 'l-test']))
  })

  it('labels in the list are renamed, recoloured and deleted, with the number of campaigns first', async () => {
    server.on(changeLabel, ({ body }) => ({ ...SALE, ...(body as object), position: '9' }))
    server.on(removeLabel, () => ({ id: SALE.id, campaigns: 1, position: '9' }))
    await list()
    await userEvent.click(await screen.findByRole('button', { name: 'Label: All labels' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Manage labels…' }))
    const box = within(await screen.findByRole('dialog', { name: 'Manage labels' }))
    const name = await box.findByLabelText('Name of Sale')
    await userEvent.clear(name)
    await userEvent.type(name, 'Offers{Enter}')
    await userEvent.selectOptions(box.getByLabelText('Colour of Sale'), 'Green')
    await waitFor(() =>
      expect(server.calls(changeLabel).map(({ body }) => body)).toEqual([{ name: 'Offers' }, { color: 'green' }]),
    )
    await userEvent.click(box.getByRole('button', { name: 'Delete Sale' }))
    const asks = within(await screen.findByRole('alertdialog'))
    expect(asks.getByText('It is removed from 1 campaign. This cannot be undone.')).toBeVisible()
    await userEvent.click(asks.getByRole('button', { name: 'Delete label' }))
    await waitFor(() => expect(server.calls(removeLabel)).toHaveLength(1))
  })
})

describe('a page of the list', () => {
  it('draws at most 25 rows, however many campaigns there are', async () => {
    rows = Array.from({ length: 25 }, (_, n) =>
      listRowWith({ id: `campaign-${n + 1}`, name: n === 0 ? 'Autumn' : `Campaign ${n}` }),
    )
    server.on(listCampaigns, () => ({ ...pageOf(rows), total_size: 10_000, page_size: 25 }))
    await list('/campaigns?rows=10000')
    expect(server.calls(listCampaigns).every(({ body }) => ((body as { pageSize: number }).pageSize ?? 0) <= 25)).toBe(true)
    expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '10000')
    expect(screen.getAllByTestId(/^campaign-row-/)).toHaveLength(25)
  })
})

describe('a choice of labels', () => {
  const row = (id: string, ...of: readonly string[]): Labelable => ({
    id,
    name: id,
    space_id: 'space-1',
    labels: of.map((label) => ({ id: label, name: label, color: 'red' })),
  })

  it('goes from some campaigns to all, to none, and back', () => {
    const both = [row('a', 'x'), row('b')]
    const steps = [new Map()]
    for (let n = 0; n < 3; n += 1) steps.push(new Map(pressed(both, steps.at(-1) ?? new Map(), 'x')))
    expect(steps.map((choices) => stateOf(both, choices, 'x'))).toEqual(['some', 'all', 'none', 'some'])
    expect(steps.at(-1)).toEqual(new Map())
    expect(planOf(row('a', 'x'), new Map([['x', 'add']]))).toEqual({ kind: 'same' })
    expect(planOf(row('a', 'x'), new Map([['x', 'remove']]))).toEqual({ kind: 'changed', added: [], removed: ['x'] })
  })
})

describe('colours of labels', () => {
  /** WCAG 2.2, relative luminance. */
  const luminance = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one: string, other: string) => {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
    return (high + 0.05) / (low + 0.05)
  }

  it.each(LABEL_COLORS)('%s is seen on the surfaces of both themes', (color) => {
    for (const surface of ['#ffffff', '#16181d']) expect(contrast(TONES[color], surface), surface).toBeGreaterThanOrEqual(3)
  })

  it('the colour of a new label is the one that the fewest labels have', () => {
    expect(freshColor([])).toBe('red')
    expect(freshColor([{ color: 'red' }, { color: 'orange' }])).toBe('yellow')
    expect(freshColor(LABEL_COLORS.filter((color) => color !== 'gray').map((color) => ({ color })))).toBe('gray')
  })
})
